import Bookkeeping

/// The lines of a row's note, within what a ledger takes.
package struct NoteLines: Sendable {
  private var bytes: [UInt8] = []
  private var isFull = false

  package init() {}

  /// The lines so far, with line ends between them.
  package var text: String { bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self) }

  /// Adds a line of a label and a text, where there is a text.
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

  /// A text that is not too long for its place; of one that is too long the whole is a line of the note.
  package mutating func fitting(_ whole: String, _ byteCount: Int) -> String {
    guard whole.utf8.count > byteCount else { return whole }
    add("", whole)
    return NoteLines.prefix(of: whole, byteCount: byteCount)
  }

  /// As many characters of a text as fit.
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
