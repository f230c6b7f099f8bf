import Bookkeeping

/// The lines of a row's note, within what a ledger takes.
struct NoteLines {
  /// The lines so far, with line ends between them.
  private(set) var text = ""
  private var isFull = false

  init() {}

  /// Adds a line of a label and a text, where there is a text and the line is not there yet.
  mutating func add(_ label: StaticString, _ line: String) {
    guard !line.isEmpty, !isFull else { return }
    let room = Limits.noteByteCountMax - text.utf8.count - label.utf8CodeUnitCount - 1
    guard room > 0 else {
      isFull = true
      return
    }
    if !text.isEmpty { text += "\n" }
    text += label.description
    if line.utf8.count > room {
      text += NoteLines.prefix(of: line, byteCount: room)
      isFull = true
    } else {
      text += line
    }
  }

  /// A text that is not too long for its place; of one that is too long the whole is a line of the note.
  mutating func fitting(_ whole: String, _ byteCount: Int) -> String {
    guard whole.utf8.count > byteCount else { return whole }
    add("", whole)
    return NoteLines.prefix(of: whole, byteCount: byteCount)
  }

  /// As many characters of a text as fit.
  static func prefix(of text: String, byteCount: Int) -> String {
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
