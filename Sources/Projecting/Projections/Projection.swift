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

  /// The clusters of State in which the entities are that alone can make a row of totals, or `nil` where
  /// they may be anywhere.
  ///
  /// With it a sampled verification adds up a day's or month's totals from the entities of that day or
  /// month; without it (the default) it has to go through all entities. It is about entities of kinds with
  /// a cluster property; a row that others add to has none.
  ///
  /// - Parameters:
  ///   - key: a row's key, as it is stored.
  ///   - table: the table, counted as in ``tables``.
  static func clusters(ofRow key: TableKey, table: Int) -> ClosedRange<UInt32>?

  /// The projection.
  init()

  /// Adds to the tables the difference that one change makes.
  ///
  /// - Parameters:
  ///   - change: one entity before and after; either may be missing.
  ///   - state: the entities as of that change.
  ///   - tables: takes the differences; they are written only if nothing of the batch throws.
  /// - Throws: anything. The projection is then quarantined: its tables stay as they were, its
  ///   queries throw the reason, and the others go on.
  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables) throws
}

extension Projection {
  /// It does.
  public static var readsState: Bool { true }

  /// Says nothing.
  public static func clusters(ofRow key: TableKey, table: Int) -> ClosedRange<UInt32>? { nil }
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

/// Takes the differences that a projection makes to its tables.
///
/// Differences to one row are merged until they are written, so that a row is written once a batch.
public struct ProjectionTables {
  package var buffers: [TableBuffer]

  /// Buffers for the tables of a projection, kept in memory only: for tests of a projection.
  public init(for definitions: [TableDefinition]) {
    buffers = definitions.map { TableBuffer($0.kind) }
  }

  package init(buffers: [TableBuffer]) { self.buffers = buffers }

  /// Puts a row into the `table`-th table, in place of one that has the key.
  ///
  /// - Precondition: it is a table of rows, and the value has at most 1,900 bytes; or a table of places, the
  ///   key ends in one, and there is no value.
  public mutating func put(_ table: Int, _ key: TableKey, _ value: [UInt8] = []) {
    buffers[table].put(key, value)
  }

  /// Removes a row from the `table`-th table, if it is there.
  ///
  /// - Precondition: it is a table of rows or places.
  public mutating func remove(_ table: Int, _ key: TableKey) {
    buffers[table].remove(key)
  }

  /// Adds to a row of the `table`-th table.
  ///
  /// - Precondition: it is a table of sums.
  public mutating func add(_ table: Int, _ key: TableKey, _ sums: Sums) {
    buffers[table].add(key, sums)
  }

  /// Puts a number into a set of the `table`-th table where it is not there, and takes it out where
  /// it is.
  ///
  /// - Precondition: it is a table of bitmaps, and the number is from 0 to 8,191.
  public mutating func flip(_ table: Int, _ key: TableKey, _ number: Int) {
    buffers[table].flip(key, number)
  }

  /// Flips a number in several sets of the `table`-th table: those whose keys are `head` and, after it, one
  /// of `tails` in three bytes, the most significant first.
  ///
  /// - Precondition: it is a table of bitmaps, the number is from 0 to 8,191, the tails are below 2²⁴, and
  ///   the head leaves room for them.
  public mutating func flip(_ table: Int, _ head: TableKey, tails: [UInt32], _ number: Int) {
    buffers[table].flip(head, tails: tails, number)
  }

  /// Flips `first` + *i* for every bit *i* of `mask` that is set.
  ///
  /// - Precondition: it is a table of bitmaps, and `first` is from 0 to 8,160.
  public mutating func flip(_ table: Int, _ key: TableKey, from first: Int, _ mask: UInt32) {
    buffers[table].flip(key, from: first, mask)
  }

  /// What the buffered differences would make of an empty table of rows or places, in ascending order.
  public func rows(_ table: Int) -> [(key: TableKey, value: [UInt8])] {
    buffers[table].sortedRows().compactMap { row in row.value.map { (row.key, $0) } }
  }

  /// What the buffered differences would make of an empty table of sums, in ascending order.
  public func sums(_ table: Int) -> [(key: TableKey, sums: Sums)] {
    buffers[table].sortedSums().filter { !$0.sums.isZero }
  }

  /// What the buffered differences would make of an empty table of bitmaps, in ascending order.
  public func bitmaps(_ table: Int) -> [(key: TableKey, bitmap: Bitmap)] {
    buffers[table].sortedBitmaps()
  }
}
