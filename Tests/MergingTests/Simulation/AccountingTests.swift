// Goal: what the simulation counts as lost is lost, and nothing else. Method: logs that seeds led to, and the same with
// something taken out of what they come to.

import DaybookEntities
import DaybookMerging
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

  /// Two clear a property, one by beginning anew, and who saw that one writes it again.
  @Test func whatAnotherClearedTooIsNotLost() {
    func lost(secondClears: Bool) -> [String] {
      var log = Scenario(Domain.rules(.always(.last)))
      log.place(1, base: 0, clock: 10, .insert(note, record([1: 9]), made: true))
      log.place(
        2, base: 1, clock: 20,
        .insert(note, secondClears ? record([2: 7]) : record([1: 8, 2: 7])))
      log.place(1, base: 0, clock: 30, .amend(note, record([1: 9]), record([2: 2])))
      log.place(2, base: 1, clock: 40, .amend(note, record([2: 7]), record([1: 4, 2: 3])))
      var state = NaiveModel(rules: log.rules).state(of: log.entries)
      // As if nobody were told of anything.
      state.findings = [:]
      return unaccounted(log.entries, state, log.rules).filter { $0.contains(" register 1 []") }
    }
    #expect(lost(secondClears: true) == [])
    #expect(lost(secondClears: false) == ["64/2 register 1 [] written at 3"])
  }

  /// What moved a row into a closed period is held, and its author takes it back before they know.
  @Test func whatWasTakenBackWhileHeldIsNotLost() {
    let row = key(3, Domain.row)
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(row, record([30: 7])))
    log.place(1, base: 1, clock: 11, .insert(Domain.settings, record([2: 5])))
    log.place(2, base: 0, clock: 12, .insert(row, record([30: 8])))
    log.place(2, base: 0, clock: 13, .amend(row, record([30: 8]), record([30: 1])))
    log.place(2, base: 0, clock: 14, .amend(row, record([30: 1]), record([30: 8])))
    var state = NaiveModel(rules: rules).state(of: log.entries)
    #expect(state.held.isEmpty)
    #expect(unaccounted(log.entries, state, rules) == [])
    state.findings = [:]
    #expect(unaccounted(log.entries, state, rules) == ["68/3 register 30 [30, 1, 8] written at 5"])
  }

  /// An amendment is held, and its author goes back to what a program had made on the device.
  @Test func whatIsAgainAsItWasMadeIsNotLost() {
    let row = key(3, Domain.row)
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(row, record([30: 2])))
    log.place(1, base: 1, clock: 11, .insert(Domain.settings, record([2: 4])))
    log.place(2, base: 0, clock: 12, .insert(row, record([1: 9, 30: 6]), made: true))
    log.place(2, base: 0, clock: 13, .amend(row, record([1: 9, 30: 6]), record([1: 9, 30: 7])))
    log.place(2, base: 0, clock: 14, .amend(row, record([1: 9, 30: 7]), record([1: 9, 30: 6])))
    let state = NaiveModel(rules: rules).state(of: log.entries)
    #expect(unaccounted(log.entries, state, rules) == [])
  }

  /// A deletion is held, and its author begins anew with what was there.
  @Test func whatBeganAnewWhileHeldIsNotLost() {
    let row = key(3, Domain.row)
    var log = Scenario(rules)
    log.place(1, base: 0, clock: 10, .insert(row, record([1: 9, 30: 2]), made: true))
    log.place(1, base: 1, clock: 11, .insert(Domain.settings, record([2: 6])))
    log.place(2, base: 0, clock: 12, .insert(row, record([1: 9, 30: 9]), made: true))
    log.place(2, base: 0, clock: 13, .delete(row, record([1: 9, 30: 9])))
    log.place(2, base: 1, clock: 14, .insert(row, record([30: 9, 31: 6])))
    var state = NaiveModel(rules: rules).state(of: log.entries)
    #expect(state.held[row]?.isEmpty == false)
    #expect(unaccounted(log.entries, state, rules) == [])
    state.held = [:]
    #expect(unaccounted(log.entries, state, rules).contains { $0.contains(" register 30 ") })
  }
}
