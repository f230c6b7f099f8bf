import DaybookEntities

/// The members of an entity in JSON: `id`, `number`, and each property that doesn't have its
/// default value.
extension LedgerEntity {
  /// Whether the id is derived from the properties, so that JSON can omit it.
  static var hasDerivedID: Bool { [.settings, .rate, .currency, .terms].contains(kind) }

  /// Whether a command can omit the id, so that the ledger generates one.
  private static var mayBeNew: Bool {
    [.budget, .series, .rule, .assertion, .mapping].contains(kind)
  }

  /// Writes the entity in the form described in `Docs/JSON.md`.
  public func encode(to encoder: any Encoder) throws {
    let isNew = Self.mayBeNew && entityID == Self.blank.entityID
    if let place = encoder as? JSONPlace<JSONText> {
      var p = DirectEncoding(place)
      if !Self.hasDerivedID, !isNew { try p.member("id", entityID) }
      if number != 0 { try p.member("number", number) }
      _ = try visit(&p)
      return
    }
    var p = JSONEncoding(json: encoder.container(keyedBy: MemberName.self))
    if !Self.hasDerivedID, !isNew { try p.json.encode(entityID, forKey: MemberName("id")) }
    if number != 0 { try p.json.encode(number, forKey: MemberName("number")) }
    _ = try visit(&p)
  }

  /// Reads an entity in the form described in `Docs/JSON.md`; missing members have default values.
  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: MemberName.self)
    let hasID = !Self.hasDerivedID && (!Self.mayBeNew || json.contains(MemberName("id")))
    let id =
      hasID ? try json.decode(EntityID.self, forKey: MemberName("id")) : Self.blank.entityID
    var p = JSONDecoding(
      json: json, id: id,
      number: try json.decodeIfPresent(UInt64.self, forKey: MemberName("number")) ?? 0)
    self = try Self.blank.visit(&p)
  }
}

private struct JSONEncoding: PropertyVisitor {
  typealias Failure = any Error
  var json: KeyedEncodingContainer<MemberName>
  var id: EntityID { EntityID(high: 0, low: 0) }
  var number: UInt64 { 0 }

  @inline(never)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws -> C.Value {
    if !traits.isOutsideJSON, !C.isLeftOutOfJSON(value) {
      try json.encode(value, forKey: MemberName(traits.jsonName ?? name))
    }
    return C.blank
  }
}

private struct JSONDecoding: PropertyVisitor {
  typealias Failure = any Error
  let json: KeyedDecodingContainer<MemberName>
  let id: EntityID
  let number: UInt64

  @inline(never)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws -> C.Value {
    if traits.isOutsideJSON { return C.blank }
    let key = MemberName(traits.jsonName ?? name)
    guard let absent = C.absent else { return try json.decode(C.Value.self, forKey: key) }
    return try json.decodeIfPresent(C.Value.self, forKey: key) ?? absent
  }

  func refuse(_ reason: StaticString) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: json.codingPath, debugDescription: "\(reason)"))
  }
}
