public import DaybookEntities

/// The properties of a kind of entity that the journal and the engine need.
public struct KindDefinition: Sendable {
  /// The kind's number in stored data.
  public var kind: EntityKind
  /// The kind's name in messages.
  public var name: String
  /// The tags of properties with personal text, such as names, descriptions and notes.
  ///
  /// The hash chain covers only a salted digest of these properties, so that they can be erased.
  public var personalTags: TagSet
  /// The tag of the cluster property: the rows of State are ordered by it first, and then by
  /// number.
  ///
  /// Its value has four bytes and is compared as a big-endian number.
  public var clusterTag: UInt8?
  /// The version in which this process writes the kind's properties; it can read this version and
  /// all earlier ones.
  public var newestVersion: UInt8
  /// The recording number of the kind's first entity, if lower numbers are reserved for other
  /// purposes.
  public var firstNumber: UInt64

  /// Creates the definition of a kind.
  public init(
    kind: EntityKind, name: String, personalTags: TagSet = [], clusterTag: UInt8? = nil,
    newestVersion: UInt8 = 1, firstNumber: UInt64 = 1
  ) {
    self.kind = kind
    self.name = name
    self.personalTags = personalTags
    self.clusterTag = clusterTag
    self.newestVersion = newestVersion
    self.firstNumber = firstNumber
  }
}

/// A set of property tags, as 256 bits.
public struct TagSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var fourth: UInt64 = 0

  /// Creates a set of tags.
  public init(arrayLiteral tags: UInt8...) { self.init(tags) }

  /// Creates a set of tags.
  public init(_ tags: some Sequence<UInt8>) {
    for tag in tags { insert(tag) }
  }

  /// Whether the set is empty.
  @inline(__always)
  public var isEmpty: Bool { first | second | third | fourth == 0 }

  /// Adds a tag.
  public mutating func insert(_ tag: UInt8) {
    let bit = UInt64(1) << UInt64(tag & 63)
    switch tag >> 6 {
    case 0: first |= bit
    case 1: second |= bit
    case 2: third |= bit
    default: fourth |= bit
    }
  }

  /// Returns whether the set contains a tag.
  @inline(__always)
  public func contains(_ tag: UInt8) -> Bool {
    let word =
      switch tag >> 6 {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    return word >> UInt64(tag & 63) & 1 == 1
  }

  /// The tags in ascending order.
  public var tags: [UInt8] {
    var tags: [UInt8] = []
    for (base, word) in [(0 as UInt8, first), (64, second), (128, third), (192, fourth)] {
      var rest = word
      while rest != 0 {
        tags.append(base + UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return tags
  }
}

/// The kinds of entities that a process supports.
public struct Schema: Sendable {
  private let definitions: [KindDefinition?]

  /// Creates a schema.
  ///
  /// - Precondition: No two kinds have the same number. No kind has version 0, or number 0, which
  ///   is reserved for the journal.
  public init(_ kinds: [KindDefinition]) {
    var definitions = [KindDefinition?](repeating: nil, count: 256)
    for definition in kinds {
      let number = Int(definition.kind.rawValue)
      precondition(number != 0, "kind 0 belongs to the journal: give “\(definition.name)” another")
      precondition(definition.newestVersion != 0, "versions of a kind begin at 1")
      precondition(
        definitions[number] == nil,
        "kind \(number) is defined twice: give “\(definition.name)” another number")
      definitions[number] = definition
    }
    definitions[0] = PurgeRecord.definition
    self.definitions = definitions
  }

  /// The kinds in ascending order of their numbers, without the journal's own kind.
  public var kinds: [KindDefinition] { definitions.dropFirst().compactMap { $0 } }

  /// The definition of a kind, or `nil` if the schema doesn't contain the kind.
  public subscript(kind: EntityKind) -> KindDefinition? { definitions[Int(kind.rawValue)] }

  /// Returns a schema with additional kinds.
  public func adding(_ more: [KindDefinition]) -> Schema { Schema(kinds + more) }
}
