import DaybookEntities

// The JSON of details and their changes, as members of a command, derived from the entity's table.
//
// The order of the members never changes, because the digest of an idempotency key covers the text
// of its commands (`Docs/JSON.md`).

extension EntityDetails {
  /// Writes the details that don't have their default value, and always the name.
  public func encode(to encoder: any Encoder) throws { try encode(0..., to: encoder) }

  /// Writes the details whose tags are in a range.
  func encode(_ range: some RangeExpression<UInt8>, to encoder: any Encoder) throws {
    var encoding = DetailEncoding<Self>(encoder, TagBits(range), isChange: false)
    _ = try visit(&encoding)
  }

  /// Reads the form written by ``encode(to:)``; missing members get their default value.
  ///
  /// - Throws: `DecodingError` if the name is missing, or a member is invalid.
  public init(from decoder: any Decoder) throws {
    var decoding = DetailDecoding<Self>(json: try decoder.container(keyedBy: MemberName.self))
    self = try Self.blank.visit(&decoding)
  }
}

extension DetailsChange: Codable {
  /// Writes the members that change, flags last; `null` removes an optional detail.
  public func encode(to encoder: any Encoder) throws {
    for areFlags in [false, true] {
      var encoding = DetailEncoding<Entity.Details>(encoder, tags, isChange: true)
      encoding.areFlags = areFlags
      _ = try values.visit(&encoding)
    }
    var container = encoder.container(keyedBy: MemberName.self)
    try container.put(seen, MemberName("seen"))
  }

  /// Writes the changed members whose tags are in a range, without ``seen``.
  func encode(_ range: some RangeExpression<UInt8>, to encoder: any Encoder) throws {
    let tags = tags.intersection(TagBits(range))
    if tags.isEmpty { return }
    var encoding = DetailEncoding<Entity.Details>(encoder, tags, isChange: true)
    _ = try values.visit(&encoding)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    var decoding = ChangeDecoding<Entity.Details>(
      json: try decoder.container(keyedBy: MemberName.self))
    values = try Entity.Details.blank.visit(&decoding)
    tags = decoding.tags
    seen = try decoding.json.take(MemberName("seen"))
  }
}

/// Writes the details that have one of the given tags; outside of a change, not default values.
private struct DetailEncoding<Details: EntityDetails>: DetailVisitor {
  typealias Failure = any Error
  private enum Members {
    case direct(DirectEncoding)
    case encoded(KeyedEncodingContainer<MemberName>)
  }

  private var members: Members
  private let tags: TagBits
  private let isChange: Bool
  /// Whether to write only flags (`true`) or only other details (`false`); `nil` for both.
  var areFlags: Bool?

  init(_ encoder: any Encoder, _ tags: TagBits, isChange: Bool) {
    members =
      if let place = encoder as? JSONPlace<JSONText> {
        .direct(DirectEncoding(place))
      } else {
        .encoded(encoder.container(keyedBy: MemberName.self))
      }
    self.tags = tags
    self.isChange = isChange
  }

  @inline(__always)
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) throws -> C.Value {
    if tags.contains(line.tag), isChange || line.traits.isName || !C.isLeftOutOfJSON(value),
      areFlags.map({ (C.Value.self == Bool.self) == $0 }) ?? true
    {
      try write(line.jsonName, value)
    }
    return C.blank
  }

  @inline(never)
  private mutating func write(_ name: StaticString, _ value: some Encodable) throws {
    switch members {
    case .direct(let encoding): try encoding.member(name, value)
    case .encoded(var json): try json.encode(value, forKey: MemberName(name))
    }
  }
}

private struct DetailDecoding<Details: EntityDetails>: DetailVisitor {
  typealias Failure = any Error
  let json: KeyedDecodingContainer<MemberName>

  @inline(never)
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) throws -> C.Value {
    let member = MemberName(line.jsonName)
    guard let absent = C.absent, !line.traits.isName else {
      return try json.decode(C.Value.self, forKey: member)
    }
    return try json.decodeIfPresent(C.Value.self, forKey: member) ?? absent
  }
}

private struct ChangeDecoding<Details: EntityDetails>: DetailVisitor {
  typealias Failure = any Error
  let json: KeyedDecodingContainer<MemberName>
  var tags = TagBits()

  @inline(never)
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) throws -> C.Value {
    let member = MemberName(line.jsonName)
    guard json.contains(member) else { return value }
    if let given = try json.decodeIfPresent(C.Value.self, forKey: member) {
      tags.insert(line.tag)
      return given
    }
    // `null` removes an optional detail and leaves others unchanged.
    if C.Value.self is any OptionalValue.Type { tags.insert(line.tag) }
    return value
  }
}

/// The type of an optional value.
private protocol OptionalValue {}
extension Optional: OptionalValue {}
