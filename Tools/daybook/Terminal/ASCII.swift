extension String {
  /// The text with the command's own symbols in ASCII, such as `...` for `…` and `"` for `“`.
  ///
  /// Letters of any script stay unchanged, because they belong to the user's data.
  package var inASCII: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let plain = Self.plain[scalar] {
        result.append(contentsOf: plain.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static let plain: [Unicode.Scalar: String] = [
    "…": "...", "“": "\"", "”": "\"", "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-", "─": "-",
    "→": "->", "·": ".", "×": "x", "÷": "/", "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#",
    "▍": "#", "▎": "#",
    "▏": "#", "━": "=", "┈": ".", "\u{FFFD}": "?",
  ]
}
