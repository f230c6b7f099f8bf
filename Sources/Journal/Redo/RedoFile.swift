#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file REDO in the folder of a journal: two slots for headers, then records.
///
/// All of it is written once when it is made, so that writing into it later changes nothing but its content, and
/// one flush has the disk write one place.
final class RedoFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Bytes of the slots of both headers.
  static let slotByteCount = 4_096
  /// Where the records begin.
  static let recordsStart = 2 * slotByteCount

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { _ = close(descriptor) }

  static func path(in folder: String) -> String { folder + "/REDO" }

  /// Opens the file in the folder of a journal; `nil` where there is none.
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

  /// Makes the file, all of it zeros, and brings it to the medium.
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

  /// How many bytes it has for records.
  func recordsByteCount() throws(JournalError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Files.failure("Looking at", path) }
    return max(0, Int(status.st_size) - RedoFile.recordsStart)
  }

  /// The bytes from an offset on, as many as there are.
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

  /// Brings what was written to the medium.
  func flush() throws(JournalError) { try Files.flushContent(descriptor, path) }
}
