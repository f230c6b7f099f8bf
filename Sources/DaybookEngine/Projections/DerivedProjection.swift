public import DaybookEntities

/// A projection that is derived from State and the tables of other projections instead of from
/// changes.
///
/// It is called once per batch, after State and its sources have been written, and reads the
/// differences of that batch. Its cost therefore grows with the number of changed rows in its
/// sources, not with the number of changes. It recomputes values from the totals in its sources,
/// never from entities.
///
/// **The law** (see ``Projection``) applies here too: the tables are a function of State and of the
/// sources' tables. A rebuild calls ``settle(_:to:)`` once, when the sources are complete. At that
/// time the tables are empty, every kind counts as changed, and there are no differences.
///
/// If a source is quarantined, the projections derived from it are quarantined too.
public protocol DerivedProjection: Projection {
  /// The projections that this projection reads; they must be registered before it.
  static var sources: [any Projection.Type] { get }

  /// Adds the difference of one batch to the tables.
  ///
  /// - Parameters:
  ///   - reading: State and the sources as of the end of the batch, and this projection's own
  ///     tables as of the start of the batch.
  ///   - tables: Receives the differences, which are written only if nothing throws.
  /// - Throws: Any error, which quarantines the projection, as in
  ///   ``Projection/apply(_:reading:to:)``.
  func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws
}

extension DerivedProjection {
  /// Does nothing; derived projections are updated by ``settle(_:to:)`` instead.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {}
}

/// Reads the results of a batch, for a derived projection.
///
/// A table is identified by its projection and its index in ``Projection/tables``. Calls must not
/// be nested: a call inside another call's closure throws.
public protocol SettledReading: AnyObject {
  /// Returns whether any entity of a kind was inserted, changed or deleted in the batch.
  func hasChanged(_ kind: EntityKind) -> Bool
  /// Calls `body` with every entity of a kind, ordered by cluster and number.
  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws
  /// Calls `body` with the difference of each row in a source's table of sums, in any order.
  ///
  /// The differences are the changes made by this batch, and may be 0.
  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void) throws
  /// Calls `body` with the rows of a table whose keys are in `from..<to`, until it returns `false`.
  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool) throws
  /// Calls `body` with the totals of a table whose keys are in `from..<to`, until it returns
  /// `false`.
  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool) throws
}

/// The error thrown when a derived projection can't be computed because a source is missing.
struct SourceMissing: Error, CustomStringConvertible {
  let source: String
  /// The reason why the source is quarantined, or `nil` if it isn't registered or built.
  let reason: String?
  /// Whether the source is registered but isn't built yet.
  let isAwaited: Bool

  var description: String {
    if let reason { return "it is derived from “\(source)”, which is set aside: \(reason)" }
    return isAwaited
      ? "it is derived from “\(source)”, which is not built"
      : "it is derived from “\(source)”, which is not registered before it"
  }
}

extension ViewsStore.Registered {
  /// Whether the projection is derived from others.
  var isDerived: Bool { projection is any DerivedProjection }
}

extension ViewsStore {
  /// Returns the index of a source among the registered projections.
  ///
  /// - Throws: ``SourceMissing`` if the source isn't registered before `place`.
  func position(ofSource source: any Projection.Type, before place: Int) throws -> Int {
    guard let position = position(of: source), position < place else {
      throw SourceMissing(source: source.name, reason: nil, isAwaited: false)
    }
    return position
  }
}
