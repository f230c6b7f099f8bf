internal import DaybookEngine

/// The ledger as of one commit; all queries of a snapshot see the same history.
///
/// A snapshot exists only inside ``Ledger/read(_:)`` and can't be copied or stored. Queries never
/// read the clock: `today` and other days are always parameters. Ranges are half-open.
///
/// ## Which transactions count
///
/// The figures for income, expenses, transfers and categories include postings dated up to and
/// including `today`. Later transactions are planned (``planned(in:today:)``). Balances depend only
/// on the account and the day. The built-in equity accounts are excluded from all lists, net worth
/// and totals.
///
/// ## Errors
///
/// Every method can throw if the views can't be read. Outside the closure, the error is a
/// ``DaybookError`` with the code `notReady`, `projectionUnavailable`, `damaged` or `system`.
/// Methods that throw ``DaybookError`` for other reasons document them.
public struct Snapshot: ~Copyable {
  let view: View
  let cache: SnapshotCache

  /// The token of the commit that this snapshot shows.
  public var token: Token { view.token }

  init(_ view: consuming View, cache: SnapshotCache) {
    self.view = view
    self.cache = cache
  }
}

extension Snapshot {
  /// Passes a view of all projections' tables, including the app's own, to `body`.
  ///
  /// The view shows the ledger as of the snapshot's commit.
  ///
  /// ```swift
  /// let streaks = try ledger.read { snapshot in
  ///   try snapshot.withView { view in try Streaks.longest(in: view) }
  /// }
  /// ```
  ///
  /// - Throws: Any error that `body` throws.
  public func withView<Result: ~Copyable>(_ body: (borrowing View) throws -> Result) throws
    -> Result
  {
    try body(view)
  }

  /// Returns one entity, decoded.
  func entity<Entity: LedgerEntity>(_ type: Entity.Type, _ id: EntityID) throws -> Entity? {
    guard let stored = try view.entity(Entity.kind, id) else { return nil }
    return try Entity(record: stored.record, id: stored.id, number: stored.number)
  }

  /// Returns whether an entity exists in the current state.
  func has(_ kind: EntityKind, _ id: EntityID) throws -> Bool { try view.entity(kind, id) != nil }

  /// Returns all entities of a kind in the order in which they were recorded.
  func entities<Entity: LedgerEntity>(_ type: Entity.Type) throws -> [Entity] {
    var found: [Entity] = []
    try view.forEachEntity(Entity.kind) { position, id, record in
      found.append(try Entity(record, id: id, number: position.number))
      return true
    }
    return found
  }

  /// Throws if a number is negative.
  static func check(_ count: Int, _ what: String) throws(DaybookError) {
    guard count < 0 else { return }
    throw DaybookError(
      code: .invalidQuery, message: "\(what) is \(count), but must be 0 or more.",
      remedy: "Pass 0 or more.")
  }

  /// Throws if the number of rows or points is negative or exceeds its limit.
  static func check(_ count: Int, _ limit: Int, _ what: String) throws(DaybookError) {
    guard count >= 0, count <= limit else {
      throw DaybookError(
        code: .invalidQuery, message: "\(what) is \(count), but must be from 0 to \(limit).",
        remedy: "Request less at a time.")
    }
  }
}
