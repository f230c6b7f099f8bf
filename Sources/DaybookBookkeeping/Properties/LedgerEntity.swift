public import DaybookEntities

/// An entity of the ledger, which defines its properties once, in ``visit(_:)``.
///
/// This definition determines the record format, the JSON form, the names in the history, the
/// personal properties and the searched properties (see `PropertyVisitor`).
public protocol LedgerEntity: Hashable, Sendable, Codable {
  /// The kind of the entity in the journal.
  static var kind: EntityKind { get }
  /// The untyped id.
  var entityID: EntityID { get }
  /// The recording number, counted per kind and assigned by the first commit; 0 before it.
  var number: UInt64 { get }
  /// A blank entity, which readers visit to create other entities.
  static var blank: Self { get }

  /// Passes each property to the visitor, by ascending tag, and creates an entity from the results.
  ///
  /// The entity is created by its memberwise initializer with all labels written out, so that it is
  /// a compile-time error not to visit a stored property.
  ///
  /// - Throws: The visitor's error, such as `DecodingFault` if a record is damaged.
  @inline(__always)
  @_lifetime(p: copy p)
  func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(_ p: inout V) throws(V.Failure) -> Self

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` if the record is damaged, or has a property that this version
  ///   doesn't support and would lose when writing the record.
  init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault)

  /// Returns the packed properties, except those with their default value.
  func record() -> Record
}

/// A visitor of an entity's properties, which receives each value and returns the value for a new
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

  /// Visits one of the entity's details, which is also identified by its key path; see
  /// ``EntityDetails``.
  @_lifetime(self: copy self)
  mutating func callAsFunction<Details: EntityDetails, C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ path: WritableKeyPath<Details, C.Value>,
    _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value

  /// Rejects inconsistent properties; visitors that read a record or JSON throw, and other visitors
  /// continue.
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
  /// If so, the hash chain contains only a salted digest of it, so that it can be erased.
  public private(set) var isPersonal = false
  /// Whether text searches include the property.
  public private(set) var isSearched = false
  /// Whether the property is the entity's name.
  public private(set) var isName = false
  /// Whether JSON leaves the property out because another member contains it.
  public private(set) var isOutsideJSON = false
  /// The name of the member in JSON, if it differs from the property's name.
  public private(set) var jsonName: StaticString?
  /// The tag of the property whose register this property belongs to; 0 if it has its own register.
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
  /// Traits of a property that can contain personal data and isn't searched.
  @inline(__always)
  public static var personal: PropertyTraits { with { $0.isPersonal = true } }
  /// Traits of a property that can contain personal data and is searched.
  @inline(__always)
  public static var searched: PropertyTraits {
    with {
      $0.isPersonal = true
      $0.isSearched = true
    }
  }
  /// Traits of the property that is the entity's name, which can contain personal data.
  @inline(__always)
  public static var name: PropertyTraits {
    with {
      $0.isPersonal = true
      $0.isName = true
    }
  }
  /// Traits of a property with another name in JSON.
  @inline(__always)
  public static func json(_ name: StaticString) -> PropertyTraits { with { $0.jsonName = name } }

  /// Returns these traits with another name in JSON.
  @inline(__always)
  public func json(_ name: StaticString) -> PropertyTraits { with { $0.jsonName = name } }
  /// Returns these traits in the register of another property.
  ///
  /// The other property must have its own register. When two devices change a register, one value
  /// of the whole register wins, because parts of both would be inconsistent.
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
