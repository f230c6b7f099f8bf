/// Goal: what is excluded from totals is missing from every figure, and every figure agrees with its
/// rows. Method: small households with figures by hand, most of them from public reports about other
/// programs; each ends as the scenarios do.
import Daybook
import Testing

@Suite struct ExclusionTests {
  /// Checking with 1,000 and Shared with 500; Food with Snacks below, Work and Salary.
  struct Home {
    let house: House
    let checking: AccountID
    let shared: AccountID
    let food: CategoryID
    let snacks: CategoryID
    let work: CategoryID
    let salary: CategoryID

    init() async throws {
      house = try await House()
      checking = try await house.account("Checking", opening: "1000")
      shared = try await house.account("Shared", opening: "500")
      food = try await house.category("Food")
      snacks = try await house.category("Snacks", in: food)
      work = try await house.category("Work")
      salary = try await house.category("Salary", .income)
    }

    func exclude(_ id: TransactionID, _ isExcluded: Bool = true) async throws {
      var amendment = Amendment()
      amendment.isExcludedFromTotals = isExcluded
      try await house.append(.amend(id, amendment))
    }

    func exclude(_ id: CategoryID, _ isExcluded: Bool = true) async throws {
      var change = CategoryChange()
      change.isExcludedFromTotals = isExcluded
      try await house.append(.amendCategory(id, change))
    }

    func exclude(_ id: AccountID, _ isExcluded: Bool = true) async throws {
      var change = AccountChange()
      change.isExcludedFromTotals = isExcluded
      try await house.append(.amendAccount(id, change))
    }
  }

  private static let february = day("2026-02-01")..<day("2026-03-01")

