import Daybook

/// The output of `--json`: content in the form described in `Docs/JSON.md`, with the names for its
/// ids.
struct JSONAnswer: Sendable {
  private let content: any Encodable & Sendable
  private let names: Names?

  /// Creates an answer.
  ///
  /// - Parameter names: The names for the ids in the content, or `nil` to leave names out.
  init(_ content: some Encodable & Sendable, _ names: Names? = nil) {
    self.content = content
    self.names = names
  }

  /// The answer as a JSON value.
  func value() throws -> JSONValue {
    let value = try JSONValue(content)
    guard case .object(let members) = value, let names else { return value }
    var seen: Set<String> = []
    var found: [JSONValue.Member] = []
    value.forEachText { text in
      guard text.utf8.count == 36, let id = EntityID(text), seen.insert(text).inserted,
        let name = names.name(of: id)
      else { return }
      found.append(.init(text, .string(name)))
    }
    if found.isEmpty { return value }
    return .object(members + [.init("names", .object(found))])
  }
}

extension JSONValue {
  /// Calls `body` with every string value, but not with member names.
  fileprivate func forEachText(_ body: (String) -> Void) {
    switch self {
    case .null, .bool, .int: break
    case .string(let text): body(text)
    case .array(let values): for value in values { value.forEachText(body) }
    case .object(let members): for member in members { member.value.forEachText(body) }
    }
  }
}

/// Encodes the members of two values as one object.
struct Joined<First: Encodable & Sendable, Second: Encodable & Sendable>: Encodable, Sendable {
  private let first: First
  private let second: Second

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  func encode(to encoder: any Encoder) throws {
    try first.encode(to: encoder)
    try second.encode(to: encoder)
  }
}

/// An object with dynamic member names, sorted by name.
struct SortedMembers<Value: Encodable & Sendable>: Encodable, Sendable {
  private let values: [String: Value]

  init(_ values: [String: Value]) { self.values = values }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: MemberName(stringValue: name))
    }
  }
}
