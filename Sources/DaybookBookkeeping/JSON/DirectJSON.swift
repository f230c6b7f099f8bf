import DaybookEntities

/// A value that writes its JSON text directly; used for values that occur often in lists.
///
/// The text must be the same as that produced by `encode(to:)` through the containers of
/// `Encodable`.
protocol DirectJSON {
  func write(to json: inout JSONText)
}

extension String: DirectJSON {
  func write(to json: inout JSONText) { json.text(self) }
}

extension EntityID: DirectJSON {
  func write(to json: inout JSONText) { json.text(description) }
}

extension Identifier: DirectJSON {
  func write(to json: inout JSONText) { rawValue.write(to: &json) }
}

extension Day: DirectJSON {
  func write(to json: inout JSONText) { json.text(description) }
}

extension TransactionType: DirectJSON {
  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, "\($0)") })
  func write(to json: inout JSONText) { json.text(Self.names[rawValue] ?? "\(self)") }
}

extension Status: DirectJSON {
  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, "\($0)") })
  func write(to json: inout JSONText) { json.text(Self.names[rawValue] ?? "\(self)") }
}

extension Currency: DirectJSON {
  func write(to json: inout JSONText) {
    guard Currency.iso(code) != self else { return json.text(code) }
    json.open(isObject: true)
    json.member("code", code)
    json.separate()
    json.name("digits")
    json.number(Int64(digits))
    json.close(isObject: true)
  }
}

extension Posting: DirectJSON {
  func write(to json: inout JSONText) {
    json.open(isObject: true)
    switch account {
    case .account(let id): json.member("account", id)
    case .category(let id): json.member("category", id)
    }
    json.separate()
    json.member("amount", amount.text)
    json.separate()
    json.member("currency", amount.currency)
    if !note.isEmpty {
      json.separate()
      json.member("note", note)
    }
    json.close(isObject: true)
  }
}

extension SharedList: DirectJSON where Element: DirectJSON {
  func write(to json: inout JSONText) { json.array(self) }
}

extension Array: DirectJSON where Element: DirectJSON {
  func write(to json: inout JSONText) { json.array(self) }
}

extension Optional: DirectJSON where Wrapped: DirectJSON {
  func write(to json: inout JSONText) { if let self { self.write(to: &json) } else { json.null() } }
}

extension JSONText {
  fileprivate mutating func member(_ name: StaticString, _ value: some DirectJSON) {
    self.name(name)
    value.write(to: &self)
  }

  fileprivate mutating func array<Values: Collection>(_ values: Values)
  where Values.Element: DirectJSON {
    open(isObject: false)
    var isFirst = true
    for value in values {
      if !isFirst { separate() }
      isFirst = false
      value.write(to: &self)
    }
    close(isObject: false)
  }
}

/// Writes the members of an entity as JSON text.
///
/// Values that aren't `DirectJSON` use their `encode(to:)`.
struct DirectEncoding: PropertyVisitor {
  typealias Failure = any Error
  let writer: JSONWriter<JSONText>
  /// The number of containers around the members.
  let depth: Int
  var id: EntityID { EntityID(high: 0, low: 0) }
  var number: UInt64 { 0 }

  /// Opens the object of a value, unless it is already open.
  init(_ place: JSONPlace<JSONText>) {
    writer = place.writer
    depth = place.depth + 1
    writer.open(isObject: true, at: place.depth)
  }

  /// Writes a member.
  func member(_ name: StaticString, _ value: some Encodable) throws {
    writer.begin(at: depth, static: name)
    if let direct = value as? any DirectJSON {
      writer.write(direct, at: depth)
    } else {
      try writer.put(value)
    }
  }

  @inline(never)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws -> C.Value {
    if !traits.isOutsideJSON, !C.isLeftOutOfJSON(value) {
      try member(traits.jsonName ?? name, value)
    }
    return C.blank
  }
}
