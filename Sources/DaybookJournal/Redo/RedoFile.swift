import DaybookPlatform

/// The file REDO in a journal's folder, which consists of two header slots and the records.
///
/// The whole file is written when it is created. Later writes only change its contents, so that a
/// flush writes to a single place on the disk.
final class RedoFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// The size of one header slot in bytes.
  static let slotByteCount = 4_096
  /// The offset of the first record.
  static let recordsStart = 2 * slotByteCount

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { _ = close(descriptor) }

  static func path(in folder: String) -> String { folder + "/REDO" }

  /// Opens the file in a journal's folder; returns `nil` if there is none.
  static func open(in folder: String, writing: Bool = true) throws(JournalError) -> RedoFile? {
    let path = path(in: folder)
    do {
      let flags = writing ? O_RDWR : O_RDONLY
      return RedoFile(path: path, descriptor: try Files.descriptor(path, flags))
    } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  /// Creates the file, filled with zeros, and flushes it.
  static func make(in folder: String, byteCount: Int) throws(JournalError) -> RedoFile {
    let path = path(in: folder)
    do {
      let flags = O_RDWR | O_CREAT | O_TRUNC
      let file = RedoFile(path: path, descriptor: try Files.descriptor(path, flags))
      try file.write([UInt8](repeating: 0, count: recordsStart + byteCount), at: 0)
      try file.flush()
      try Files.flushFolder(folder)
      return file
    } catch {
      try? Files.remove(path)
      throw error
    }
  }

  /// Returns the number of bytes available for records.
  func recordsByteCount() throws(JournalError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Files.failure("Looking at", path) }
    return max(0, Int(status.st_size) - RedoFile.recordsStart)
  }

  /// Reads bytes from an offset on; returns fewer bytes if the file ends before that.
  func read(_ byteCount: Int, at offset: Int) throws(JournalError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var count = 0
    while count < byteCount {
      let place = off_t(offset + count)
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress?.advanced(by: count), byteCount - count, place)
      }
      if got == 0 { break }
      if got > 0 { count += got } else if errno != EINTR { throw Files.failure("Reading", path) }
    }
    bytes.removeLast(byteCount - count)
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    var count = 0
    while count < bytes.count {
      let place = off_t(offset + count)
      let put = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress?.advanced(by: count), bytes.count - count, place)
      }
      if put >= 0 { count += put } else if errno != EINTR { throw Files.failure("Writing", path) }
    }
  }

  /// Flushes the file's contents.
  func flush() throws(JournalError) { try Files.flushContent(descriptor, path) }
}
