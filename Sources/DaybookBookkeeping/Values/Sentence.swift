extension String {
  /// The text as quoted in messages; a long text is cut off.
  ///
  /// The limit counts Unicode scalars, because a single character can have any number of them.
  package var excerpt: String {
    let most = 60
    guard let end = unicodeScalars.index(startIndex, offsetBy: most, limitedBy: endIndex),
      end != endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }

  /// The text as a sentence, with a capital letter and a full stop.
  ///
  /// Error messages of this module start in lowercase and have no full stop, so that they can be
  /// part of a longer sentence.
  package var asSentence: String { (prefix(1).uppercased() + dropFirst()).ended }

  /// The text with a full stop, unless it already ends with punctuation.
  package var ended: String {
    last.map { ".!?:…".contains($0) } ?? true ? self : self + "."
  }
}
