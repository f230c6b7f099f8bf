// Goal: every order in which a row is inserted, amended, deleted, brought back and made again is what the rules of
// existence say. Method: every sequence of three steps by two replicas that have seen all or only the first entry,
// against the naive model; longer ones where `DAYBOOK_LONG` is set.

import DaybookEntities
import DaybookMerging
import DaybookPlatform
import Testing

@Suite struct LifeTests {
  private struct Step {
    var replica: UInt64
    var hasSeenAll: Bool
    var change: EntityChange
  }

  private let rules = MergeRules(kinds: [thing: Sort.rules])

  private var steps: [Step] {
    let row = record([1: 10, 5: 50])
    let changes: [EntityChange] = [
      .amend(key(1), row, record([1: 11, 5: 51])), .delete(key(1), row), .undelete(key(1), row),
      .insert(key(1), record([2: 20, 5: 52])), .insert(key(1), row, made: true), .skip(key(1)),
    ]
    return [2, 3].flatMap { replica in
      [false, true].flatMap { hasSeenAll in
        changes.map { Step(replica: replica, hasSeenAll: hasSeenAll, change: $0) }
      }
    }
  }

  private func compare(_ length: Int, _ log: Scenario, _ fold: Fold, _ count: inout Int) throws {
    if length == 0 { return }
    // The first step may be replica 2's, since both can do the same.
    for step in steps where step.replica == 2 || log.entries.count > 1 {
      var log = log
      let base = step.hasSeenAll ? fold.folded.head : 1
      // Clocks go up and down.
      let clock = Int64(100 + (log.entries.count * 37 + Int(step.replica) * 11) % 60)
      log.place(step.replica, base: base, clock: clock, received: 1_000, step.change)
      var next = fold
      try next.fold(log.entries[log.entries.count - 1])
      count += 1
      let model = NaiveModel(rules: rules).state(of: log.entries)
      let state = NaiveState(entities: next.folded.entities, findings: next.folded.findings)
      if state != model {
        Issue.record("\(log.entries.map(\.content)): \(state.differences(from: model))")
        return
      }
      try compare(length - 1, log, next, &count)
    }
  }

  /// The row is inserted by a person, made by a program, or not there at the first entry.
  @Test(arguments: 0...2) func everyLifeIsWhatTheNaiveModelSays(beginning: Int) throws {
    var log = Scenario(rules)
    let row = record([1: 10, 5: 50])
    log.place(
      1, base: 0, clock: 90, received: 1_000,
      beginning == 2 ? .insert(key(2), row) : .insert(key(1), row, made: beginning == 1))
    let length = getenv("DAYBOOK_LONG") == nil ? 3 : 4
    var count = 0
    try compare(length, log, log.fold(), &count)
    let expected = (0..<length).reduce(0) { sum, power in
      sum + 12 * (0..<power).reduce(1) { product, _ in product * 24 }
    }
    #expect(count == expected)
  }
}
