public import DaybookEntities

/// The kind of rows in a projection's table.
public enum TableKind: Hashable, Sendable {
  /// A value for each key; rows are put and removed.
  case rows
  /// Totals for each key; differences are added to them.
  ///
  /// A row whose totals are all 0 isn't stored.
  case sums(fields: Int)
  /// A set of numbers from 0 to 8,191 for each key; numbers are flipped one by one.
  ///
  /// An empty set isn't stored.
  ///
  /// Use it for an index that records which of 8,192 neighbouring entities have a common property.
  /// Inserting and removing a number are the same operation, so repeating a record's flips undoes
  /// them.
  case bitmaps
  /// Lists of positions in State: keys without values; keys are put and removed.
  ///
  /// Use it for an index. Each key ends in a position, as cluster (4 bytes) and number (5 bytes).
  /// The part of the key before the position is its *head*. Keys with the same head are stored
  /// together, so a key in a long list takes two or three bytes. No head may be a prefix of
  /// another: give all heads the same length, or a terminator.
  /// ``View/forEachPlace(in:head:from:to:reversed:_:)`` reads a list.
  case places

  /// Whether rows are put and removed, so that rows with equal keys must not be combined.
  var isPut: Bool { self == .rows || self == .places }
}

/// The name and kind of one table of a projection.
public struct TableDefinition: Hashable, Sendable {
  /// The table's name, unique within the projection.
  ///
  /// It is part of the format of the views.
  public let name: String
  /// The kind of the table's rows.
  public let kind: TableKind

  /// The number of fields of a table of sums; 0 for other tables.
  var fieldCount: Int { if case .sums(let fields) = kind { fields } else { 0 } }

  /// Creates the definition of a table.
  public init(_ name: String, _ kind: TableKind) {
    self.name = name
    self.kind = kind
  }
}

/// A number, list or index that is derived from the current entities.
///
/// **The law:** the tables are a function of the *set of current entities* and do not depend on the
/// order of changes that led to it. The differences that ``apply(_:reading:to:)`` adds for an
/// entity's record must be undone when the record changes or is deleted. Incremental updates,
/// catching up and rebuilding therefore give the same result. A rebuild calls `apply` once for each
/// current entity, without `before`.
///
/// A projection is a value without mutable state. It is called on the thread of the projectors'
/// stage. A rebuild calls it on two threads at once, with different entities and separate tables.
///
/// A change may fail to become durable, in which case its differences are discarded. A projection
/// must therefore never end the process: it throws an error for a record that it can't read.
public protocol Projection: Sendable {
  /// The projection's name, unique within a ledger.
  ///
  /// It is part of the format of the views.
  static var name: String { get }
  /// The projection's version.
  ///
  /// Increase it whenever the projection would write different tables for the same entities.
  /// Ledgers then rebuild the projection.
  static var version: UInt32 { get }
  /// The tables; ``ProjectionTables`` and ``ProjectionHandle`` refer to them by index.
  static var tables: [TableDefinition] { get }

  /// Whether ``apply(_:reading:to:)`` reads State; `true` by default.
  ///
  /// If it is `false`, a rebuild calls the projection while State is still being filled, and
  /// reading `state` throws.
  static var readsState: Bool { get }

  /// Creates the projection.
  init()

  /// Adds the difference of one change to the tables.
  ///
  /// - Parameters:
  ///   - change: One entity before and after the change; either record may be missing.
  ///   - state: The entities as of the change.
  ///   - tables: Receives the differences, which are written only if nothing in the batch throws.
  /// - Throws: Any error, which quarantines the projection: its tables stay unchanged, its queries
  ///   throw the reason, and other projections continue. A projection is also quarantined if a
  ///   table can't store a difference; see ``TableFault``.
  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables) throws
}

extension Projection {
  /// By default, projections read State.
  public static var readsState: Bool { true }
}

/// A projection that replaces another one and fills its tables, for tests that inject faults.
package protocol StandIn: Projection {
  /// The replaced projection, whose queries read these tables.
  static var standsFor: any Projection.Type { get }
}

/// Reads the current entities while a projection processes a change.
public protocol StateReading: AnyObject {
  /// Returns the recording number of an entity, or `nil` if it doesn't exist.
  ///
  /// The number stays the same until the entity is deleted. It is therefore cached and cheap to
  /// read.
  func number(of id: EntityID, kind: EntityKind) throws -> UInt64?
  /// Returns the record of an entity as of the change, or `nil` if it doesn't exist.
  func record(of id: EntityID, kind: EntityKind) throws -> Record?
}