  /// February's figures by every way that leads to them.
  private func expectExpense(_ text: String, _ snapshot: borrowing Snapshot) throws {
    let (days, wanted) = (Self.february, total(text))
    let month = month("2026-02")..<month("2026-03")
    #expect(try snapshot.months(month, today: today)[0].totals(in: kzt).expense == wanted)
    #expect(
      try snapshot.totals(in: days, today: today).first { $0.currency == kzt }?.expense
        ?? total("0") == wanted)
    #expect(try snapshot.baseTotals(in: days, today: today).expense.total == wanted)
    #expect(try snapshot.baseMonths(month, today: today)[0].totals.expense.total == wanted)
    #expect(
      try snapshot.monthOverMonth(month.lowerBound, in: kzt, today: today).totals.expense == wanted)
    #expect(
      try snapshot.baseInsights(month.lowerBound, today: today).totals.expense.total == wanted)
    for rollUp in [false, true] {
      let sum = try snapshot.breakdown(in: days, kind: .expense, rollUp: rollUp, today: today)
        .reduce(Int128(0)) { $0 + $1.total(in: kzt).units }
      #expect(sum == wanted.units)
      let base = try snapshot.baseBreakdown(
        in: days, kind: .expense, rollUp: rollUp, today: today
      ).reduce(Int128(0)) { $0 + $1.amount.total.units }
      #expect(base == wanted.units)
    }
    // The rows that count add up to the figure, and so do those of the list, less what is excluded.
    for isExcluded in [false, nil] {
      let filter = TransactionFilter(
        type: .expense, days: days.lowerBound..<today.adding(days: 1), isExcluded: isExcluded)
      let sums = try snapshot.sums(of: filter).amounts(in: kzt)
      #expect(sums.moneyOut.units - sums.moneyIn.units == wanted.units)
      let sections = try snapshot.sections(filter, limit: 31)
      let sum = sections.reduce(Int128(0)) { sum, section in
        section.sums.reduce(sum) { $0 - $1.units }
      }
      #expect(sum == wanted.units)
    }
  }

  // Asked of Cashew (#172, #203): a payment that was returned stays in the list, but not in figures.
  @Test func anExcludedTransactionChangesOnlyBalances() async throws {
    let home = try await Home()
    let refunded = try await home.house.expense(money("80"), from: home.checking, home.food)
    try await home.house.expense(money("20"), from: home.checking, home.food)
    try await home.exclude(refunded)
    try await home.house.ends { snapshot throws in
      try expectExpense("20", snapshot)
      #expect(try snapshot.balance(of: home.checking, on: today) == total("900"))
      #expect(try snapshot.count(TransactionFilter(category: home.food)) == 2)
      let left = TransactionFilter(isExcluded: true)
      #expect(try snapshot.transactions(left, limit: 9).map(\.id) == [refunded])
      let sums = try snapshot.sums(of: TransactionFilter(category: home.food))
      #expect(sums.count == 2 && sums.amounts(in: kzt).moneyOut == total("20"))
      #expect(sums.excluded?.count == 1)
      #expect(sums.excluded?.amounts.first?.moneyOut == total("80"))
      let change = try snapshot.worthChange(in: Self.february)
      #expect(change.expense.total == total("20") && change.excluded.total == total("-80"))
      #expect(change.change == total("-100") && change.gain == total("0"))
    }
  }

  // Reported of the Toolkit for YNAB (#1571): of an excluded category, expenses were left out, but
  // not the money that came back. Asked of Waterfly III (#512): in every view.
  @Test func anExcludedCategoryLeavesOutBothDirections() async throws {
    let home = try await Home()
    let (house, checking) = (home.house, home.checking)
    try await house.expense(money("60"), from: checking, home.work)
    try await house.append(
      .record(.refund(money("45"), into: checking, category: home.work, on: day("2026-02-11"))))
    try await house.expense(money("5"), from: checking, home.snacks)
    try await home.exclude(home.work)
    try house.ledger.read { snapshot throws in
      try expectExpense("5", snapshot)
      // The category itself still shows its amount.
      #expect(
        try snapshot.total(of: home.work, in: Self.february, today: today).total(in: kzt)
          == total("15"))
      #expect(try snapshot.isExcluded(home.work) && !snapshot.isExcluded(home.food))
      let change = try snapshot.worthChange(in: Self.february)
      #expect(change.excluded.total == total("-15") && change.gain == total("0"))
    }
    // A category below an excluded one is excluded, too.
    try await home.exclude(home.work, false)
    try await home.exclude(home.food)
    try await house.ends { snapshot throws in
      try expectExpense("15", snapshot)
      #expect(try snapshot.isExcluded(home.snacks))
    }
  }

  // Reported of Monize (#1177): the net worth of one view contained an excluded account. Asked of
  // Actual (#3254): money that isn't one's own.
  @Test func anExcludedAccountIsNoPartOfTheNetWorth() async throws {
    let home = try await Home()
    let (house, checking, shared) = (home.house, home.checking, home.shared)
    try await house.expense(money("100"), from: shared, home.food)
    try await house.expense(money("30"), from: checking, home.food)
    try await house.transfer(money("200"), from: checking, to: shared)
    try await house.transfer(money("50"), from: shared, to: checking)
    try await house.income(money("70"), into: shared, home.salary)
    try await home.exclude(shared)
    try await house.ends { snapshot throws in
      try expectExpense("30", snapshot)
      let months = month("2026-02")..<month("2026-03")
      #expect(try snapshot.netWorth(on: today) == [total("820")])
      #expect(try snapshot.baseNetWorth(on: today).total == total("820"))
      #expect(try snapshot.netWorthSeries(over: months)[0].totals == [total("820")])
      #expect(try snapshot.baseNetWorthSeries(over: months)[0].amount.total == total("820"))
      #expect(try snapshot.balance(of: shared, on: today) == total("620"))
      let change = try snapshot.worthChange(in: Self.february)
      #expect(change.start.total == total("1000") && change.end.total == total("820"))
      #expect(change.income.total == total("0") && change.expense.total == total("30"))
      // 50 came from the excluded account, and 200 went to it.
      #expect(change.excluded.total == total("-150") && change.gain == total("0"))
      #expect(change.other.total == total("0"))
      // Transfers between what counts and what doesn't are transfers.
      let totals = try snapshot.totals(in: Self.february, today: today)
      #expect(totals[0].transfers == total("250"))
      #expect(try snapshot.count(TransactionFilter(isExcluded: true)) == 2)
      #expect(try snapshot.count(TransactionFilter(isExcluded: false)) == 3)
      let envelopes = try snapshot.envelopes(over: months, today: today)
      #expect(envelopes[0].money.total == total("820"))
    }
  }

  // Reported of Budget (#267): the budget contained what an excluded category spent.
  @Test func budgetsAndEnvelopesLeaveItOut() async throws {
    let home = try await Home()
    let (house, checking) = (home.house, home.checking)
    var budget = Budget(
      name: "All", categories: [], amount: money("500"), period: .monthly(resetDay: 1))
    budget.rollover = .both
    try await house.append(.putBudget(budget))
    try await house.expense(money("40"), from: checking, home.work, on: "2026-01-10")
    try await house.expense(money("10"), from: checking, home.food)
    func spent() throws -> Total {
      try house.ledger.read {
        try #require(try $0.budgetStatus(of: budget.id, today: today)).spent.total
      }
    }
    let out = try await house.expense(money("7"), from: checking, home.food)
    #expect(try spent() == total("17"))
    // The cached period is discarded.
    try await home.exclude(out)
    #expect(try spent() == total("10"))
    try await home.exclude(home.work)
    try house.ledger.read { snapshot throws in
      let status = try #require(try snapshot.budgetStatus(of: budget.id, today: today))
      // Nothing counts before February, so the budget begins there.
      #expect(status.spent.total == total("10") && status.carriedOver.total == total("0"))
      let months = month("2026-01")..<month("2026-03")
      let envelopes = try snapshot.envelopes(over: months, today: today)
      #expect(envelopes[0].envelopes.allSatisfy { $0.spent == total("0") })
      #expect(!envelopes[0].envelopes.contains { $0.category.id == home.work })
      #expect(envelopes[1].envelopes.first { $0.category.id == home.food }?.spent == total("10"))
    }
    try await home.exclude(home.work, false)
    try await house.ends { snapshot throws in
      let status = try #require(try snapshot.budgetStatus(of: budget.id, today: today))
      #expect(status.carriedOver.total == total("460"))
    }
  }

  // A split with an excluded category counts in part, and its parts agree with the category's figure.
  @Test func aSplitCountsInPart() async throws {
    let home = try await Home()
    try await home.house.append(
      .record(
        Draft(
          .split(
            Draft.Split(
              account: home.checking, kind: .expense,
              parts: [
                Draft.Part(money("30"), home.food), Draft.Part(money("12"), home.work),
                Draft.Part(money("3"), home.snacks),
              ])), on: day("2026-02-05"), tags: ["trip"])))
    try await home.exclude(home.work)
    try await home.house.ends { snapshot throws in
      try expectExpense("33", snapshot)
      for isExcluded in [true, false] {
        #expect(try snapshot.count(TransactionFilter(isExcluded: isExcluded)) == 1)
      }
      let left = try snapshot.sums(of: TransactionFilter(isExcluded: true))
      #expect(left.amounts(in: kzt).moneyOut == total("12"))
      // With a category, only its parts matter.
      let food = TransactionFilter(category: home.food, isExcluded: true)
      #expect(try snapshot.count(food) == 0)
      let tags = try snapshot.tagMonths(month("2026-02")..<month("2026-03"), today: today)
      #expect(tags[0].months[0].sums.amounts(in: kzt).moneyOut == total("33"))
      let change = try snapshot.worthChange(in: Self.february)
      #expect(change.excluded.total == total("-12") && change.change == total("-45"))
    }
  }

  // An amount that was paid in another currency is left out at its stated cost.
  @Test func aStatedCostIsLeftOut() async throws {
    let home = try await Home()
    let receipt = try await home.house.append(
      .record(
        .expense(
          money("2", usd), from: home.checking, category: home.work, on: day("2026-02-06"),
          accountAmount: money("950"))),
      .record(
        .expense(
          money("1", usd), from: home.checking, category: home.food, on: day("2026-02-06"),
          accountAmount: money("460"))))
    for exclude in [true, false] {
      let first = receipt.transactions[0]
      if exclude { try await home.exclude(first) } else { try await home.exclude(first, false) }
      if !exclude { try await home.exclude(home.work) }
      try home.house.ledger.read { snapshot throws in
        let totals = try snapshot.baseTotals(in: Self.february, today: today)
        #expect(totals.expense.total == total("460"))
        let change = try snapshot.worthChange(in: Self.february)
        #expect(change.excluded.total == total("-950") && change.gain == total("0"))
      }
    }
    try await home.house.end()
  }

  @Test func figuresFollowEveryChange() async throws {
    let home = try await Home()
    let row = try await home.house.expense(money("80"), from: home.checking, home.food)
    let other = try await home.house.expense(money("20"), from: home.checking, home.work)
    func expect(_ text: String) throws {
      try home.house.ledger.read { try expectExpense(text, $0) }
    }
    try expect("100")
    try await home.exclude(row)
    try expect("20")
    try await home.exclude(home.checking)
    try expect("0")
    try await home.exclude(home.checking, false)
    try expect("20")
    try await home.exclude(home.work)
    try expect("0")
    var amendment = Amendment()
    amendment.category = home.food
    try await home.house.append(.amend(other, amendment))
    try expect("20")
    try await home.exclude(row, false)
    try expect("100")
    try await home.house.append(.delete(other))
    try expect("80")
    try await home.house.end()
  }

  /// A row that is imported again keeps the property.
  @Test func anImportKeepsIt() async throws {
    let home = try await Home()
    var row = spending("12", from: home.checking)
    row.reference = "ofx:1"
    let report = try await home.house.importRows([row])
    let id = try #require(report.recorded.first)
    try await home.exclude(id)
    try await home.house.importRows([row])
    try home.house.ledger.read { snapshot throws in
      #expect(try snapshot.count() == 1)
      #expect(try snapshot.transaction(id)?.isExcludedFromTotals == true)
    }
    try await home.house.end()
  }
}
