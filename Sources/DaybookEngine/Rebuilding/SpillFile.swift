internal import DaybookEntities
internal import DaybookJournal
internal import DaybookPlatform

/// A temporary file of sorted rows that don't fit into memory, stored as consecutive runs.
///
/// The file is unlinked as soon as it is created, so a killed process leaves nothing behind.
///
/// A row consists of its value's byte count (4 bytes), its key's byte count (1), those words of the
/// key that contain bytes (0 to 32 bytes), and the value. Numbers are in native byte order.
final class SpillFile {
  private let descriptor: Int32
  /// The number of bytes written.
  private(set) var byteCount = 0

  /// The number of bytes of a row before the key.
  static let countsByteCount = 5
  /// The maximum number of bytes of a row before the value.
  static let rowHeadByteCountMax = countsByteCount + 32

  init(folder: String) throws {
    var template = Array("\(folder)/sort-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&template)
    if descriptor < 0 { throw SpillFile.failure("create") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = unsafe unlink(template)
  }

  deinit { close(descriptor) }

  private static func failure(_ what: String) -> ProjectingError {
    let code = errno
    let reason = unsafe String(cString: strerror(code))
    let message =
      "Could not \(what) a temporary file for sorting in the views' folder: \(reason). Free some "
      + "space and rebuild again; nothing is lost."
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(code)
    return ProjectingError(
      .limit, message, cause: isFull ? JournalError(.diskFull, reason) : nil)
  }

  /// Appends the first `count` bytes of a buffer to the file.
  func append(_ bytes: [UInt8], count: Int) throws {
    var written = 0
    while written < count {
      let step = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(
          descriptor, $0.baseAddress?.advanced(by: written), count - written,
          off_t(byteCount + written))
      }
      if step < 0, errno == EINTR { continue }
      if step <= 0 { throw SpillFile.failure("write") }
      written += step
    }
    byteCount += count
  }

  /// Reads up to `count` bytes from the file, starting at `offset`, into a buffer.
  ///
  /// - Returns: The number of bytes read.
  func read(_ count: Int, at offset: Int, into buffer: inout [UInt8], from start: Int) throws -> Int
  {
    while true {
      let got = unsafe buffer.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress?.advanced(by: start), count, off_t(offset))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw SpillFile.failure("read") }
      return got
    }
  }
}

/// The location of one run of sorted rows in a file.
struct SortedRun {
  let file: SpillFile
  let start: Int
  let end: Int
}

/// Writes one run of sorted rows.
struct SortedRunWriter {
  private let file: SpillFile
  private let start: Int
  private var buffer = [UInt8](repeating: 0, count: SortedRunWriter.bufferByteCount)
  private var filled = 0

  private static let bufferByteCount = 1 << 18

  init(_ file: SpillFile) {
    self.file = file
    start = file.byteCount
  }

  mutating func append(_ key: TableKey, _ value: RawSpan) throws {
    // The words of the key are stored whole; the value then overwrites the unused words.
    let room = SpillFile.rowHeadByteCountMax + value.byteCount
    if filled + room > buffer.count { try flush() }
    if room > buffer.count { buffer = [UInt8](repeating: 0, count: room) }
    let offset = filled
    let keyCount = key.count
    let start = offset + SpillFile.countsByteCount
    let valueStart = start + (keyCount + 7) & ~7
    unsafe buffer.withUnsafeMutableBytes { room in
      unsafe room.storeBytes(
        of: UInt32(truncatingIfNeeded: value.byteCount), toByteOffset: offset, as: UInt32.self)
      unsafe room.storeBytes(
        of: UInt8(truncatingIfNeeded: keyCount), toByteOffset: offset + 4, as: UInt8.self)
      unsafe room.storeBytes(of: key.word0, toByteOffset: start, as: UInt64.self)
      unsafe room.storeBytes(of: key.word1, toByteOffset: start + 8, as: UInt64.self)
      unsafe room.storeBytes(of: key.word2, toByteOffset: start + 16, as: UInt64.self)
      unsafe room.storeBytes(of: key.word3, toByteOffset: start + 24, as: UInt64.self)
      unsafe value.withUnsafeBytes { bytes in
        let target = unsafe UnsafeMutableRawBufferPointer(
          rebasing: room[valueStart..<(valueStart + value.byteCount)])
        unsafe target.copyMemory(from: bytes)
      }
    }
    filled = valueStart + value.byteCount
  }

