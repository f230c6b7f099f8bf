public import Entities

/// An entity of the ledger, whose properties are said once, in ``visit(_:)``.
///
/// Its record and its reading, the names that history shows, what is personal, what is searched and its
/// JSON follow from that one table (see `PropertyVisitor`).
public protocol LedgerEntity: Hashable, Sendable, Codable {
  /// Which kind it is in the journal.
  static var kind: EntityKind { get }
  /// Its id, untyped.
  var entityID: EntityID { get }
  /// Its recording number: counted per kind, fixed when it was first committed. 0 before that.
  var number: UInt64 { get }
  /// One that says nothing: what a reader visits to make another of.
  static var blank: Self { get }

  /// The table of properties: hands each to the visitor, tags ascending, and makes the entity of the
  /// answers.
  ///
  /// The entity is made by its memberwise initialiser with all labels written out, so that a stored
  /// property without a line here does not compile.
  ///
  /// - Throws: what the visitor throws: `DecodingFault` where a record is damaged.
  @inline(__always)
  @_lifetime(p: copy p)
  func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(_ p: inout V) throws(V.Failure) -> Self

  /// Reads the properties of a packed record.
  ///
  /// - Throws: `DecodingFault` where the record is damaged or has a property this version does not
  ///   know, which reading and writing back would lose.
  init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault)

  /// The properties packed; those that have their default are left out.
  func record() -> Record
}

/// Goes over the properties of an entity: takes each one's value, and gives the value that the entity
/// which is made shall have.
public protocol PropertyVisitor: ~Copyable, ~Escapable {
  /// Why a visit ends early; `Never` for those that only look.
  associatedtype Failure: Error
  /// The id of the entity that is made.
  var id: EntityID { get }
  /// The recording number of the entity that is made.
  var number: UInt64 { get }

  /// One property: its tag on disk, its name, its value, how that is coded, and what else is said of it.
  @_lifetime(self: copy self)
  mutating func callAsFunction<C: PropertyCoding>(
    _ tag: UInt8, _ name: StaticString, _ value: C.Value, _ coding: C, _ traits: PropertyTraits
  ) throws(Failure) -> C.Value

  /// Refuses properties that do not go together: readers throw, all others go on.
  func refuse(_ reason: StaticString) throws(Failure)
}

extension PropertyVisitor where Self: ~Copyable & ~Escapable {
  /// Goes on.
  @inline(__always)
  public func refuse(_ reason: StaticString) throws(Failure) {}
}

/// What is said of a property besides its tag, name, value and coding.
public struct PropertyTraits: Sendable {
  /// Whether it may name a person or say what one did: it then enters the chain as a salted digest only,
  /// so that it can be erased.
  public private(set) var isPersonal = false
  /// Whether a search for a text looks at it.
  public private(set) var isSearched = false
  /// Whether it is what people call the entity by.
  public private(set) var isName = false
  /// Whether JSON leaves it out, because another property says it there.
  public private(set) var isOutsideJSON = false
  /// The member in JSON, where it is called otherwise than the property.
  public private(set) var jsonName: StaticString?
  /// The tag of the register it is merged in, which is that of another property; 0 where it is one by
  /// itself, as most are (`PropertyDescription.register`).
  public private(set) var register: UInt8 = 0
  /// The version of the kind that brought it.
  public private(set) var since: UInt8 = 1

  /// Nothing more to say.
  @inline(__always)
  public static var plain: PropertyTraits { PropertyTraits() }
  /// It may name a person, and is not searched.
  @inline(__always)
  public static var personal: PropertyTraits { with { $0.isPersonal = true } }
  /// It may name a person, and a search looks at it.
  @inline(__always)
  public static var searched: PropertyTraits {
    with {
      $0.isPersonal = true
      $0.isSearched = true
    }
  }
  /// It may name a person, and is what people call the entity by.
  @inline(__always)
  public static var name: PropertyTraits {
    with {
      $0.isPersonal = true
      $0.isName = true
    }
  }
  /// It is called this in JSON.
  @inline(__always)
  public static func json(_ name: StaticString) -> PropertyTraits { with { $0.jsonName = name } }

  /// The same, called otherwise in JSON.
  @inline(__always)
  public func json(_ name: StaticString) -> PropertyTraits { with { $0.jsonName = name } }
  /// The same, in the register of the property with a tag, which says the same tag, or none.
  ///
  /// Of what two devices wrote, one value of all these wins together, since parts of both would not fit.
  @inline(__always)
  public func register(_ tag: UInt8) -> PropertyTraits { with { $0.register = tag } }
  /// The same, from a version of the kind on.
  @inline(__always)
  public func since(_ version: UInt8) -> PropertyTraits { with { $0.since = version } }
  /// The same, left out of JSON.
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
