import DaybookBookkeeping

/// A builder for the note of a row that keeps it within the ledger's length limit.
package struct NoteLines: Sendable {
  private var bytes: [UInt8] = []
  private var isFull = false

  package init() {}

  /// The lines so far, joined with newlines.
  package var text: String { bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self) }

  /// Adds a line that consists of a label and a text.
  ///
  /// Does nothing if the text is empty. If the line doesn't fit, it is truncated and any further
  /// lines are dropped.
  package mutating func add(_ label: StaticString, _ line: String) {
    guard !line.isEmpty, !isFull else { return }
    let room = Limits.noteByteCountMax - bytes.count - label.utf8CodeUnitCount - 1
    guard room > 0 else {
      isFull = true
      return
    }
    if bytes.isEmpty { bytes.reserveCapacity(128) } else { bytes.append(0x0A) }
    label.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    if line.utf8.count > room {
      bytes.append(contentsOf: NoteLines.prefix(of: line, byteCount: room).utf8)
      isFull = true
    } else {
      bytes.append(contentsOf: line.utf8)
    }
  }

  /// Returns a text truncated to `byteCount` bytes.
  ///
  /// If it had to be truncated, the full text is added as a line of the note.
  package mutating func fitting(_ whole: String, _ byteCount: Int) -> String {
    guard whole.utf8.count > byteCount else { return whole }
    add("", whole)
    return NoteLines.prefix(of: whole, byteCount: byteCount)
  }

  /// Returns as many characters of a text as fit into `byteCount` bytes of UTF-8.
  package static func prefix(of text: String, byteCount: Int) -> String {
    var count = 0
    var end = text.startIndex
    for character in text {
      count += character.utf8.count
      if count > byteCount { break }
      end = text.index(after: end)
    }
    return String(text[..<end])
  }
}
