import Daybook

/// What `--json` writes: content in the JSON form of `Docs/JSON.md`, and beside it the names of the ids
/// in it.
struct JSONAnswer: Sendable {
  private let content: any Encodable & Sendable
  private let names: Names?

  /// - Parameter names: The names of what the content has ids of; nothing where it has none.
  init(_ content: some Encodable & Sendable, _ names: Names? = nil) {
    self.content = content
    self.names = names
  }

  /// The answer as a value.
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
  /// Calls back with every text that is no name of a member.
  fileprivate func forEachText(_ body: (String) -> Void) {
    switch self {
    case .null, .bool, .int: break
    case .string(let text): body(text)
    case .array(let values): for value in values { value.forEachText(body) }
    case .object(let members): for member in members { member.value.forEachText(body) }
    }
  }
}

/// The members of two values in one object.
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

/// An object whose members have names that are not known before, in the order of these.
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
