/// A change of one entity, as stored in the journal.
///
/// It contains only the properties that differ.
public struct JournalChange: Hashable, Sendable {
  /// The operation on an entity.
  public enum Operation: UInt8, Hashable, Sendable {
    /// The entity was created.
    case insert = 1
    /// Some properties of the entity changed.
    case update = 2
    /// The entity was deleted.
    case delete = 3
  }

  /// The kind of the entity.
  public var kind: EntityKind
  /// The id of the entity.
  public var id: EntityID
  /// The recording number of the entity.
  public var number: UInt64
  /// The operation.
  public var operation: Operation
  /// The properties that differ, in ascending order of tags.
  public var properties: [PropertyChange]
  /// Whether personal text in this change has been erased.
  public var isErased: Bool

  /// Creates a change.
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

/// The values of a property before and after a change.
public struct PropertyChange: Hashable, Sendable {
  /// The tag of the property.
  public var tag: UInt8
  /// The encoded value before the change; `nil` if the property had its default value or the entity
  /// didn't exist.
  public var before: [UInt8]?
  /// The encoded value after the change; `nil` if the property has its default value or the entity
  /// was deleted.
  public var after: [UInt8]?
  /// Whether the values have been erased.
  public var isErased: Bool

  /// Creates a property change.
  @inlinable
  public init(tag: UInt8, before: [UInt8]?, after: [UInt8]?, isErased: Bool = false) {
    self.tag = tag
    self.before = before
    self.after = after
    self.isErased = isErased
  }
}
