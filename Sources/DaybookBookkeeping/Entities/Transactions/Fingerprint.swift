public import DaybookEntities

/// Counts of the rows that were imported with certain values and then changed or deleted.
///
/// An imported row with unchanged values needs no fingerprint, because its current values identify
/// it. A fingerprint whose id is a transaction's id marks that transaction as deleted or skipped, so
/// that it isn't created again. If it counts as changed instead, the row is recorded as a
/// transaction with another id: a pending one that the row settled.
public struct Fingerprint: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The 128-bit fingerprint of the imported values, or the id of a deleted or skipped transaction.
  public var id: EntityID
  /// The number of rows imported without a reference that were changed and still exist.
  public var changed: Int64
  /// The number of rows imported without a reference that were deleted.
  public var deleted: Int64
  /// The number of rows imported with a reference that were changed and still exist.
  public var changedReferenced: Int64
  /// The number of rows imported with a reference that were deleted.
  public var deletedReferenced: Int64

  /// The untyped id.
  public var entityID: EntityID { id }
  /// The kind of fingerprints in the journal: 10.
  public static var kind: EntityKind { .fingerprint }
}

extension Fingerprint {
  /// Creates a fingerprint with its counts.
  public init(
    id: EntityID, number: UInt64 = 0, changed: Int64 = 0, deleted: Int64 = 0,
    changedReferenced: Int64 = 0, deletedReferenced: Int64 = 0
  ) {
    self.id = id
    self.number = number
    self.changed = changed
    self.deleted = deleted
    self.changedReferenced = changedReferenced
    self.deletedReferenced = deletedReferenced
  }

  /// A fingerprint whose counts are zero.
  public static let blank = Fingerprint(id: EntityID(high: 0, low: 0))

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Fingerprint {
    Fingerprint.init(number:id:changed:deleted:changedReferenced:deletedReferenced:)(
      p.number, p.id,
      try p(1, "changed", changed, .number, .plain),
      try p(2, "deleted", deleted, .number, .plain),
      try p(3, "changedReferenced", changedReferenced, .number, .plain.since(2)),
      try p(4, "deletedReferenced", deletedReferenced, .number, .plain.since(2)))
  }
}
