/// A change of one entity, with its complete records before and after.
///
/// An insertion has no `before`, and a deletion has no `after`. The journal stores only the
/// properties that differ.
public struct Change: Hashable, Sendable {
  /// The kind of the entity.
  public var kind: EntityKind
  /// The id of the entity.
  public var id: EntityID
  /// The recording number.
  ///
  /// Numbers are counted from 1 for each kind, assigned when an entity is first committed, and
  /// never changed.
  public var number: UInt64
  /// The record before the change; `nil` if the entity didn't exist.
  public var before: Record?
  /// The record after the change; `nil` if the entity was deleted.
  public var after: Record?

  /// Creates a change.
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
