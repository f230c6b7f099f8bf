internal import DaybookJournal

// JSON forms of history, as described in Docs/JSON.md.

extension HistoryEntry: Codable {
  private enum Key: String, CodingKey {
    case sequence, time, author, source, erased, reversal, changes, changeCount, token, renumbered
    case idempotencyKey, requestDigest, clock, replica, originSequence, link
  }

  /// Encodes the commit's metadata and changes; `time` is a UTC time.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(header.sequence, forKey: .sequence)
    try container.encode(Moment(microseconds: header.wallMicroseconds), forKey: .time)
    try container.encodeIfPresent(header.author, forKey: .author)
    if !header.source.isEmpty { try container.encode(header.source, forKey: .source) }
    if header.isErased { try container.encode(true, forKey: .erased) }
    // This member is derived from the idempotency key or request digest, and isn't decoded.
    try container.encodeIfPresent(reversal, forKey: .reversal)
    try container.encode(changes, forKey: .changes)
    if !renumbered.isEmpty { try container.encode(renumbered, forKey: .renumbered) }
    try container.encode(header.changeCount, forKey: .changeCount)
    try container.encode(token, forKey: .token)
    try container.encodeIfPresent(
      header.idempotencyKey.map { KeyText($0) }, forKey: .idempotencyKey)
    try container.encodeIfPresent(
      header.requestDigest.map { Hexadecimal($0.bytes) }, forKey: .requestDigest)
    try container.encode(Hexadecimal(header.hlc), forKey: .clock)
    try container.encode(Hexadecimal(header.replica), forKey: .replica)
    try container.encode(header.originSequence, forKey: .originSequence)
    try container.encode(Hexadecimal(header.link.bytes), forKey: .link)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func number(_ key: Key) throws -> UInt64 {
      let bytes = try container.decode(Hexadecimal.self, forKey: key).bytes
      guard bytes.count == 8 else { throw container.noDigits(16, key) }
      return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
    func hash(_ key: Key) throws -> Hash256? {
      guard let bytes = try container.decodeIfPresent(Hexadecimal.self, forKey: key)?.bytes else {
        return nil
      }
      guard let hash = Hash256(bytes) else { throw container.noDigits(64, key) }
      return hash
    }
    guard let link = try hash(.link) else { throw container.noDigits(64, .link) }
    let header = CommitHeader(
      sequence: try container.decode(UInt64.self, forKey: .sequence),
      wallMicroseconds: try container.decode(Moment.self, forKey: .time).microseconds,
      hlc: try number(.clock), author: try container.decodeIfPresent(String.self, forKey: .author),
      source: try container.decodeIfPresent(String.self, forKey: .source) ?? "",
      replica: try number(.replica),
      originSequence: try container.decode(UInt64.self, forKey: .originSequence),
      idempotencyKey: try container.decodeIfPresent(KeyText.self, forKey: .idempotencyKey)?.bytes,
      requestDigest: try hash(.requestDigest),
      isErased: try container.decodeIfPresent(Bool.self, forKey: .erased) ?? false,
      changeCount: try container.decode(Int.self, forKey: .changeCount), link: link)
    self.init(
      header, try container.decode([RecordedChange].self, forKey: .changes),
      try container.decode(Token.self, forKey: .token),
      renumbered: try container.decodeIfPresent([RenumberedEntity].self, forKey: .renumbered) ?? [])
  }
}

extension RecordedChange: Codable {
  private enum Key: String, CodingKey {
    case operation, kind, id, number, erased, properties, purgedThrough, erasedEntity
    case acceptedLoss
  }

  private static let operations: [(operation: Operation, name: String)] = [
    (.insert, "insert"), (.update, "update"), (.delete, "delete"),
  ]

