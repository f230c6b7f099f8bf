internal import Entities

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Sorted rows that were put aside in a temporary file: written once, read once, then gone.
///
/// The file has no name from the start, so nothing is left behind by a killed process.
///
/// Each row is the key's byte count (1), the value's (4), the key and the value.
final class SortedRun {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var offset = 0
  private var isExhausted = false
  /// The key of the row that is at hand, while reading.
  private(set) var current: TableKey?
  /// The value of the row that is at hand.
  private(set) var value: [UInt8] = []

  private static let bufferByteCount = 1 << 18

  init(folder: String) throws {
    var template = Array("\(folder)/sort-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&template)
    if descriptor < 0 { throw SortedRun.failure("create", folder) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = unsafe unlink(template)
    buffer.reserveCapacity(SortedRun.bufferByteCount + 4_096)
  }

  deinit { close(descriptor) }

  private static func failure(_ what: String, _ place: String) -> ProjectingError {
    let code = errno
    let reason = unsafe String(cString: strerror(code))
    return ProjectingError(
      .limit,
      "Could not \(what) a temporary file for sorting in \(place): \(reason). Make room and "
        + "rebuild again; nothing is lost.")
  }

  /// The key at hand; only asked for while there is one.
  var head: TableKey { current ?? TableKey() }

  func append(_ key: TableKey, _ value: RawSpan) throws {
    var writer = ByteWriter(reserving: 5)
    writer.u8(UInt8(truncatingIfNeeded: key.count))
    writer.u32be(UInt32(truncatingIfNeeded: value.byteCount))
    buffer.append(contentsOf: writer.bytes)
    key.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }
    unsafe value.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    if buffer.count >= SortedRun.bufferByteCount { try flush() }
  }

  private func flush() throws {
    var written = 0
    while written < buffer.count {
      let count = unsafe buffer.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { throw SortedRun.failure("write", "the views' folder") }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  func finishWriting() throws {
    try flush()
    buffer = []
  }

  func startReading() throws {
    if lseek(descriptor, 0, SEEK_SET) < 0 { throw SortedRun.failure("read", "the views' folder") }
    buffer = []
    offset = 0
    isExhausted = false
    try advance()
  }

  /// Steps to the next row; `current` is `nil` after the last.
  func advance() throws {
    guard try fill(5) else {
      current = nil
      return
    }
    let keyCount = Int(buffer[offset])
    let valueCount = buffer[offset + 1...offset + 4].reduce(0) { $0 << 8 | Int($1) }
    guard try fill(5 + keyCount + valueCount) else {
      throw ProjectingError(.damaged, "A temporary file for sorting ended early. Rebuild again.")
    }
    let keyStart = offset + 5
    var key = TableKey()
    for byte in buffer[keyStart..<keyStart + keyCount] { key.append(u8: byte) }
    current = key
    let valueStart = keyStart + keyCount
    value.removeAll(keepingCapacity: true)
    value.append(contentsOf: buffer[valueStart..<valueStart + valueCount])
    offset = valueStart + valueCount
  }

  /// Makes sure that `count` bytes are at hand; false at the end of the file.
  private func fill(_ count: Int) throws -> Bool {
    while buffer.count - offset < count {
      if isExhausted { return false }
      buffer.removeSubrange(..<offset)
      offset = 0
      let start = buffer.count
      let target = start + max(SortedRun.bufferByteCount, count)
      buffer.append(contentsOf: repeatElement(0, count: target - start))
      let got = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress?.advanced(by: start), target - start)
      }
      if got < 0 { throw SortedRun.failure("read", "the views' folder") }
      buffer.removeSubrange((start + got)...)
      if got == 0 { isExhausted = true }
    }
    return true
  }
}
