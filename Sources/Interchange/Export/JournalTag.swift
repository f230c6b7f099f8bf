/// A label as a tag that both programs read, each on a line of its own.
///
/// A label that is one word of letters, digits and `-_./#+` is a tag of that name: `trip:`. One with a colon
/// behind such a word is a tag with a value: `who: me`. Any other is the value of a tag called `tag`:
/// `tag: summer trip`. What would end the value there, or begin something else
/// in it, is written as in a web address, so that every label can be had back: `%2C` is a comma.
enum JournalTag {
  /// The comment that holds a label.
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

  // `date` and `date2` say when something was; `tag` alone is a label that has no value.
  private static func isName(_ label: String) -> Bool {
    !label.isEmpty && label != "date" && label != "date2"
      && label.allSatisfy { $0.isLetter || $0.isNumber || "-_./#+".contains($0) }
  }

  private static func value(_ label: String) -> String {
    let scalars = Array(label.unicodeScalars)
    var value = ""
    for (place, scalar) in scalars.enumerated() {
      let isBlank = scalar.properties.isWhitespace
      // Only single blanks inside survive as they are.
      let isKept =
        scalar == " " && place > 0 && place < scalars.count - 1 && scalars[place - 1] != " "
      if isBlank ? isKept : !",;:[]|%".unicodeScalars.contains(scalar) && scalar.value >= 0x20 {
        value.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          let digits = String(byte, radix: 16, uppercase: true)
          value += "%" + (digits.count < 2 ? "0" : "") + digits
        }
      }
    }
    return value
  }
}
