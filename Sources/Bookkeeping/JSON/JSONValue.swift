/// A value in JSON, its members in the order in which they were put.
///
/// Everything that is `Codable` in Daybook becomes one by ``init(_:)``; `Docs/JSON.md` has the forms.
/// There is no floating point in it: amounts are texts.
public indirect enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// A text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members in the order in which they are written.
  case object([Member])

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name, unescaped.
    public var name: String
    /// What stands after the colon.
    public var value: JSONValue

    /// A value under a name; an object is to have each name once.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value on one line, without blanks.
  public var line: String {
    var text = ""
    write(to: &text, nil)
    return text
  }

  /// The value indented by two spaces a level, a member on each line.
  public var indented: String {
    var text = ""
    write(to: &text, 0)
    return text
  }

  private func write(to text: inout String, _ level: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .string(let value): Self.quote(value, into: &text)
    case .array(let values):
      Self.write(values, "[", "]", to: &text, level) { $1.write(to: &$0, $2) }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, level) { text, member, level in
        Self.quote(member.name, into: &text)
        text += level == nil ? ":" : ": "
        member.value.write(to: &text, level)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String, _ level: Int?,
    _ body: (inout String, Element, Int?) -> Void
  ) {
    text += open
    let inner = level.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { newLine(inner, in: &text) }
      body(&text, element, inner)
    }
    if let level, !elements.isEmpty { newLine(level, in: &text) }
    text += close
  }

  private static func newLine(_ level: Int, in text: inout String) {
    text += "\n" + String(repeating: "  ", count: level)
  }

  private static func quote(_ value: String, into text: inout String) {
    text += "\""
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) {
      text += value
    } else {
      for scalar in value.unicodeScalars { quote(scalar, into: &text) }
    }
    text += "\""
  }

  private static func quote(_ scalar: Unicode.Scalar, into text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where scalar.value < 0x20 || scalar.value == 0x7F:
      let hex = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: text.unicodeScalars.append(scalar)
    }
  }
}
