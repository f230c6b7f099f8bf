public import DaybookEngine
public import DaybookEntities
internal import DaybookJournal

/// A workout history on an event store: an example of an app's own projection.
///
/// ```swift
/// let history = try await WorkoutHistory.open(at: "Workouts")
/// let id = try await history.add(day: today, minutes: 45, title: "Hills", status: .done)
/// let newest = try history.page()
/// let streak = try history.streak(on: today)
/// try await history.close()
/// ```
public final class WorkoutHistory: Sendable {
  private let store: EventStore

  /// The number of entries on a page.
  public static let pageCount = 20

  /// The maximum length of a title, in bytes of UTF-8.
  public static let titleByteCountMax = 200

  private init(_ store: EventStore) { self.store = store }

  /// Opens the history in a folder, creating it if necessary.
  public static func open(at path: String) async throws -> WorkoutHistory {
    WorkoutHistory(
      try await EventStore.open(
        at: path, schema: Workout.schema, projections: [WorkoutTotals.self]))
  }

  /// Creates a history in memory, which is discarded when it is closed.
  public static func inMemory() async throws -> WorkoutHistory {
    WorkoutHistory(
      try await EventStore.ephemeral(schema: Workout.schema, projections: [WorkoutTotals.self]))
  }

  /// Closes the files.
  public func close() async throws { try await store.close() }

  // MARK: Recording

  /// The reason why an entry was refused.
  public enum Refusal: Error, Hashable, Sendable {
    /// There is no such entry.
    case unknown(EntityID)
    /// A completed workout has no length.
    case doneInNoTime
    /// The title is longer than ``WorkoutHistory/titleByteCountMax``.
    case titleTooLong(byteCount: Int)
  }

  /// Adds an entry and returns its id.
  ///
  /// - Throws: ``Refusal``, without writing anything.
  public func add(
    day: Int32, minutes: UInt32, title: String, status: Workout.Status = .planned
  ) async throws -> EntityID {
    let appended = try await store.append { context in
      let workout = Workout(
        id: context.newID(), day: day, status: status, minutes: minutes, title: title)
      try WorkoutHistory.check(workout)
      try context.apply(
        Change(
          kind: Workout.kind, id: workout.id, number: try context.nextNumber(Workout.kind),
          before: nil, after: workout.record))
      return workout.id
    }
    guard let id = appended.result else { throw Refusal.doneInNoTime }
    return id
  }

  /// Changes an entry in place.
  ///
  /// `change` receives the entry as it is when the change is made, which may be newer than the one
  /// that the caller saw.
  ///
  /// - Throws: ``Refusal``, without writing anything.
  public func amend(
    _ id: EntityID, _ change: @escaping @Sendable (inout Workout) -> Void
  ) async throws {
    try await store.append { context in
      guard let stored = try context.entity(Workout.kind, id) else { throw Refusal.unknown(id) }
      var workout = try Workout(id: id, record: stored.record.span)
      change(&workout)
      try WorkoutHistory.check(workout)
      try context.apply(
        Change(
          kind: Workout.kind, id: id, number: stored.number, before: stored.record,
          after: workout.record))
    }
  }

  /// Deletes an entry.
  ///
  /// - Throws: ``Refusal`` if there is no such entry.
  public func delete(_ id: EntityID) async throws {
    try await store.append { context in
      guard let stored = try context.entity(Workout.kind, id) else { throw Refusal.unknown(id) }
      try context.apply(
        Change(
          kind: Workout.kind, id: id, number: stored.number, before: stored.record, after: nil))
    }
  }

  private static func check(_ workout: Workout) throws(Refusal) {
    if workout.status == .done, workout.minutes == 0 { throw .doneInNoTime }
    let byteCount = workout.title.utf8.count
    if byteCount > titleByteCountMax { throw .titleTooLong(byteCount: byteCount) }
  }
}

extension WorkoutHistory {
  // MARK: Queries

  /// The end of a page, from which to get the next one.
  public typealias Place = StatePosition

  /// Returns up to twenty entries, newest day first, and the position of the next page.
  ///
  /// - Complexity: O(log entries + entries of the page), however deep the page is.
  public func page(after place: Place? = nil) throws -> (workouts: [Workout], next: Place?) {
    try store.read { view in
      var workouts: [Workout] = []
      var last: Place?
      try view.forEachEntity(Workout.kind, to: place, reversed: true) { position, id, record in
        workouts.append(try Workout(id: id, record: record))
        last = position
        return workouts.count < WorkoutHistory.pageCount
      }
      return (workouts, workouts.count == WorkoutHistory.pageCount ? last : nil)
    }
  }

  /// Returns the number of entries with a status.
  public func count(_ status: Workout.Status) throws -> Int {
    try store.read { view in
      let tables = try view.tables(of: WorkoutTotals.self)
      let sums = try view.sums(
        WorkoutTotals.key(status), in: tables[WorkoutTotals.Place.statuses])
      return Int(sums?[0] ?? 0)
    }
  }

  /// Returns the minutes and the number of workouts done in the week that contains a day.
  public func week(of day: Int32) throws -> (minutes: Int, count: Int) {
    try store.read { view in
      let tables = try view.tables(of: WorkoutTotals.self)
      let key = WorkoutTotals.key(WorkoutTotals.week(of: day))
      let sums = try view.sums(key, in: tables[WorkoutTotals.Place.weeks]) ?? Sums()
      return (Int(sums[0]), Int(sums[1]))
    }
  }

  /// Returns the number of consecutive days, up to and including `day`, with a completed workout.
  ///
  /// - Complexity: O(days of the streak).
  public func streak(on day: Int32) throws -> Int {
    try store.read { view in
      let table = try view.tables(of: WorkoutTotals.self)[WorkoutTotals.Place.days]
      var expected = day
      try view.forEachRow(
        in: table, from: WorkoutTotals.key(.min), to: WorkoutTotals.key(day + 1), reversed: true
      ) { key, _ in
        var reader = ByteReader(key)
        guard Workout.day(of: try reader.u32be()) == expected else { return false }
        expected -= 1
        return true
      }
      return Int(day - expected)
    }
  }

  /// Returns the highest number of consecutive days with a completed workout.
  ///
  /// - Complexity: O(days with workouts).
  public func longestStreak() throws -> Int {
    try store.read { view in
      let table = try view.tables(of: WorkoutTotals.self)[WorkoutTotals.Place.days]
      var longest = 0
      var current = 0
      var expected = Int64.min
      try view.forEachRow(
        in: table, from: WorkoutTotals.key(.min), to: WorkoutTotals.key(.max)
      ) { key, _ in
        var reader = ByteReader(key)
        let day = Int64(Workout.day(of: try reader.u32be()))
        current = day == expected ? current + 1 : 1
        longest = max(longest, current)
        expected = day + 1
        return true
      }
      return longest
    }
  }

  /// Compares every figure with the entries.
  public func verify() throws -> Bool { try store.verify().isSound }
}
