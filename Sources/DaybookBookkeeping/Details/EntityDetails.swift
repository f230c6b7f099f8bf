import DaybookEntities

/// The details of an entity: the properties that commands set and amend one by one.
///
/// Each is stated once, as a property of this type with a line in the entity's table
/// (``LedgerEntity/visit(_:)``). The command that creates an entity stores its details, and the
/// command that amends it stores a ``DetailsChange``. Limits, merging and the JSON of both commands
/// follow from the table.
public protocol EntityDetails: Hashable, Sendable, Codable {
  /// The entity that has these details.
  associatedtype Entity: LedgerEntity & Detailed where Entity.Details == Self
}

/// An entity or a command that has an entity's details as its own members.
@dynamicMemberLookup
public protocol Detailed {
  /// The type of the details.
  associatedtype Details: EntityDetails
  /// The details.
  var details: Details { get set }
}

extension Detailed {
  /// One of the details.
  @inlinable
  @inline(__always)
  public subscript<Value>(dynamicMember property: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: property] }
    set { details[keyPath: property] = newValue }
  }
}

extension EntityDetails {
  /// The details of an entity with default values.
  static var blank: Self { Entity.blank.details }

  /// Visits the details in the order of the entity's table.
  func visit<V: PropertyVisitor>(_ p: inout V) throws(V.Failure) -> Self {
    var entity = Entity.blank
    entity.details = self
    return try entity.visit(&p).details
  }
}

/// Visits the details of an entity and leaves its other properties unchanged.
protocol DetailVisitor: PropertyVisitor {
  associatedtype Details: EntityDetails

  /// Visits a detail; the returned value replaces it.
  mutating func property<C: PropertyCoding>(
    _ line: PropertyLine, _ path: WritableKeyPath<Details, C.Value>, _ value: C.Value,
    _ coding: C.Type
  ) throws(Failure) -> C.Value
}

/// A line of a property table, without the value.
struct PropertyLine {
  let tag: UInt8
  let name: StaticString
  let traits: PropertyTraits

  /// The name of the property in JSON.
  var jsonName: StaticString { traits.jsonName ?? name }
  /// The name of the property in messages.
  var label: String { traits.label.map { "\($0)" } ?? PropertyDescription.words("\(name)") }
}

extension DetailVisitor {
  var id: EntityID { EntityID(high: 0, low: 0) }
  var number: UInt64 { 0 }

  @inline(__always)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value { value }

  @inline(__always)
  mutating func callAsFunction<Visited: EntityDetails, C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ path: WritableKeyPath<Visited, C.Value>,
    _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value {
    precondition(Visited.self == Details.self, "the visitor belongs to the table of another entity")
    // A checked cast would hide from the optimiser that this is the path of a stored property.
    let ownPath = unsafeDowncast(path, to: WritableKeyPath<Details, C.Value>.self)
    return try property(
      PropertyLine(tag: tag, name: name, traits: traits), ownPath, value, C.self)
  }
}
