/// Goal: what is remembered of budgets between questions answers only where it holds. Method: asked again
/// for other days, after changes, of views that were built anew, and by an observer.
import Daybook
import DaybookJournal
import DaybookLMDB
import Testing

extension BudgetTests {
  /// What was summed for a later day, or before something changed, must not answer for another.
  @Test func whatIsRememberedHoldsForTheDayAskedAbout() async throws {
    let (house, budget) = try await household(.both)
    func carried(_ text: String) throws -> Total? {
      try house.ledger.read {
        try $0.budgetStatus(of: budget, on: day("2026-03-05"), today: day(text))?.carriedOver.total
      }
    }
    let later = try carried("2026-03-05")
    #expect(later == total("180"))
    // What was planned on the 20th had not passed on the 15th.
    #expect(try carried("2026-02-15") == total("250"))
    #expect(try carried("2026-03-05") == later)
    let (a, food) = try house.ledger.read {
      (try $0.accounts()[0].id, try $0.categories(.expense)[0].id)
    }
    let late = try await house.expense(money("30"), from: a, food, on: "2026-01-31")
    #expect(try carried("2026-03-05") == total("150"))
    _ = try await house.append(.amend(late, Amendment(day: day("2026-03-02"))))
    #expect(try carried("2026-03-05") == later)
    _ = try await house.append(.delete(late))
    #expect(try carried("2026-02-15") == total("250"))
    try await house.end()
  }

  /// What was remembered of views that were wrong does not outlive them.
  ///
  /// - Parameter care: what an operator does, here or in another process.
  @Test(arguments: ["rebuild", "invalidate", "invalidate elsewhere"])
  func whatIsBuiltAnewIsNotRemembered(care: String) async throws {
    let (house, budget) = try await household(.both)
    func told() throws -> [Total?] {
      try house.ledger.read { snapshot throws in
        let status = try snapshot.budgetStatus(of: budget, today: today)
        let account = try snapshot.accounts().first.map { Total(units: 0, currency: $0.currency) }
        return [status?.spent.total, status?.carriedOver.total, account]
      }
    }
    let right = try told()
    try await house.ledger.close()
    let folder = try StoreFolder.open(at: house.path)
    let views = try Environment.open(path: folder.viewsPath(try folder.current().views))
    let (periods, state) = (
      try views.database(named: "budgets.periods"), try views.database(named: "state")
    )
    try views.write { transaction in
      try transaction.clear(periods)
      var account: [UInt8] = []
      let kind = [EntityKind.account.rawValue]
      try transaction.view.forEach(in: state, prefix: kind.span.bytes) { key, _ in
        account = Array(key)
        return true
      }
      // Only a rebuild makes State anew.
      if care == "rebuild" { #expect(try transaction.delete(account, in: state)) }
    }
    try views.close()
    house.ledger = try await Ledger.open(at: house.path, options: House.options())
    let wrong = try told()
    #expect(wrong[..<2] == [total("0"), total("400")])
    #expect((wrong[2] == nil) == (care == "rebuild"))
    switch care {
    case "rebuild": try await house.ledger.rebuild()
    case "invalidate": try await house.ledger.invalidateBudgets()
    default:
      await #expect(processExitsWith: .success) { [path = house.path as String] in
        let ledger = try await Ledger.open(at: path, options: House.options())
        try await ledger.invalidateBudgets()
        try await ledger.close()
      }
    }
    #expect(try told() == right)
    try await house.end()
  }

  /// An observer hears of a change in what a remembered figure was made from.
  @Test func anObserverHearsOfWhatIsCarried() async throws {
    let (house, budget) = try await household(.both)
    let ledger = house.ledger
    let read = { @Sendable (snapshot: borrowing Snapshot) throws in
      try snapshot.budgetStatus(of: budget, today: today)?.carriedOver.total
    }
    // So that it is remembered before it is observed.
    _ = try ledger.read(read)
    let seen = try await withThrowingTaskGroup(of: [Total?].self) { group in
      group.addTask {
        var seen: [Total?] = []
        for try await carried in ledger.observe(read) {
          seen.append(carried)
          if seen.count == 1 {
            let (a, food) = try ledger.read {
              (try $0.accounts()[0].id, try $0.categories(.expense)[0].id)
            }
            _ = try await ledger.append(
              .record(.expense(money("30"), from: a, category: food, on: day("2026-01-31"))))
          } else {
            return seen
          }
        }
        return seen
      }
      return try await group.next() ?? []
    }
    #expect(seen == [total("100"), total("70")])
    try await house.end()
  }
}
