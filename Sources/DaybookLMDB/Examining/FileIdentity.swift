import DaybookPlatform

/// Identifies a file independently of its path, by device and inode.
public struct FileIdentity: Sendable, Hashable, Codable {
  /// The device that holds the file.
  public let device: UInt64

  /// The file's inode on the device.
  public let inode: UInt64

  /// Creates an identity from two stored numbers.
  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Returns the identity of the file or folder at a path, following symbolic links.
  package static func of(path: String) throws(LMDBError) -> FileIdentity {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw LMDBError(code: errno, operation: "stat", path: path)
    }
    return FileIdentity(status)
  }

  /// Returns the identity of an open file.
  static func of(descriptor: Int32, path: String) throws(LMDBError) -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw LMDBError(code: errno, operation: "fstat", path: path)
    }
    return FileIdentity(status)
  }
}
