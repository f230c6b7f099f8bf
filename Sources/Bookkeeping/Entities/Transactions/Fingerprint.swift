public import Entities

/// How many rows were imported with certain values and then changed or deleted.
///
/// An imported row that still looks as it did needs none: its present values say what was imported. Of a row
/// that had a reference of its own and was deleted, one under the row's id remembers that too.
public struct Fingerprint: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The fingerprint itself: 128 bits over the values as imported.
  public var id: EntityID
  /// How many rows imported with it, without a reference, have been changed since and are still there.
  public var changed: Int64
  /// How many rows imported with it, without a reference, have been deleted since.
  public var deleted: Int64
  /// How many rows imported with it and a reference have been changed since and are still there.
  public var changedReferenced: Int64
  /// How many rows imported with it and a reference have been deleted since.
  public var deletedReferenced: Int64

  /// The id, untyped.
  public var entityID: EntityID { id }
  /// What fingerprints are in the journal: kind 10.
  public static var kind: EntityKind { .fingerprint }
}

extension Fingerprint {
  /// A counted fingerprint.
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

  /// A fingerprint that counts nothing.
  public static let blank = Fingerprint(id: EntityID(high: 0, low: 0))

  /// The table of properties.
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
