public import DaybookEntities

extension EntityKind: Codable {
  /// Writes the name, such as `"transaction"`; for an unknown kind, `"kind 63"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Reads the name.
  ///
  /// - Throws: `DecodingError` if no kind has the name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let kind = EntityKind(named: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(name.excerpt)” isn't a kind of entity")
    }
    self = kind
  }

  /// Creates the kind with the given ``name``, or returns `nil` if there is none.
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
