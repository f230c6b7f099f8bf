public import DaybookEntities

/// A change of one entity, as passed to a projection.
public struct ProjectedChange {
  /// The entity's kind.
  public let kind: EntityKind
  /// The entity's id.
  public let id: EntityID
  /// The entity's recording number.
  public let number: UInt64
  /// The record before the change, or `nil` if the entity didn't exist.
  public let before: Record?
  /// The record after the change, or `nil` if the entity was deleted.
  public let after: Record?
  /// A cache shared by the projections that receive the change, or `nil` if there is none.
  public let memo: ChangeMemo?

  /// Creates a change.
  @inlinable
  public init(
    kind: EntityKind, id: EntityID, number: UInt64, before: Record?, after: Record?,
    memo: ChangeMemo? = nil
  ) {
    self.kind = kind
    self.id = id
    self.number = number
    self.before = before
    self.after = after
    self.memo = memo
  }
}

/// A cache shared by the projections that receive a change, so that each value is decoded only
/// once.
///
/// The code that calls the projections owns the memo and calls ``begin()`` for each change. The
/// cached object persists across changes, so it stores the ``ordinal`` of the change that its
/// values belong to, and can tell when they are outdated. Not `Sendable`: all of these projections
/// run on one thread.
public final class ChangeMemo {
  /// A number that is different for each change.
  public private(set) var ordinal: UInt64 = 0
  @usableFromInline var kept: AnyObject?

  /// Creates an empty cache.
  public init() {}

  /// Begins a new change; values cached earlier become outdated.
  public func begin() { ordinal &+= 1 }

  /// Returns the cached object of this class, creating it if there is none.
  @inlinable
  public func object<Kept: AnyObject>(_ make: () -> Kept) -> Kept {
    if let kept = kept as? Kept { return kept }
    let made = make()
    kept = made
    return made
  }
}
