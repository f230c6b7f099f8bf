extension String {
  /// The text with the signs that the command itself sets in plain ASCII: `...` for `…`, `"` for `“`.
  ///
  /// Letters stay as they are, whatever script they are of: what people wrote is not ours to change.
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
