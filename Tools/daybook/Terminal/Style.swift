/// The style of a text; it has no effect if colour is off.
package enum Style: Sendable {
  case plain
  case bold
  case dim
  case red
  case green
  case yellow
  case cyan

  private var code: String? {
    switch self {
    case .plain: nil
    case .bold: "1"
    case .dim: "2"
    case .red: "31"
    case .green: "32"
    case .yellow: "33"
    case .cyan: "36"
    }
  }

  /// The text in escape sequences, or unchanged without colour.
  package func apply(to text: String, inColour: Bool) -> String {
    guard inColour, let code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
