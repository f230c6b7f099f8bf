#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which file this is, whatever its path: the device and the inode.
public struct FileIdentity: Sendable, Hashable, Codable {
  /// The device that holds the file.
  public let device: UInt64

  /// The number of the file on its device.
  public let inode: UInt64

  /// Puts an identity together that was stored as two numbers.
  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// The identity of the file or folder at a path, following symbolic links.
  package static func of(path: String) throws(LMDBError) -> FileIdentity {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw LMDBError(code: errno, operation: "stat", path: path)
    }
    return FileIdentity(status)
  }

  /// The identity of an open file.
  static func of(descriptor: Int32, path: String) throws(LMDBError) -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw LMDBError(code: errno, operation: "fstat", path: path)
    }
    return FileIdentity(status)
  }
}
