public import Entities

/// What the rows of a projection's table are.
public enum TableKind: Hashable, Sendable {
  /// A value for each key, put and removed.
  case rows
  /// Totals for each key, added to; a row whose totals are all 0 is not kept.
  case sums(fields: Int)
  /// A set of numbers from 0 to 8,191 for each key, flipped one by one; an empty set is not kept.
  ///
  /// For an index: which of 8,192 neighbours have something in common. Putting a number in and taking
  /// it out are the same act, so what is added for a record is taken away by doing it again.
  case bitmaps
  /// Lists of places in State: keys without a value, put and removed, that end in the place, which
  /// is the cluster (4 bytes) and the number (5).
  ///
  /// For an index: the keys that agree in what comes before the place are stored together, so that one of
  /// many takes two or three bytes. Of what comes before, none may begin another: give it one length, or an
  /// end of its own. ``View/forEachPlace(in:head:from:to:reversed:_:)`` reads them.
  case places

  /// Whether its differences are put and removed, so that equal keys are not brought together.
  var isPut: Bool { self == .rows || self == .places }
}

/// One table of a projection.
public struct TableDefinition: Hashable, Sendable {
  /// Its name, unique within the projection, part of the format of the views.
  public let name: String
  /// What its rows are.
  public let kind: TableKind

  /// How many fields the rows' totals have; 0 for rows without totals.
  var fieldCount: Int { if case .sums(let fields) = kind { fields } else { 0 } }

  /// A table of a projection.
  public init(_ name: String, _ kind: TableKind) {
    self.name = name
    self.kind = kind
  }
}

/// A number, list or index that is derived from the entities, and kept up to date with them.
///
/// **The law:** the tables are a function of the *set of current entities*, not of the path that
/// led there. What ``apply(_:reading:to:)`` adds for an entity's record it must take away again when
/// the record changes or goes. The law makes incremental update, catching up and rebuilding from
/// nothing interchangeable; a rebuild calls `apply` once for each current entity, without `before`.
///
/// A projection has no memory of its own: it is a value without state, called on the thread of the projectors'
/// stage; during a rebuild by two threads at once, each with other entities and tables of its own. What it is
/// told of may not become durable, and is taken back then: it should throw at a record that it cannot read, and
/// never end the process.
public protocol Projection: Sendable {
  /// The name, unique in a ledger, part of the format of the views.
  static var name: String { get }
  /// Changes whenever the tables would come out differently; a ledger rebuilds the projection then.
  static var version: UInt32 { get }
  /// The tables, in the order that ``ProjectionTables`` and ``ProjectionHandle`` count them.
  static var tables: [TableDefinition] { get }

  /// Whether ``apply(_:reading:to:)`` asks State of anything; it does, unless a projection says otherwise.
  ///
  /// One that does not is told in a rebuild while State is being filled; what it asks of `state` all the same is
  /// refused.
  static var readsState: Bool { get }

  /// The projection.
  init()

  /// Adds to the tables the difference that one change makes.
  ///
  /// - Parameters:
  ///   - change: one entity before and after; either may be missing.
  ///   - state: the entities as of that change.
  ///   - tables: takes the differences; they are written only if nothing of the batch throws.
  /// - Throws: anything. The projection is then quarantined: its tables stay as they were, its
  ///   queries throw the reason, and the others go on. So it is where a table cannot hold what was put there;
  ///   see ``TableFault``.
  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables) throws
}

extension Projection {
  /// It does.
  public static var readsState: Bool { true }
}

/// A projection in place of another, whose tables it fills: for tests of what faults would do.
package protocol StandIn: Projection {
  /// The projection whose queries read these tables.
  static var standsFor: any Projection.Type { get }
}

/// Reads the current entities while a change is projected.
public protocol StateReading: AnyObject {
  /// The recording number of an entity. Numbers never change, so they are remembered: cheap.
  ///
  /// - Returns: `nil` where there is no such entity.
  func number(of id: EntityID, kind: EntityKind) throws -> UInt64?
  /// The record of an entity as of the change.
  ///
  /// - Returns: `nil` where there is no such entity.
  func record(of id: EntityID, kind: EntityKind) throws -> Record?
}
