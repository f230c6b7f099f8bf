import Daybook

/// What `--json` writes: figures in the JSON form of `Docs/JSON.md`, and names in place of ids.
typealias JSON = JSONValue

extension JSON {
  /// An object of members in their order.
  static func object(of members: [(String, JSON)]) -> JSON {
    .object(members.map { Member($0.0, $0.1) })
  }

  /// A value in its JSON form; what has none says why.
  static func form(_ value: some Encodable) -> JSON {
    do { return try JSON(value) } catch { return .string("\(error)") }
  }

  /// An object with further members; those of a name that it has take the place of the old ones.
  func adding(_ members: [(String, JSON)]) -> JSON {
    guard case .object(let own) = self else { return self }
    let names = members.map(\.0)
    return .object(own.filter { !names.contains($0.name) } + members.map { Member($0.0, $0.1) })
  }

  /// A text, or `null`.
  static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// A count.
  static func count(_ number: some BinaryInteger) -> JSON { .int(Int64(clamping: number)) }
}
