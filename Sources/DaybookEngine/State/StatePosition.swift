public import DaybookEntities

/// An entity as stored in State.
public struct StoredEntity: Hashable, Sendable {
  /// The entity's id.
  public let id: EntityID
  /// The entity's recording number.
  public let number: UInt64
  /// The entity's properties.
  public let record: Record

  /// Creates an entity as stored in State.
  @inlinable
  public init(id: EntityID, number: UInt64, record: Record) {
    self.id = id
    self.number = number
    self.record = record
  }
}

/// The position of an entity's row: the rows of a kind are ordered by cluster, then by number.
public struct StatePosition: Hashable, Comparable, Sendable {
  /// The value of the kind's cluster property, or 0 if the kind has none.
  public var cluster: UInt32
  /// The recording number.
  public var number: UInt64

  /// Creates a position.
  @inlinable
  public init(cluster: UInt32, number: UInt64) {
    self.cluster = cluster
    self.number = number
  }

  /// A position after every position that can occur; numbers have at most 40 bits.
  public static let greatest = StatePosition(cluster: .max, number: 0xff_ffff_ffff)

  /// Orders positions by cluster, then by number.
  @inlinable
  public static func < (left: StatePosition, right: StatePosition) -> Bool {
    left.cluster != right.cluster ? left.cluster < right.cluster : left.number < right.number
  }
}
