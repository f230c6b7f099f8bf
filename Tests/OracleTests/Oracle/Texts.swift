/// Goal: texts that people take for the same, a second time. Method: the standard library compares
/// them, character by character.

/// What names and texts are compared by.
func fold(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ").lowercased()
}

/// Whether one text is part of another, whatever their case: an accent is part of its letter.
func holds(_ text: String, _ part: String) -> Bool {
  let all = Array(fold(text))
  let wanted = Array(fold(part))
  guard wanted.count <= all.count else { return false }
  return (0...(all.count - wanted.count)).contains { Array(all[$0..<$0 + wanted.count]) == wanted }
}
