// Goal: who reconciles a row locks what they saw of it: status, day, accounts and amounts stand against whatever was
// recorded without seeing that. Method: as for postings; the clocks are against the lock.

import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import Testing

@Suite struct ReconcilingTests {
  private let begun = expense(1_000)
  private var reconciled: Transaction { with(begun) { $0.status = .reconciled } }

  private func with(_ row: Transaction, _ body: (inout Transaction) -> Void) -> Transaction {
    var copy = row
    body(&copy)
    return copy
  }

  /// What becomes of the row where one reconciles it and another changes it, in either order of the log.
  private func merged(
    _ changed: Transaction?, begun: Transaction? = nil, isLast: Bool
  ) throws -> Folded {
    let begun = begun ?? self.begun
    let lock = with(begun) { $0.status = .reconciled }
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    if isLast { log.place(2, base: 1, clock: 20, .change(begun, changed)) }
    log.place(3, base: 1, clock: 15, .change(begun, lock))
    if !isLast { log.place(2, base: 1, clock: 20, .change(begun, changed)) }
    return try log.folded()
  }

  @Test(arguments: [false, true]) func dayAmountAndAccountAreLocked(isLast: Bool) throws {
    let changes = [
      with(begun) { $0.day = day(2026, 5, 9) }, expense(1_200), expense(1_000, from: 2),
      with(begun) { $0.status = .pending }, transfer(1_000, from: 1, to: 2),
      with(expense(1_200)) { $0.day = day(2026, 6, 1) },
    ]
    for change in changes {
      let folded = try merged(change, isLast: isLast)
      #expect(try folded.entity(begun) == reconciled)
      #expect(folded.rules == [.locked])
    }
  }

  @Test(arguments: [false, true]) func categoryAndTextsAreFree(isLast: Bool) throws {
    let change = with(expense(1_000, 2)) { $0.note = "lunch" }
    let folded = try merged(change, isLast: isLast)
    #expect(try folded.entity(begun) == with(change) { $0.status = .reconciled })
    #expect(folded.rules.isEmpty)
  }

  @Test(arguments: [false, true]) func aDeletionDoesNotStand(isLast: Bool) throws {
    let folded = try merged(nil, isLast: isLast)
    #expect(try folded.entity(begun) == reconciled)
    #expect(folded.entities.values.first?.exists == true)
    #expect(folded.rules == [.locked])
    #expect(folded.findings.values.first?.values.map(\.register) == [.existence])
  }

  @Test(arguments: [false, true]) func theLinesOfASplitAreKept(isLast: Bool) throws {
    func split(_ last: UInt64, _ units: Int64) -> Transaction {
      row([
        Posting(.account(account(1)), eur(-600 - units)),
        Posting(.category(category(1)), eur(600)), Posting(.category(category(last)), eur(units)),
      ])
    }
    for other in [split(3, 400), split(2, 500)] {
      let locked = try merged(other, begun: split(2, 400), isLast: isLast)
      #expect(try locked.entity(begun)?.postings == split(2, 400).postings)
      #expect(locked.rules == [.locked])
    }
  }

  @Test func whoHadSeenTheLockUnlocks() throws {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, reconciled))
    log.place(3, base: 2, clock: 30, .change(reconciled, begun))
    log.place(3, base: 2, clock: 40, .change(begun, expense(1_200)))
    let folded = try log.folded()
    #expect(try folded.entity(begun) == expense(1_200))
    #expect(folded.rules.isEmpty)
  }

  /// Two who reconcile had seen different amounts: the lock that was placed first stands.
  @Test func ofTwoLocksTheFirstStands() throws {
    let other = with(expense(1_200)) { $0.status = .reconciled }
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, reconciled))
    log.place(3, base: 1, clock: 30, .change(begun, expense(1_200)))
    log.place(3, base: 1, clock: 40, .change(expense(1_200), other))
    let folded = try log.folded()
    #expect(try folded.entity(begun) == reconciled)
    #expect(folded.rules == [.locked])
  }
}
