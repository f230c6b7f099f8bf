// Goal: the worked example of an application with entities and projections of its own does what its
// documentation says, through public API alone.
// Method: a seeded person adds, changes and deletes workouts; pages, counts, weeks and streaks are
// recomputed from a plain list after each round.

import DaybookEntities
import DaybookRandom
import Foundation
import Testing
import WorkoutHistory

@Suite struct WorkoutHistoryTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func agreesWithAPlainList(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let history = try await WorkoutHistory.inMemory()
    var list: [(order: Int, workout: Workout)] = []
    for order in 0..<120 {
      if list.isEmpty || Int.random(in: 0..<10, using: &random) < 6 {
        let day = Int32.random(in: 20_000..<20_060, using: &random)
        let status: Workout.Status = Bool.random(using: &random) ? .done : .planned
        let minutes = UInt32.random(in: 1...90, using: &random)
        let id = try await history.add(
          day: day, minutes: minutes, title: "Run \(order)", status: status)
        list.append(
          (
            order,
            Workout(id: id, day: day, status: status, minutes: minutes, title: "Run \(order)")
          ))
      } else {
        let index = Int.random(in: 0..<list.count, using: &random)
        if Bool.random(using: &random) {
          try await history.delete(list.remove(at: index).workout.id)
        } else {
          let day = Int32.random(in: 20_000..<20_060, using: &random)
          try await history.amend(list[index].workout.id) {
            $0.day = day
            $0.status = .skipped
          }
          list[index].workout.day = day
          list[index].workout.status = .skipped
        }
      }
    }
    try compare(history, list)
    #expect(try history.verify())
    try await history.close()
  }

  private func compare(
    _ history: WorkoutHistory, _ list: [(order: Int, workout: Workout)]
  ) throws {
    let expected =
      list
      .sorted { ($0.workout.day, $0.order) > ($1.workout.day, $1.order) }.map(\.workout)
    var pages: [Workout] = []
    var place: WorkoutHistory.Place?
    repeat {
      let (workouts, next) = try history.page(after: place)
      #expect(workouts.count <= WorkoutHistory.pageCount)
      pages += workouts
      place = next
    } while place != nil
    #expect(pages == expected)
    for status in [Workout.Status.planned, .done, .skipped] {
      #expect(try history.count(status) == expected.count { $0.status == status })
    }
    let done = expected.filter { $0.status == .done }
    for day in Int32(19_995)..<20_065 {
      // Monday of that week: 1970-01-05, day 4, was one.
      let monday = day - ((day - 4) % 7 + 7) % 7
      let ofWeek = done.filter { $0.day >= monday && $0.day < monday + 7 }
      let week = try history.week(of: day)
      #expect(week.minutes == ofWeek.reduce(0) { $0 + Int($1.minutes) })
      #expect(week.count == ofWeek.count)
      var streak = 0
      while done.contains(where: { $0.day == day - Int32(streak) }) { streak += 1 }
      #expect(try history.streak(on: day) == streak)
    }
    let longest = try (Int32(20_000)..<20_060).map { try history.streak(on: $0) }.max() ?? 0
    #expect(try history.longestStreak() == longest)
  }

  @Test func refusesWhatIsNotAWorkout() async throws {
    let history = try await WorkoutHistory.inMemory()
    await #expect(throws: WorkoutHistory.Refusal.doneInNoTime) {
      _ = try await history.add(day: 20_000, minutes: 0, title: "Run", status: .done)
    }
    await #expect(throws: WorkoutHistory.Refusal.titleTooLong(byteCount: 201)) {
      _ = try await history.add(
        day: 20_000, minutes: 0, title: String(repeating: "x", count: 201))
    }
    let unknown = EntityID(high: 1, low: 2)
    await #expect(throws: WorkoutHistory.Refusal.unknown(unknown)) {
      try await history.delete(unknown)
    }
    #expect(try history.page().workouts == [])
    try await history.close()
  }
}
