/// Several texts joined by a separator; a backslash escapes a separator within a text.
package enum EscapedList {
  /// Joins texts with a separator.
  package static func join(_ texts: [String], by separator: Character) -> String {
    texts.map { text in
      text.reduce(into: "") { escaped, character in
        if character == separator || character == "\\" { escaped.append("\\") }
        escaped.append(character)
      }
    }.joined(separator: String(separator))
  }

  /// Splits a text at its separators; an empty text has no parts.
  ///
  /// A backslash before any character other than a separator or a backslash stands for itself,
  /// because people also type backslashes that escape nothing.
  package static func split(_ text: String, by separator: Character) -> [String] {
    guard !text.isEmpty else { return [] }
    var parts = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        if character != separator, character != "\\" { parts[parts.count - 1].append("\\") }
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == separator {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    if isEscaped { parts[parts.count - 1].append("\\") }
    return parts
  }
}
