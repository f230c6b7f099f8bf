extension String {
  /// The text with the symbols that the command uses in ASCII, such as `...` for `…` and `"` for
  /// `“`.
  ///
  /// Letters of other scripts are unchanged, because they are part of the user's data.
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
