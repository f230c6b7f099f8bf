import Daybook
import DaybookEngine
/// Goal: budgets with a fault in them. Method: the right projection is told something wrong of what a
/// batch has come to. It stands in for the right one: the ledger's queries read its tables.
import DaybookProjections

/// What a faulty projection overlooks.
protocol Oversight: Sendable {
  /// Whether it hears that entities of a kind have changed.
  static func hears(of kind: EntityKind) -> Bool
  /// Whether it takes a difference of its source.
  static func takes(_ difference: Sums) -> Bool
  /// Whether it sees its own totals of before the batch.
  static var remembersItself: Bool { get }
}

extension Oversight {
  static func hears(of kind: EntityKind) -> Bool { true }
  static func takes(_ difference: Sums) -> Bool { true }
  static var remembersItself: Bool { true }
}

/// A category that moves in the tree takes its spending to no other budget.
enum MovedCategoryOverlooked: Oversight {
  static func hears(of kind: EntityKind) -> Bool { kind != .category }
}

/// Weekly budgets keep their weeks when the first weekday is another.
enum FirstWeekdayOverlooked: Oversight {
  static func hears(of kind: EntityKind) -> Bool { kind != .settings }
}

/// What is deleted, or moves away, stays spent.
enum DeletionOverlooked: Oversight {
  static func takes(_ difference: Sums) -> Bool { difference[0] >= 0 }
}

/// A budget that is changed keeps the periods it had, beside the new ones.
enum OldPeriodsKept: Oversight {
  static var remembersItself: Bool { false }
}

/// The projection of budgets, with a fault.
struct FaultyBudgets<Mistake: Oversight>: StandIn, DerivedProjection {
  static var standsFor: any Projection.Type { Budgets.self }
  static var name: String { Budgets.name }
  static var version: UInt32 { Budgets.version }
  static var tables: [TableDefinition] { Budgets.tables }
  static var sources: [any Projection.Type] { Budgets.sources }

  func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws {
    try Budgets().settle(FaultyReading<Mistake>(reading), to: &tables)
  }
}

/// Tells what an oversight leaves.
private final class FaultyReading<Mistake: Oversight>: SettledReading {
  private let right: any SettledReading

  init(_ right: any SettledReading) { self.right = right }

  func hasChanged(_ kind: EntityKind) -> Bool {
    Mistake.hears(of: kind) && right.hasChanged(kind)
  }

  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws {
    try right.forEachEntity(kind, body)
  }

  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void
  ) throws {
    try right.forEachDifference(in: table, of: source) { key, sums in
      if Mistake.takes(sums) { try body(key, sums) }
    }
  }

  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try right.forEachRow(in: table, of: projection, from: from, to: to, body)
  }

  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    if !Mistake.remembersItself, projection == Budgets.self { return }
    try right.forEachSum(in: table, of: projection, from: from, to: to, body)
  }
}
