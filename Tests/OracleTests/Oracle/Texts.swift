/// Goal: texts that people take for the same, a second time. Method: the standard library compares
/// them; where parts are looked for, Foundation decomposes them.
import Foundation

/// What names and texts are compared by.
func fold(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ").lowercased()
}

/// Whether one text is part of another, whatever their case: an accent may be missing in the part.
func holds(_ text: String, _ part: String) -> Bool {
  let all = Array(fold(text).decomposedStringWithCanonicalMapping.unicodeScalars)
  let wanted = Array(fold(part).decomposedStringWithCanonicalMapping.unicodeScalars)
  return all.indices.contains { all[$0...].starts(with: wanted) }
}
