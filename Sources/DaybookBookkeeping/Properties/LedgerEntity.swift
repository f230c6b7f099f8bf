public import DaybookEntities

/// An entity of the ledger, which defines its properties once, in ``visit(_:)``.
///
/// That one definition determines the record format, the JSON form, the names in the history, the
/// personal properties and the searched properties (see `PropertyVisitor`).
public protocol LedgerEntity: Hashable, Sendable, Codable {
  /// The kind of the entity in the journal.
  static var kind: EntityKind { get }
  /// The untyped id.
  var entityID: EntityID { get }
  /// The recording number, counted per kind and fixed by the first commit; 0 before that.
  var number: UInt64 { get }
  /// A blank entity, which a reader visits to create another one.
  static var blank: Self { get }

  /// Passes each property to the visitor, by ascending tag, and creates an entity from the results.
  ///
  /// The entity is created by its memberwise initializer with all labels written out, so that a
  /// stored property that isn't visited doesn't compile.
  ///
  /// - Throws: The visitor's error, such as `DecodingFault` if a record is damaged.
  @inline(__always)
  @_lifetime(p: copy p)
  func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(_ p: inout V) throws(V.Failure) -> Self

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` if the record is damaged, or has a property that this version
  ///   doesn't know and would lose when writing the record.
  init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault)

  /// Returns the packed properties, without those that have their default value.
  func record() -> Record
}

/// Visits the properties of an entity: receives each value and returns the value for the new
/// entity.
public protocol PropertyVisitor: ~Copyable, ~Escapable {
  /// The error that ends a visit; `Never` for visitors that only read the entity.
  associatedtype Failure: Error
  /// The id of the new entity.
  var id: EntityID { get }
  /// The recording number of the new entity.
  var number: UInt64 { get }

  /// Visits one property with its tag on disk, name, value, coding and other traits.
  @_lifetime(self: copy self)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value

  /// Visits one of the entity's details, given also by its key path; see ``EntityDetails``.
  @_lifetime(self: copy self)
  mutating func callAsFunction<Details: EntityDetails, C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ path: WritableKeyPath<Details, C.Value>,
    _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value

  /// Rejects inconsistent properties; visitors that read a record or JSON throw, others continue.
  func refuse(_ reason: StaticString) throws(Failure)
}

extension PropertyVisitor where Self: ~Copyable & ~Escapable {
  /// Continues the visit.
  @inline(__always)
  public func refuse(_ reason: StaticString) throws(Failure) {}

  /// Visits a detail like any other property.
  ///
  /// - Throws: The error that the visitor throws for the property.
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func callAsFunction<Details: EntityDetails, C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ path: WritableKeyPath<Details, C.Value>,
    _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value { try self(tag, name, value, coding, traits) }
}

/// The traits of a property other than its tag, name and coding.
public struct PropertyTraits: Sendable {
  /// Whether the property can contain personal data.
  ///
  /// It then enters the hash chain only as a salted digest, so that it can be erased.
  public private(set) var isPersonal = false
  /// Whether text searches include the property.
  public private(set) var isSearched = false
  /// Whether the property is the entity's name.
  public private(set) var isName = false
  /// Whether JSON leaves the property out because another member contains it.
  public private(set) var isOutsideJSON = false
  /// The name of the member in JSON, if it differs from the property's name.
  public private(set) var jsonName: StaticString?
  /// The tag of the property whose register this one belongs to; 0 for a register of its own.
  ///
  /// Most properties have their own register (`PropertyDescription.register`).
  public private(set) var register: UInt8 = 0
  /// The version of the kind that introduced the property.
  public private(set) var since: UInt8 = 1
  /// The maximum length of a text that a command sets, in bytes of UTF-8.
  public private(set) var byteCountMax = Limits.textByteCountMax
  /// The name in messages, if it differs from the words of the property's name.
  public private(set) var label: StaticString?

  /// No traits.
  @inline(__always)
  public static var plain: PropertyTraits { PropertyTraits() }
  /// Personal, and not searched.
  @inline(__always)
  public static var personal: PropertyTraits { with { $0.isPersonal = true } }
  /// Personal and searched.
  @inline(__always)
  public static var searched: PropertyTraits {
    with {
      $0.isPersonal = true
      $0.isSearched = true
    }
  }
  /// Personal, and the name of the entity.
  @inline(__always)
  public static var name: PropertyTraits {
    with {
      $0.isPersonal = true
      $0.isName = true
    }
  }
  /// Has another name in JSON.
  @inline(__always)
  public static func json(_ name: StaticString) -> PropertyTraits { with { $0.jsonName = name } }

  /// Returns these traits with another name in JSON.
  @inline(__always)
  public func json(_ name: StaticString) -> PropertyTraits { with { $0.jsonName = name } }
  /// Returns these traits in the register of another property.
  ///
  /// That property must name its own tag as its register, or none. When two devices change a
  /// register, one value of the whole register wins, because parts of both would be inconsistent.
  @inline(__always)
  public func register(_ tag: UInt8) -> PropertyTraits { with { $0.register = tag } }
  /// Returns these traits for a property introduced by a version of the kind.
  @inline(__always)
  public func since(_ version: UInt8) -> PropertyTraits { with { $0.since = version } }
  /// Returns these traits with a maximum length of the text, in bytes of UTF-8.
  @inline(__always)
  public func max(_ byteCount: Int) -> PropertyTraits { with { $0.byteCountMax = byteCount } }
  /// Returns a copy of these traits with a different name for the property in messages.
  @inline(__always)
  public func called(_ label: StaticString) -> PropertyTraits { with { $0.label = label } }
  /// Returns these traits, left out of JSON.
  @inline(__always)
  public var outsideJSON: PropertyTraits { with { $0.isOutsideJSON = true } }

  @inline(__always)
  private static func with(_ body: (inout PropertyTraits) -> Void) -> PropertyTraits {
    PropertyTraits().with(body)
  }
  @inline(__always)
  private func with(_ body: (inout PropertyTraits) -> Void) -> PropertyTraits {
    var copy = self
    body(&copy)
    return copy
  }
}
