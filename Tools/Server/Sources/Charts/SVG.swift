/// A builder for SVG text.
///
/// All texts and attribute values are escaped. Coordinates have at most one decimal, so that equal
/// numbers produce equal text on every machine.
struct SVG {
  private(set) var text = ""

  /// Adds an empty element.
  mutating func add(_ name: String, _ attributes: [(String, String)]) {
    text += "<\(name)\(Self.attributes(attributes))/>"
  }

  /// Adds an element that contains text.
  mutating func add(_ name: String, _ attributes: [(String, String)], text contents: String) {
    text += "<\(name)\(Self.attributes(attributes))>\(Self.escaped(contents))</\(name)>"
  }

  /// Adds an element that contains the elements added by `body`.
  mutating func add(
    _ name: String, _ attributes: [(String, String)], _ body: (inout SVG) -> Void
  ) {
    var inner = SVG()
    body(&inner)
    text += "<\(name)\(Self.attributes(attributes))>\(inner.text)</\(name)>"
  }

  private static func attributes(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
  }

  /// Returns the text with markup characters escaped.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Formats a coordinate with one decimal, or none if the decimal is 0.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
