public import Entities

extension EntityKind: Codable {
  /// Writes the name, `"transaction"`; of a kind that the ledger does not have, `"kind 63"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Reads the name.
  ///
  /// - Throws: `DecodingError` where no kind has it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let kind = EntityKind(named: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(name.excerpt)” is no kind of entity")
    }
    self = kind
  }

  /// The kind of a name, as ``name`` gives it; `nil` where there is none.
  package init?(named name: String) {
    if name == EntityKind.dismissal.name {
      self = .dismissal
    } else if let known = KindDescription.all.first(where: { $0.name == name }) {
      self = known.kind
    } else if name.hasPrefix("kind "), let number = UInt8(name.dropFirst(5)) {
      self.init(rawValue: number)
    } else {
      return nil
    }
  }
}
