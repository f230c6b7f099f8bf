public import Entities

/// A projection that is derived from the tables of others, and from State, instead of from changes.
///
/// It is told once a batch, when State and the projections it reads have been written, what has
/// changed in them. So its cost does not grow with the changes of a batch but with the rows of its
/// sources that they come to; and where what it keeps has to be had anew, it is had from their
/// totals, never from the entities behind them.
///
/// **The law** (see ``Projection``) holds for it too: its tables are a function of State and of the
/// sources' tables. A rebuild calls ``settle(_:to:)`` once, when the sources are complete: its tables
/// are then empty, every kind counts as changed, and there are no differences.
///
/// Where a source is set aside, what is derived from it is set aside too.
public protocol DerivedProjection: Projection {
  /// The projections that it reads; they must be registered before it.
  static var sources: [any Projection.Type] { get }

  /// Adds to the tables the difference that one batch makes.
  ///
  /// - Parameters:
  ///   - reading: State and the sources as of the end of the batch, and this projection's own tables
  ///     as of its beginning.
  ///   - tables: takes the differences; they are written only if nothing throws.
  /// - Throws: anything. The projection is then quarantined, as one whose `apply` throws.
  func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws
}

extension DerivedProjection {
  /// Does nothing, and is not called: see ``settle(_:to:)``.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {}
}

/// Reads what a batch has come to, for a projection that is derived from others.
///
/// Tables are named by their projection and their place among its tables. One question is asked at a
/// time: none can be asked in a closure that another one calls.
public protocol SettledReading: AnyObject {
  /// Whether any entity of a kind was inserted, changed or deleted in the batch.
  func hasChanged(_ kind: EntityKind) -> Bool
  /// Gives every entity of a kind, ordered by cluster and number, to `body`.
  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws
  /// Gives what the batch added to the rows of a source's table of sums to `body`, in any order; it
  /// may be 0.
  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void) throws
  /// Gives the rows of a table from `from` on and before `to` to `body` until it returns false.
  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool) throws
  /// Gives the totals of a table from `from` on and before `to` to `body` until it returns false.
  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool) throws
}

/// Why a derived projection can't be fed: its source is not there.
struct SourceMissing: Error, CustomStringConvertible {
  let source: String
  /// Why the source stands aside, or `nil` where it is not registered, or not built yet.
  let reason: String?
  /// Whether the source is only to be waited for.
  let isAwaited: Bool

  var description: String {
    if let reason { return "it is derived from “\(source)”, which stands aside: \(reason)" }
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
  /// The place among the registered projections of one that another is derived from.
  func position(ofSource source: any Projection.Type, before place: Int) throws -> Int {
    guard let position = position(of: source), position < place else {
      throw SourceMissing(source: source.name, reason: nil, isAwaited: false)
    }
    return position
  }
}
