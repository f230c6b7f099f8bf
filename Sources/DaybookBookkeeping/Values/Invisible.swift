import DaybookEntities

/// Invisible characters and characters that change the direction of text.
///
/// In names, such characters could make two different names look the same.
package enum Invisible {
  /// Returns the first of these characters in a text.
  ///
  /// Joiners and non-joiners (U+200C, U+200D), which Persian and emoji need, are allowed between
  /// two characters of which at least one is not ASCII. The tag characters in regional flags are
  /// also allowed.
  package static func first(in text: String) -> Unicode.Scalar? {
    // Fast path for nearly all names.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return nil }
    let scalars = Array(text.unicodeScalars)
    let hasFlag = scalars.contains { $0.value == 0x1F3F4 }
    for (index, scalar) in scalars.enumerated() where isInvisible(scalar) {
      let isTag = (0xE0020...0xE007F).contains(scalar.value)
      if isTag, hasFlag { continue }
      let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
      if isJoiner, index > 0, index + 1 < scalars.count,
        joins(scalars[index - 1]) || joins(scalars[index + 1])
      {
        continue
      }
      return scalar
    }
    return nil
  }

  /// Returns the name of a character for messages: `U+202E`.
  package static func code(of scalar: Unicode.Scalar) -> String {
    "U+" + hexText(scalar.value, digits: 4).uppercased()
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    // Hangul fillers and the Braille blank are categorised as letters and symbols.
    default: [0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0].contains(scalar.value)
    }
  }

  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x7F && !isInvisible(scalar)
  }
}
