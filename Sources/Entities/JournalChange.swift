/// What a commit did to one entity, as the journal keeps it: only the properties that differ.
public struct JournalChange: Hashable, Sendable {
  /// What was done to an entity.
  public enum Operation: UInt8, Hashable, Sendable {
    /// It was not there before.
    case insert = 1
    /// Some of its properties are others.
    case update = 2
    /// It is gone.
    case delete = 3
  }

  /// What sort of entity changed.
  public var kind: EntityKind
  /// Which one.
  public var id: EntityID
  /// Its recording number.
  public var number: UInt64
  /// What was done to it.
  public var operation: Operation
  /// The properties that differ, in ascending order of tags.
  public var properties: [PropertyChange]
  /// Whether personal text of this change has been erased.
  public var isErased: Bool

  /// A change with its parts.
  @inlinable
  public init(
    kind: EntityKind, id: EntityID, number: UInt64, operation: Operation,
    properties: [PropertyChange], isErased: Bool = false
  ) {
    self.kind = kind
    self.id = id
    self.number = number
    self.operation = operation
    self.properties = properties
    self.isErased = isErased
  }
}

/// One property before and after.
public struct PropertyChange: Hashable, Sendable {
  /// Which property it is.
  public var tag: UInt8
  /// Its encoded value before, or `nil` where it had its default value or the entity was not there.
  public var before: [UInt8]?
  /// Its encoded value after, or `nil` where it has its default value or the entity is gone.
  public var after: [UInt8]?
  /// Whether the values were there and have been erased.
  public var isErased: Bool

  /// A property with its values.
  @inlinable
  public init(tag: UInt8, before: [UInt8]?, after: [UInt8]?, isErased: Bool = false) {
    self.tag = tag
    self.before = before
    self.after = after
    self.isErased = isErased
  }
}
