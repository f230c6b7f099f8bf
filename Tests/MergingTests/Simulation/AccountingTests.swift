// Goal: what the simulation counts as lost is lost, and nothing else. Method: logs that seeds led to, and the same with
// something taken out of what they come to.

import Entities
import Merging
import Testing

@Suite struct AccountingTests {
  private let rules = Domain.rules(.always(.first))
  private let note = key(2, Domain.note)

  /// A row that was skipped, and that a program and a person make all the same; somebody else, who knows of neither,
  /// gives it the immutable value that the program gave it.
  private var log: [LogEntry] {
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .skip(note))
    log.place(2, base: 0, clock: 11, .insert(note, record([1: 9, 7: 1]), made: true))
    log.place(3, base: 0, clock: 12, .insert(note, record([1: 2, 2: 1, 3: 2, 7: 2])))
    log.place(
      4, base: 0, clock: 13,
      .amend(note, record([3: 15, 4: 19, 7: 4]), record([3: 16, 4: 19, 7: 1])))
    return log.entries
  }

  @Test func whatATombstoneHasAlreadyIsNotLost() {
    let state = NaiveModel(rules: rules).state(of: log)
    #expect(state.entities[note]?.record[7] == [1])
    #expect(unaccounted(log, state, rules) == [])
  }

  @Test func whatItHasNoLongerIs() throws {
    var state = NaiveModel(rules: rules).state(of: log)
    state.entities[note]?.record = record([1: 9, 7: 3])
    #expect(unaccounted(log, state, rules).contains { $0.hasPrefix("64/2 register 7 [7, 1, 1]") })
  }
}
