/// A JSON value that preserves the order of members.
///
/// Use ``init(_:)`` to convert any of Daybook's `Codable` values. The forms are described in
/// `Docs/JSON.md`. There are no floating-point numbers: amounts are strings.
public indirect enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object with its members in order.
  case object([Member])

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name, unescaped.
    public var name: String
    /// The member's value.
    public var value: JSONValue

    /// Creates a member.
    ///
    /// Names should be unique within an object.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value on one line, without spaces.
  public var line: String { text(nil) }

  /// The value with one member per line, indented by two spaces per level.
  public var indented: String { text(0) }

  private func text(_ level: Int?) -> String {
    var text = JSONText()
    write(to: &text, level)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private func write(to text: inout JSONText, _ level: Int?) {
    switch self {
    case .null: text.null()
    case .bool(let value): text.flag(value)
    case .int(let value): text.number(value)
    case .string(let value): text.text(value)
    case .array(let values):
      Self.write(values, isObject: false, to: &text, level) { $1.write(to: &$0, $2) }
    case .object(let members):
      Self.write(members, isObject: true, to: &text, level) { text, member, level in
        text.name(member.name)
        if level != nil { text.blank() }
        member.value.write(to: &text, level)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], isObject: Bool, to text: inout JSONText, _ level: Int?,
    _ body: (inout JSONText, Element, Int?) -> Void
  ) {
    text.open(isObject: isObject)
    let inner = level.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text.separate() }
      if let inner { text.newLine(inner) }
      body(&text, element, inner)
    }
    if let level, !elements.isEmpty { text.newLine(level) }
    text.close(isObject: isObject)
  }
}
