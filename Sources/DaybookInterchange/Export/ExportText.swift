import DaybookPlatform

/// A text buffer that is flushed in pieces, so that exports of any size need little memory.
struct ExportText {
  private var buffer: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void

  static let pieceByteCount = 65_536

  init(_ sink: @escaping ([UInt8]) throws -> Void) {
    self.sink = sink
    buffer.reserveCapacity(Self.pieceByteCount + 4_096)
  }

  mutating func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.pieceByteCount { try flush() }
  }

  mutating func flush() throws {
    if !buffer.isEmpty { try sink(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// A file that appears under its name only when it is complete.
final class WholeFile {
  private let path: String
  private let partial: String
  private let descriptor: Int32

  init(_ path: String) throws(InterchangeError) {
    self.path = path
    partial = path + ".partial"
    descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let code = errno
      throw InterchangeError(
        code == ENOSPC || code == EDQUOT ? .notWritten : .notMade,
        "Couldn't create the file: \(WholeFile.reason(code)).",
        remedy: "Choose a path in an existing, writable folder.", path: path)
    }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws {
    var count = 0
    while count < bytes.count {
      let put = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
        return writeFile(descriptor, rest.baseAddress, rest.count)
      }
      if put >= 0 { count += put } else if errno != EINTR { throw failure() }
    }
  }

  func finish() throws {
    guard fsync(descriptor) == 0 || errno == EINVAL, rename(partial, path) == 0 else {
      throw failure()
    }
  }

  func abandon() {
    // The export has already failed, so ignore an error while deleting the partial file.
    _ = unlink(partial)
  }

  private func failure() -> InterchangeError {
    InterchangeError(
      .notWritten, "Couldn't write the file: \(WholeFile.reason(errno)).",
      remedy: "Free some space, or write it somewhere else. The incomplete file was removed.",
      path: path)
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
