/// What happened to one entity: its whole record before and after.
///
/// An insertion has no `before`, a deletion no `after`. The journal keeps only the properties that
/// differ.
public struct Change: Hashable, Sendable {
  /// What sort of entity changed.
  public var kind: EntityKind
  /// Which one.
  public var id: EntityID
  /// The recording number: counted per kind from 1, given when the entity is first committed, and
  /// kept for ever.
  public var number: UInt64
  /// The record before, or `nil` where the entity did not exist.
  public var before: Record?
  /// The record after, or `nil` where the entity is gone.
  public var after: Record?

  /// A change of an entity.
  @inlinable
  public init(
    kind: EntityKind, id: EntityID, number: UInt64, before: Record?, after: Record?
  ) {
    self.kind = kind
    self.id = id
    self.number = number
    self.before = before
    self.after = after
  }
}
