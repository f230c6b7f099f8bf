public import DaybookEngine
internal import DaybookEntities

/// Minutes and workouts done per week and per day, and how many entries have each status.
///
/// It has three tables of sums. When an entry changes, its old contribution is subtracted again, so
/// that the tables depend only on the current entries.
public struct WorkoutTotals: Projection {
  /// Part of the format of the views; must never change.
  public static let name = "WorkoutTotals"
  /// Increased when the tables' contents would change.
  public static let version: UInt32 = 1
  /// Minutes and workouts by week, workouts by day, and entries by status.
  public static let tables = [
    TableDefinition("weeks", .sums(fields: 2)), TableDefinition("days", .sums(fields: 1)),
    TableDefinition("statuses", .sums(fields: 1)),
  ]

  /// The tables' indices in `tables`.
  enum Place {
    static let weeks = 0
    static let days = 1
    static let statuses = 2
  }

  /// Creates the projection.
  public init() {}

  /// Subtracts the entry's old contribution, and adds the new one.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == Workout.kind else { return }
    if let before = change.before { try add(before, change.id, sign: -1, to: &tables) }
    if let after = change.after { try add(after, change.id, sign: 1, to: &tables) }
  }

  private func add(
    _ record: Record, _ id: EntityID, sign: Int128, to tables: inout ProjectionTables
  ) throws {
    let workout = try Workout(id: id, record: record.span)
    tables.add(Place.statuses, WorkoutTotals.key(workout.status), Sums(sign))
    guard workout.status == .done else { return }
    tables.add(
      Place.weeks, WorkoutTotals.key(WorkoutTotals.week(of: workout.day)),
      Sums(sign * Int128(workout.minutes), sign))
    tables.add(Place.days, WorkoutTotals.key(workout.day), Sums(sign))
  }

  /// Returns the number of a day's week.
  ///
  /// Weeks begin on Monday; the week of 1970-01-01, a Thursday, is 0.
  static func week(of day: Int32) -> Int32 {
    let shifted = Int64(day) + 3
    return Int32(truncatingIfNeeded: shifted >= 0 ? shifted / 7 : (shifted - 6) / 7)
  }

  static func key(_ number: Int32) -> TableKey {
    var key = TableKey()
    key.append(u32: Workout.cluster(of: number))
    return key
  }

  static func key(_ status: Workout.Status) -> TableKey {
    var key = TableKey()
    key.append(u8: status.rawValue)
    return key
  }
}
