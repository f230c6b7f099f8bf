/// Goal: texts that people take for the same, a second time. Method: the standard library compares
/// them, character by character; Foundation decomposes them.
import Foundation

/// What names and texts are compared by.
func fold(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ").lowercased()
}

/// What is typed for letters whose stroke or ligature is no mark to Unicode.
private let typed: [Unicode.Scalar: String] = [
  "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe",
]

/// A text without case, accents and what can't be seen; of the letters that scripts and samples here use.
func searched(_ text: String) -> [Unicode.Scalar] {
  let words = text.split { $0.isWhitespace }.joined(separator: " ")
  let plain = words.decomposedStringWithCanonicalMapping.uppercased().lowercased()
  let seen = plain.unicodeScalars.filter {
    !(0x300...0x36f).contains($0.value) && $0.value != 0xfe0f
  }
  return seen.flatMap { typed[$0].map { Array($0.unicodeScalars) } ?? [$0] }
}

/// Whether one text is part of another, whatever their case and accents.
func holds(_ text: String, _ part: String) -> Bool {
  let all = searched(text)
  let wanted = searched(part)
  guard wanted.count <= all.count else { return false }
  return (0...(all.count - wanted.count)).contains { Array(all[$0..<$0 + wanted.count]) == wanted }
}
