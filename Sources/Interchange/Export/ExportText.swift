import Foundation

/// Collects text and hands it on in pieces, so that an export of any size needs little memory.
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
struct WholeFile {
  private let path: String
  private let partial: String
  let handle: FileHandle

  init(_ path: String) throws(InterchangeError) {
    self.path = path
    partial = path + ".partial"
    guard FileManager.default.createFile(atPath: partial, contents: nil),
      let handle = FileHandle(forWritingAtPath: partial)
    else {
      throw InterchangeError(
        .file, "The file cannot be written.", remedy: "Check the folder and its permissions.",
        path: path)
    }
    self.handle = handle
  }

  func finish() throws {
    try handle.synchronize()
    try handle.close()
    let manager = FileManager.default
    if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
    try manager.moveItem(atPath: partial, toPath: path)
  }

  func abandon() {
    // The export has failed already; a partial file that stays is only untidy.
    try? handle.close()
    try? FileManager.default.removeItem(atPath: partial)
  }
}
