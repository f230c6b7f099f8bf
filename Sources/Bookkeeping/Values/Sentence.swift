extension String {
  /// The text as a message quotes it: its beginning, where it is long.
  ///
  /// Counted by Unicode scalars, since a single character may have any number of them.
  package var excerpt: String {
    let most = 60
    guard let end = unicodeScalars.index(startIndex, offsetBy: most, limitedBy: endIndex),
      end != endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }

  /// The text as a sentence of its own: it begins large and has an end.
  ///
  /// Reasons of the domain begin small and end open, so that they can stand within a sentence.
  package var asSentence: String { (prefix(1).uppercased() + dropFirst()).ended }

  /// The text with a full stop, unless it has an end already.
  package var ended: String {
    last.map { ".!?:…".contains($0) } ?? true ? self : self + "."
  }
}
