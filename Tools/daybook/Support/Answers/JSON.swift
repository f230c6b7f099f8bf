/// What `--json` writes: values with their members in a fixed order.
///
/// Amounts are text (`"1234.56"`), since a reader of JSON may take numbers for floating point.
indirect enum JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  case null
  case bool(Bool)
  case int(Int64)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
  /// Text that is JSON already.
  case raw(String)

  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int64) { self = .int(value) }

  /// A text, or `null`.
  static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// A count.
  static func count(_ number: some BinaryInteger) -> JSON { .int(Int64(clamping: number)) }

  /// The text, indented by two spaces a level.
  var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  /// The text in one line.
  var line: String {
    var text = ""
    writeLine(to: &text)
    return text
  }

  private func writeLine(to text: inout String) {
    switch self {
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.writeLine(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.0, to: &text)
        text += ":"
        member.1.writeLine(to: &text)
      }
      text += "}"
    case .raw(let value): text += value.split(separator: "\n").joined(separator: " ")
    default: write(to: &text, indent: "")
    }
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .string(let value): Self.write(value, to: &text)
    case .raw(let value):
      text += value.split(separator: "\n").joined(separator: "\n" + indent)
    case .array(let values):
      Self.write(values.map { (nil, $0) }, "[", "]", to: &text, indent)
    case .object(let members):
      Self.write(members.map { ($0.0, $0.1) }, "{", "}", to: &text, indent)
    }
  }

  private static func write(
    _ members: [(String?, JSON)], _ open: String, _ close: String, to text: inout String,
    _ indent: String
  ) {
    text += open
    let inner = indent + "  "
    for (index, member) in members.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + inner
      if let name = member.0 {
        write(name, to: &text)
        text += ": "
      }
      member.1.write(to: &text, indent: inner)
    }
    text += members.isEmpty ? close : "\n" + indent + close
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          let hex = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
