// Goal: rows that programs make alike on several replicas are made once, and lose to themselves without a word.
// Method: insertions of one id marked as made, beside changes by hand, with clocks that would decide otherwise.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct MadeTests {
  @Test func theSecondLosesToTheFirstWithoutAFinding() throws {
    for clocks: (Int64, Int64) in [(100, 200), (200, 100)] {
      var log = Scenario()
      log.place(1, base: 0, clock: clocks.0, .insert(key(1), start, made: true))
      log.place(2, base: 0, clock: clocks.1, .insert(key(1), record([1: 11, 2: 20]), made: true))
      let folded = try log.folded()
      #expect(folded[key(1)] == start)
      #expect(folded.findings.isEmpty)
    }
  }

  @Test func whatAPersonChangedHoldsAgainstItWhateverTheClock() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start, made: true))
    log.place(1, base: 0, clock: 110, .amend(key(1), start, record([1: 13, 2: 20])))
    log.place(2, base: 0, clock: 900, .insert(key(1), start, made: true))
    // Replica 2 amends its own, with a clock before all that.
    log.place(2, base: 0, clock: 5, .amend(key(1), start, record([1: 10, 2: 23])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 13, 2: 23]))
    #expect(folded.findings.isEmpty)
  }

  @Test func byThePolicyFirstTooAPersonHoldsAgainstIt() throws {
    var log = Scenario(MergeRules(policy: .always(.firstAndTell)))
    log.place(1, base: 0, clock: 100, .insert(key(1), start, made: true))
    log.place(2, base: 0, clock: 200, .insert(key(1), record([1: 12, 2: 20])))
    let folded = try log.folded()
    #expect(folded[key(1)] == record([1: 12, 2: 20]))
    #expect(folded.findings.isEmpty)
  }

  @Test func aDeletedRowThatIsMadeAgainElsewhereStaysDeletedWithoutAFinding() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start, made: true))
    log.place(1, base: 0, clock: 110, .delete(key(1), start))
    log.place(2, base: 0, clock: 900, .insert(key(1), start, made: true))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.findings.isEmpty)
  }

  @Test func aDeletionOfWhatWasMadeElsewhereTooTellsNothing() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start, made: true))
    log.place(2, base: 0, clock: 110, .insert(key(1), record([1: 10, 2: 20, 3: 30]), made: true))
    log.place(1, base: 1, clock: 120, .delete(key(1), start))
    let folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.findings.isEmpty)
    #expect(folded.entities[key(1)]?.record == record([1: 10, 2: 20, 3: 30]))
  }

  @Test func aRowThatIsNotToComeIsATombstoneOfItsId() throws {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .skip(key(1)))
    log.place(2, base: 0, clock: 200, .insert(key(1), start, made: true))
    var folded = try log.folded()
    #expect(folded[key(1)] == nil)
    #expect(folded.findings.isEmpty)
    // Whoever saw it, and wants the row all the same, has it.
    log.place(3, base: 2, clock: 300, .undelete(key(1), start))
    folded = try log.folded()
    #expect(folded[key(1)] == start)
  }
}
