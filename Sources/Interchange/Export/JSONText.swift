/// Builds one JSON object on one line, with its keys in the order they are given.
///
/// Absent values and empty texts and lists are left out.
struct JSONText {
  private(set) var text = "{"

  private mutating func key(_ name: StaticString) {
    if text.utf8.count > 1 { text += "," }
    text += "\"\(name)\":"
  }

  mutating func put(_ name: StaticString, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    key(name)
    Self.quote(value, into: &text)
  }

  mutating func put(_ name: StaticString, _ value: (some CustomStringConvertible)?) {
    if let value { put(name, value.description) }
  }

  mutating func put(_ name: StaticString, number: some BinaryInteger, unless standard: Int = 0) {
    guard number != standard else { return }
    key(name)
    text += String(number)
  }

  mutating func put(_ name: StaticString, flag: Bool) {
    guard flag else { return }
    key(name)
    text += "true"
  }

  mutating func put(_ name: StaticString, list: [String]) {
    guard !list.isEmpty else { return }
    key(name)
    text += "["
    for (index, value) in list.enumerated() {
      if index > 0 { text += "," }
      Self.quote(value, into: &text)
    }
    text += "]"
  }

  mutating func put(_ name: StaticString, objects: [JSONText]) {
    guard !objects.isEmpty else { return }
    key(name)
    text += "[" + objects.map(\.object).joined(separator: ",") + "]"
  }

  mutating func put(_ name: StaticString, object: JSONText) {
    key(name)
    text += object.object
  }

  var object: String { text + "}" }
  var line: String { text + "}\n" }

  private static func quote(_ value: String, into text: inout String) {
    text += "\""
    let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
    if isPlain {
      text += value
    } else {
      for scalar in value.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where scalar.value < 0x20:
          let hex = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
