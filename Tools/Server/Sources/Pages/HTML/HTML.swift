import Daybook

/// A fragment of a page.
///
/// Values interpolated with `\(…)` are escaped unless they are fragments, so a payee can never
/// become markup.
///
/// ```swift
/// let row: HTML = "<tr><td>\(transaction.payee)</td></tr>"
/// ```
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init() { text = "" }
  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  /// Creates a fragment from text that is already escaped, such as a chart.
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

  /// Returns the text with markup characters and quotes escaped.
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
