import Daybook

/// A piece of a page.
///
/// It is written as a text in the source. What is put into it with `\(…)` is escaped, unless it is a piece of a
/// page itself: so a payee cannot become markup, wherever it stands.
///
/// ```swift
/// let row: HTML = "<tr><td>\(transaction.payee)</td></tr>"
/// ```
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init() { text = "" }
  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  /// A piece from elsewhere that has seen to its escaping itself, such as a chart.
  init(unescaped text: String) { self.text = text }

  var isEmpty: Bool { text.isEmpty }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ value: UInt64) { text += String(value) }
    mutating func appendInterpolation(_ day: Day) { text += day.description }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { text += piece.text }
    }
  }

  /// A text in which nothing is markup, in an attribute's quotes too.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x26, 0x27, 0x3C, 0x3E].contains($0) }) else {
      return text
    }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      switch byte {
      case 0x22: escaped += Array("&quot;".utf8)
      case 0x26: escaped += Array("&amp;".utf8)
      case 0x27: escaped += Array("&#39;".utf8)
      case 0x3C: escaped += Array("&lt;".utf8)
      case 0x3E: escaped += Array("&gt;".utf8)
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
