/// Texts in one: joined by a separator, which has a backslash before it inside of a text.
package enum EscapedList {
  /// The texts with a separator between them.
  package static func join(_ texts: [String], by separator: Character) -> String {
    texts.map { text in
      text.reduce(into: "") { escaped, character in
        if character == separator || character == "\\" { escaped.append("\\") }
        escaped.append(character)
      }
    }.joined(separator: String(separator))
  }

  /// The texts between the separators; none of an empty text.
  ///
  /// A backslash before anything but a separator or a backslash is itself: people write them too.
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
