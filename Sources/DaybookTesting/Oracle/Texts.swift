/// Goal: reimplement the comparison of texts. Method: use the character-by-character comparison of
/// the standard library, and Foundation for decomposition.
import Foundation

/// Returns the form in which names and texts are compared.
func fold(_ text: String) -> String {
  text.split { $0.isWhitespace }.joined(separator: " ").lowercased()
}

/// The replacements for letters whose stroke or ligature isn't a combining mark in Unicode.
private let typed: [Unicode.Scalar: String] = [
  "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe",
]

/// Returns a text without case, accents and invisible characters.
///
/// It supports only the letters that scripts and samples use.
func searched(_ text: String) -> [Unicode.Scalar] {
  let words = text.split { $0.isWhitespace }.joined(separator: " ")
  let plain = words.decomposedStringWithCanonicalMapping.uppercased().lowercased()
  let seen = plain.unicodeScalars.filter {
    !(0x300...0x36f).contains($0.value) && $0.value != 0xfe0f
  }
  return seen.flatMap { typed[$0].map { Array($0.unicodeScalars) } ?? [$0] }
}

/// Returns whether a text contains another text, ignoring case and accents.
func holds(_ text: String, _ part: String) -> Bool {
  let all = searched(text)
  let wanted = searched(part)
  guard wanted.count <= all.count else { return false }
  return (0...(all.count - wanted.count)).contains { Array(all[$0..<$0 + wanted.count]) == wanted }
}
