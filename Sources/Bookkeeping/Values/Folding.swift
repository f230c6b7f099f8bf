/// Makes texts comparable that people take for the same.
public enum Folding {
  /// What names are compared by: trimmed, inner white space as one space each, lowercase, and
  /// canonically decomposed (NFD), so that equal keys have equal bytes.
  public static func key(_ text: some StringProtocol) -> String {
    var folded = ""
    var pendingSpace = false
    for character in text {
      if character.isWhitespace {
        pendingSpace = !folded.isEmpty
        continue
      }
      if pendingSpace { folded.append(" ") }
      pendingSpace = false
      folded.append(character)
    }
    return folded.lowercased()
  }
}
