public import Entities

/// An entity as State keeps it.
public struct StoredEntity: Hashable, Sendable {
  /// Which entity.
  public let id: EntityID
  /// Its recording number.
  public let number: UInt64
  /// Its properties.
  public let record: Record

  /// An entity as State keeps it.
  @inlinable
  public init(id: EntityID, number: UInt64, record: Record) {
    self.id = id
    self.number = number
    self.record = record
  }
}

/// Where the row of an entity is: rows of a kind are ordered by cluster, then by number.
public struct StatePosition: Hashable, Comparable, Sendable {
  /// The value of the kind's cluster property, or 0 where the kind has none.
  public var cluster: UInt32
  /// The recording number.
  public var number: UInt64

  /// A position among the rows of a kind.
  @inlinable
  public init(cluster: UInt32, number: UInt64) {
    self.cluster = cluster
    self.number = number
  }

  /// Past every position that can occur: numbers have at most 40 bits.
  public static let greatest = StatePosition(cluster: .max, number: 0xff_ffff_ffff)

  /// Orders by cluster, then by number.
  @inlinable
  public static func < (left: StatePosition, right: StatePosition) -> Bool {
    left.cluster != right.cluster ? left.cluster < right.cluster : left.number < right.number
  }
}
