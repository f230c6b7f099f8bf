/// A text that is looked for in others, folded as names are: trimmed, white space as one space, and
/// without regard to case.
///
/// Characters are compared, not bytes: an accent is part of its letter.
struct WantedText {
  private let text: String
  private let ascii: [UInt8]?

  init(_ text: String) {
    self.text = Folding.key(text)
    ascii = self.text.utf8.allSatisfy { $0 < 0x80 } ? Array(self.text.utf8) : nil
  }

  /// Whether there is nothing to look for.
  var isEmpty: Bool { text.isEmpty }

  /// Whether another text holds this one.
  func isIn(_ other: String) -> Bool {
    let folded = Folding.key(other)
    let bytes = Array(folded.utf8)
    // In ASCII every byte is a character.
    guard let ascii, bytes.allSatisfy({ $0 < 0x80 }) else { return folded.contains(text) }
    return WantedText.find(ascii, in: bytes)
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
    let last = bytes.count - wanted.count
    guard last >= 0 else { return false }
    for start in 0...last {
      var length = 0
      while length < wanted.count, bytes[start + length] == wanted[length] { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }
}
