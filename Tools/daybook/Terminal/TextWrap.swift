extension String {
  /// Returns the text as lines of at most `columns` columns, broken between words if possible.
  ///
  /// Colour escape sequences occupy no columns. Later lines have the indentation of the first line.
  /// A word that is wider than a whole line is broken between characters.
  package func wrapped(to columns: Int) -> [String] {
    guard columns < .max, DisplayWidth.ofPainted(self) > columns else { return [self] }
    let indent = String(prefix { $0 == " " }.prefix(max(columns / 2, 0)))
    var lines: [String] = []
    var line = indent
    var used = indent.count
    var isEmpty = true
    func end() {
      lines.append(line)
      line = indent
      used = indent.count
      isEmpty = true
    }
    var spaces = 0
    for word in drop(while: { $0 == " " }).split(separator: " ", omittingEmptySubsequences: false) {
      defer { spaces += 1 }
      if word.isEmpty { continue }
      let width = DisplayWidth.ofPainted(word)
      if !isEmpty {
        if used + spaces + width <= columns {
          line += String(repeating: " ", count: spaces)
          used += spaces
        } else {
          end()
        }
      }
      if isEmpty, used + width > columns {
        // Keep a word whole if it fits with less space before it.
        let spaces = max(columns - width, 0)
        if width <= columns {
          line = String(repeating: " ", count: spaces)
          used = spaces
        }
      }
      for piece in used + width > columns ? String(word).pieces() : [word] {
        let width = DisplayWidth.ofPainted(piece)
        if used + width > columns, !isEmpty { end() }
        line += piece
        used += width
        isEmpty = false
      }
      spaces = 0
    }
    if !isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// The width of the widest word.
  var widestWord: Int { split(separator: " ").map { DisplayWidth.ofPainted($0) }.max() ?? 0 }

  /// Returns the characters of a word; an escape sequence is one element.
  private func pieces() -> [Substring] {
    var pieces: [Substring] = []
    var rest = self[...]
    while let first = rest.first {
      let end =
        first == "\u{1B}" ? rest.firstIndex(of: "m") ?? rest.startIndex : rest.startIndex
      pieces.append(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return pieces
  }
}

extension DisplayWidth {
  /// Returns the columns of a text that may contain colour escape sequences.
  static func ofPainted(_ text: some StringProtocol) -> Int {
    guard text.utf8.contains(0x1B) else { return of(String(text)) }
    var width = 0
    var isInSequence = false
    for character in text {
      if character == "\u{1B}" {
        isInSequence = true
      } else if isInSequence {
        isInSequence = character != "m"
      } else {
        width += of(character)
      }
    }
    return width
  }
}

extension Terminal {
  /// A text as lines that fit the terminal, in symbols that it can show.
  package func prose(_ text: String) -> [String] {
    let text = isASCII ? text.inASCII : text
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      columns == nil ? [String($0)] : String($0).wrapped(to: max(columns ?? 1, 1))
    }
  }
}
