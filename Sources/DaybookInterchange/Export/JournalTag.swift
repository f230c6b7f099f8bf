import DaybookEntities

/// Writes labels as tags that both programs read, one per line.
///
/// - A label that consists of letters, digits and `-_./#+` is a tag: `trip:`.
/// - A label with a colon after such a word is a tag with a value: `who: me`.
/// - Any other label is the value of a tag named `tag`: `tag: summer trip`. Characters that would
///   end the value or have a special meaning are percent-encoded, so that every label can be
///   restored. For example, `%2C` is a comma.
enum JournalTag {
  /// Returns the comment for a label.
  static func comment(_ label: String) -> String {
    if isName(label) { return "\(label):" }
    if let colon = label.firstIndex(of: ":") {
      let (name, rest) = (String(label[..<colon]), String(label[label.index(after: colon)...]))
      let plain = rest.replacing(":", with: "")
      if isName(name), name != "tag", !plain.isEmpty, value(plain) == plain, !rest.hasPrefix(":"),
        !rest.hasPrefix(" "), !rest.hasSuffix(" ")
      {
        return "\(name): \(rest)"
      }
    }
    return "tag: \(value(label))"
  }

  // `date` and `date2` are reserved for dates. `tag` without a value is an ordinary label.
  private static func isName(_ label: String) -> Bool {
    !label.isEmpty && label != "date" && label != "date2"
      && label.allSatisfy { $0.isLetter || $0.isNumber || "-_./#+".contains($0) }
  }

  private static func value(_ label: String) -> String {
    let scalars = Array(label.unicodeScalars)
    var value = ""
    for (place, scalar) in scalars.enumerated() {
      let isBlank = scalar.properties.isWhitespace
      // The programs preserve only single spaces within a value.
      let isKept =
        scalar == " " && place > 0 && place < scalars.count - 1 && scalars[place - 1] != " "
      if isBlank ? isKept : !",;:[]|%".unicodeScalars.contains(scalar) && scalar.value >= 0x20 {
        value.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 { value += "%" + hexText([byte]).uppercased() }
      }
    }
    return value
  }
}
