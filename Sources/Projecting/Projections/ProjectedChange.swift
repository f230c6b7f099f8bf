public import Entities

/// One entity before and after a change, as a projection sees it.
public struct ProjectedChange {
  /// What sort of entity.
  public let kind: EntityKind
  /// Which entity.
  public let id: EntityID
  /// Its recording number.
  public let number: UInt64
  /// Its record before the change, or `nil` where it did not exist.
  public let before: Record?
  /// Its record after the change, or `nil` where it is gone.
  public let after: Record?
  /// What those that were told of the change before have read out of it, where there are several.
  public let memo: ChangeMemo?

  /// A change as a projection sees it.
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

/// Keeps what one projection has read out of a change for those that are told of it next, so that what many
/// need is read once.
///
/// Whoever tells projections keeps one, and begins it anew for each change. What is kept is an object that
/// stays from change to change, and knows by ``ordinal`` whether what it holds is of this one. Not
/// `Sendable`: all are told on one thread.
public final class ChangeMemo {
  /// Another number for each change.
  public private(set) var ordinal: UInt64 = 0
  @usableFromInline var kept: AnyObject?

  /// Keeps nothing yet.
  public init() {}

  /// What is kept is of another change from now on.
  public func begin() { ordinal &+= 1 }

  /// The object of a class that is kept, made where there is none.
  @inlinable
  public func object<Kept: AnyObject>(_ make: () -> Kept) -> Kept {
    if let kept = kept as? Kept { return kept }
    let made = make()
    kept = made
    return made
  }
}