  /// Encodes the operation, the entity, and the changed members under `properties`.
  ///
  /// Each changed member has its values before and after the change.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("\(operation)", forKey: .operation)
    try container.encode(kind, forKey: .kind)
    try container.encode(id, forKey: .id)
    try container.encode(stored.number, forKey: .number)
    if stored.isErased { try container.encode(true, forKey: .erased) }
    // These members are derived from the properties of Daybook's own records, and aren't decoded.
    try container.encodeIfPresent(purgedThrough, forKey: .purgedThrough)
    try container.encodeIfPresent(erasedEntity, forKey: .erasedEntity)
    try container.encodeIfPresent(acceptedLoss, forKey: .acceptedLoss)
    var properties = container.nestedContainer(keyedBy: MemberName.self, forKey: .properties)
    for property in stored.properties {
      let key = MemberName(kind, property.tag)
      var sides = properties.nestedContainer(keyedBy: SideKey.self, forKey: key)
      try sides.put(property.before, .before, kind.property(property.tag))
      try sides.put(property.after, .after, kind.property(property.tag))
      if property.isErased { try sides.encode(true, forKey: .erased) }
    }
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let kind = try container.decode(EntityKind.self, forKey: .kind)
    let name = try container.decode(String.self, forKey: .operation)
    guard let operation = Self.operations.first(where: { $0.name == name })?.operation else {
      throw DecodingError.dataCorruptedError(
        forKey: .operation, in: container,
        debugDescription: "“\(name.excerpt)” isn't “insert”, “update” or “delete”")
    }
    let members = try container.nestedContainer(keyedBy: MemberName.self, forKey: .properties)
    var properties: [PropertyChange] = []
    for key in members.allKeys {
      guard let tag = key.tag(of: kind) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: members,
          debugDescription: "“\(key.stringValue.excerpt)” isn't a property of a \(kind.name)")
      }
      let sides = try members.nestedContainer(keyedBy: SideKey.self, forKey: key)
      properties.append(
        PropertyChange(
          tag: tag, before: try sides.bytes(.before, kind.property(tag)),
          after: try sides.bytes(.after, kind.property(tag)),
          isErased: try sides.decodeIfPresent(Bool.self, forKey: .erased) ?? false))
    }
    self.init(
      JournalChange(
        kind: kind, id: try container.decode(EntityID.self, forKey: .id),
        number: try container.decode(UInt64.self, forKey: .number), operation: operation,
        properties: properties.sorted { $0.tag < $1.tag },
        isErased: try container.decodeIfPresent(Bool.self, forKey: .erased) ?? false))
  }
}

/// The members of a changed property.
private enum SideKey: String, CodingKey { case before, after, erased }

extension KeyedEncodingContainer<SideKey> {
  /// Encodes a value in the same form as in the entity; uninterpretable bytes are encoded as
  /// hexadecimal digits.
  fileprivate mutating func put(
    _ bytes: [UInt8]?, _ key: SideKey, _ property: PropertyDescription?
  ) throws {
    guard let bytes else { return }
    if let value = property?.apart(bytes) {
      try encode(value, forKey: key)
    } else {
      try encode(RawValue(hex: Hexadecimal(bytes)), forKey: key)
    }
  }
}

extension KeyedDecodingContainer<SideKey> {
  /// Decodes the bytes of a value; returns `nil` if the member is missing.
  fileprivate func bytes(_ key: SideKey, _ property: PropertyDescription?) throws -> [UInt8]? {
    guard contains(key) else { return nil }
    if let raw = try? decode(RawValue.self, forKey: key) { return raw.hex.bytes }
    guard let property else { return try decode(RawValue.self, forKey: key).hex.bytes }
    return try property.bytes(from: superDecoder(forKey: key))
  }
}

// A property has the same name as its JSON member. Properties without a JSON member and unknown
// properties have other names.
extension MemberName {
  fileprivate init(_ kind: EntityKind, _ tag: UInt8) {
    self.init(stringValue: kind.property(tag)?.jsonName ?? kind.propertyName(tag))
  }

  fileprivate func tag(of kind: EntityKind) -> UInt8? {
    let properties = KindDescription.of(kind)?.properties ?? []
    if let found = properties.first(where: { ($0.jsonName ?? $0.name) == stringValue }) {
      return found.tag
    }
    return stringValue.hasPrefix("property ") ? UInt8(stringValue.dropFirst(9)) : nil
  }
}
