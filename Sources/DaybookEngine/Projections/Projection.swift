public import DaybookEntities

/// The kind of rows in a projection's table.
public enum TableKind: Hashable, Sendable {
  /// A value for each key, which can be put and removed.
  case rows
  /// Totals for each key, which can be added to; a row whose totals are all 0 isn't stored.
  case sums(fields: Int)
  /// A set of numbers from 0 to 8,191 for each key, flipped one by one; an empty set isn't stored.
  ///
  /// Use it for an index of which of 8,192 neighboring entities have something in common. Inserting
  /// and removing a number are the same operation, so repeating the flips of a record undoes them.
  case bitmaps
  /// Lists of positions in State: keys without values, which can be put and removed. Each key ends
  /// in a position, as cluster (4 bytes) and number (5 bytes).
  ///
  /// Use it for an index. Keys with the same head, the part before the position, are stored
  /// together, so that a key in a long list takes two or three bytes. No head may be a prefix of
  /// another: give all heads the same length, or a terminator.
  /// ``View/forEachPlace(in:head:from:to:reversed:_:)`` reads a list.
  case places

  /// Whether differences are put and removed, so that rows with equal keys aren't combined.
  var isPut: Bool { self == .rows || self == .places }
}

/// The name and kind of one table of a projection.
public struct TableDefinition: Hashable, Sendable {
  /// The table's name, unique within the projection; part of the format of the views.
  public let name: String
  /// The kind of the table's rows.
  public let kind: TableKind

  /// The number of fields of a table of sums; otherwise 0.
  var fieldCount: Int { if case .sums(let fields) = kind { fields } else { 0 } }

  /// Creates the definition of a table.
  public init(_ name: String, _ kind: TableKind) {
    self.name = name
    self.kind = kind
  }
}

/// A number, list or index that is derived from the entities and kept up to date with them.
///
/// **The law:** the tables are a function of the *set of current entities*, not of the path that
/// led there. The differences that ``apply(_:reading:to:)`` adds for an entity's record must be
/// undone when the record changes or is deleted. The law ensures that incremental updates, catching
/// up and rebuilding give the same result; a rebuild calls `apply` once for each current entity,
/// without `before`.
///
/// A projection is a value without mutable state. It is called on the thread of the projectors'
/// stage. A rebuild calls it on two threads at once, each with different entities and its own
/// tables.
///
/// A change may fail to become durable, and its differences are then discarded. A projection should
/// therefore throw an error for a record that it can't read, and never end the process.
public protocol Projection: Sendable {
  /// The projection's name, unique within a ledger; part of the format of the views.
  static var name: String { get }
  /// The projection's version.
  ///
  /// Increase it whenever the contents of the tables would differ; ledgers then rebuild the
  /// projection.
  static var version: UInt32 { get }
  /// The tables, in the order in which ``ProjectionTables`` and ``ProjectionHandle`` count them.
  static var tables: [TableDefinition] { get }

  /// Whether ``apply(_:reading:to:)`` reads State; true by default.
  ///
  /// If false, a rebuild calls the projection while State is still being filled, and any read of
  /// `state` throws.
  static var readsState: Bool { get }

  /// Creates the projection.
  init()

  /// Adds to the tables the difference that one change makes.
  ///
  /// - Parameters:
  ///   - change: one entity before and after; either record may be missing.
  ///   - state: the entities as of the change.
  ///   - tables: takes the differences; they are written only if nothing in the batch throws.
  /// - Throws: any error, which quarantines the projection: its tables stay unchanged, its queries
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

/// A projection that replaces another and fills its tables, for tests that inject faults.
package protocol StandIn: Projection {
  /// The replaced projection, whose queries read these tables.
  static var standsFor: any Projection.Type { get }
}

/// Reads the current entities while a change is projected.
public protocol StateReading: AnyObject {
  /// The recording number of an entity, or `nil` if it doesn't exist.
  ///
  /// A number doesn't change until the entity is deleted, so it is cached and cheap to read.
  func number(of id: EntityID, kind: EntityKind) throws -> UInt64?
  /// The record of an entity as of the change, or `nil` if it doesn't exist.
  func record(of id: EntityID, kind: EntityKind) throws -> Record?
}