  private mutating func flush() throws {
    try file.append(buffer, count: filled)
    filled = 0
  }

  consuming func finish() throws -> SortedRun {
    try flush()
    return SortedRun(file: file, start: start, end: file.byteCount)
  }
}

/// Reads one run of sorted rows.
struct SortedRunReader {
  private let file: SpillFile
  private let end: Int
  // The file offset of the next read, and the bytes that have been read.
  private var next: Int
  private var buffer = [UInt8](repeating: 0, count: SortedRunReader.bufferByteCount)
  private var filled = 0
  private var offset = 0
  // The offset and length of the current value in the buffer.
  private var valueStart = 0
  private var valueByteCount = 0
  /// The key of the current row.
  private(set) var head = TableKey()
  /// Whether the reader is past the last row.
  private(set) var isAtEnd = false

  private static let bufferByteCount = 1 << 16

  /// Creates a reader at the first row.
  init(_ run: SortedRun) throws {
    file = run.file
    next = run.start
    end = run.end
    try load()
  }

  /// Calls `body` with the current value.
  func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    try body(buffer.span.bytes.extracting(valueStart..<valueStart + valueByteCount))
  }

  /// Moves to the next row.
  mutating func advance() throws {
    offset = valueStart + valueByteCount
    try load()
  }

  private mutating func load() throws {
    if filled - offset < SpillFile.rowHeadByteCountMax {
      // Near the end of a run, fewer bytes than the longest possible row header may be left.
      try fill(min(SpillFile.rowHeadByteCountMax, filled - offset + end - next))
      if filled == offset {
        isAtEnd = true
        return
      }
    }
    let start = offset
    let (keyCount, byteCount) = unsafe buffer.withUnsafeBytes { bytes in
      (
        unsafe Int(bytes[start + 4]),
        unsafe Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      )
    }
    let headByteCount = SpillFile.countsByteCount + (keyCount + 7) & ~7
    if filled - offset < headByteCount + byteCount { try fill(headByteCount + byteCount) }
    head = key(keyCount, at: offset + SpillFile.countsByteCount)
    valueStart = offset + headByteCount
    valueByteCount = byteCount
  }

  /// Returns the key with `count` bytes whose words start at `start` in the buffer.
  private func key(_ count: Int, at start: Int) -> TableKey {
    unsafe buffer.withUnsafeBytes { bytes in
      func word(_ index: Int) -> UInt64 {
        if index * 8 >= count { return 0 }
        return unsafe bytes.loadUnaligned(fromByteOffset: start + index * 8, as: UInt64.self)
      }
      // The last word contains the count.
      let last = count > 24 ? word(3) : UInt64(truncatingIfNeeded: count)
      return TableKey(word(0), word(1), word(2), last)
    }
  }

  /// Reads until the buffer contains `count` bytes from the current offset.
  ///
  /// At the end of the run, the buffer is left empty instead.
  ///
  /// - Throws: ``ProjectingError`` with `damaged` if the file ends within a row.
  private mutating func fill(_ count: Int) throws {
    let rest = filled - offset
    if count > buffer.count {
      buffer.append(contentsOf: repeatElement(0, count: count - buffer.count))
    }
    let from = offset
    unsafe buffer.withUnsafeMutableBytes { room in
      guard let base = room.baseAddress, rest > 0 else { return }
      unsafe memmove(base, base + from, rest)
    }
    offset = 0
    filled = rest
    while filled < count, next < end {
      let room = min(buffer.count - filled, end - next)
      let got = try file.read(room, at: next, into: &buffer, from: filled)
      if got == 0 { break }
      next += got
      filled += got
    }
    if filled < count, filled > 0 || next < end {
      throw ProjectingError(.damaged, "A temporary file for sorting ended early. Rebuild again.")
    }
  }
}
