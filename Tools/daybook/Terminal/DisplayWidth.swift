/// The number of terminal columns that a text occupies.
///
/// Most scalars occupy one column, wide East Asian scalars and emoji occupy two, and combining
/// marks occupy none. The ranges are the classes W and F of Unicode's EastAsianWidth. Ambiguous
/// scalars count as narrow, as in terminals outside East Asia.
package enum DisplayWidth {
  /// The columns of a text, which should already be ``printable``.
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character.
  package static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar.value == 0xFE0F, width > 0 { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    if isWide(value) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // Hangul vowels and final consonants join the preceding syllable.
    if (0x1160...0x11FF).contains(value) { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F1E6...0x1F1FF, 0x20000...0x3FFFD:
      true
    default:
      false
    }
  }
}

extension String {
  /// The text as one line without terminal control codes.
  ///
  /// A bank's description may contain any characters. Line ends and tabs become spaces. All other
  /// control and direction-changing scalars become a visible `�`, so that a file can't move the
  /// cursor.
  package var printable: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var result = String.UnicodeScalarView()
    var skipsLineFeed = false
    for scalar in unicodeScalars {
      defer { skipsLineFeed = scalar == "\r" }
      switch scalar.value {
      case 0x0A where skipsLineFeed: continue
      case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: result.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The longest prefix that fits, with `…` in place of the removed text.
  package func truncated(to columns: Int, ellipsis: String = "…") -> String {
    if DisplayWidth.of(self) <= columns { return self }
    let mark = DisplayWidth.of(ellipsis)
    guard columns >= mark else { return String(repeating: ".", count: max(columns, 0)) }
    var result = ""
    var used = 0
    for character in self {
      let width = DisplayWidth.of(character)
      if used + width > columns - mark { break }
      used += width
      result.append(character)
    }
    return result + ellipsis
  }

  /// The text padded with spaces to a number of columns.
  package func padded(to columns: Int, right: Bool = false) -> String {
    let missing = columns - DisplayWidth.of(self)
    guard missing > 0 else { return self }
    let spaces = String(repeating: " ", count: missing)
    return right ? spaces + self : self + spaces
  }
}
