/// Goal: envelopes count as the well-known programs count them, and as reports of their mistakes say
/// they should. Method: small households with figures by hand; each ends as the scenarios do.
import Daybook
import Testing

@Suite struct EnvelopeTests {
  /// Checking with 1,000, and the categories Food and Rent.
  struct Home {
    let house: House
    let checking: AccountID
    let food: CategoryID
    let rent: CategoryID

    init(opening: String = "1000") async throws {
      house = try await House()
      checking = try await house.account("Checking", opening: opening)
      food = try await house.category("Food")
      rent = try await house.category("Rent")
    }

    func assign(_ amount: String, _ category: CategoryID, _ text: String) async throws {
      let units =
        amount.hasPrefix("-")
        ? -money(String(amount.dropFirst())).minorUnits
        : money(amount).minorUnits
      try await house.append(.assign(Money(units, kzt), to: category, in: month(text)))
    }

    func carry(_ category: CategoryID) async throws {
      var change = CategoryChange()
      change.carriesOverspending = true
      try await house.append(.amendCategory(category, change))
    }
  }

  /// The figures of a month in whole units: what each envelope has, and what is ready to assign.
  struct Shown: Equatable {
    var available: [String: Int128]
    var ready: Int128

    init(_ available: [String: Int128], ready: Int128) {
      self.available = available
      self.ready = ready
    }

    init(_ month: EnvelopeMonth) {
      available = Dictionary(
        uniqueKeysWithValues: month.envelopes.map { ($0.category.name, $0.available.units / 100) })
      ready = month.readyToAssign.units / 100
    }
  }

  private func shown(
    _ snapshot: borrowing Snapshot, _ months: [String], today: Day = today
  ) throws -> [Shown] {
    try months.map { text in
      let only = month(text)..<month(text).adding(1)
      let found = try snapshot.envelopes(over: only, today: today)
      return Shown(try #require(found.first))
    }
  }

  /// A month's figures don't depend on which months are asked for with it.
  @Test func oneReadOfManyMonthsIsTheSame() async throws {
    let home = try await Home()
    try await home.assign("300", home.food, "2025-11")
    try await home.house.expense(
      money("350"), from: home.checking, home.food, on: "2025-11-20")
    try await home.assign("100", home.food, "2026-01")
    try await home.house.ends { snapshot throws in
      let all = try snapshot.envelopes(over: month("2025-10")..<month("2026-04"), today: today)
      #expect(
        try all.map(Shown.init)
          == shown(snapshot, ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]))
      #expect(all.map { $0.envelopes[0].available.units / 100 } == [0, -50, 0, 100, 100, 100])
      // November's money is 650 and -50 is available; the 50 are missing from December on.
      #expect(all.map { $0.readyToAssign.units / 100 } == [1_000, 700, 650, 550, 550, 550])
    }
  }

  /// YNAB and Actual: cash overspending is taken from next month's money to assign, and the envelope
  /// starts at zero.
  @Test func overspendingIsCoveredFromTheNextMonth() async throws {
    let home = try await Home()
    try await home.assign("100", home.food, "2026-01")
    try await home.house.expense(
      money("120"), from: home.checking, home.food, on: "2026-01-10")
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2026-01", "2026-02"]) == [
          Shown(["Food": -20, "Rent": 0], ready: 900), Shown(["Food": 0, "Rent": 0], ready: 880),
        ])
    }
  }

  /// fava-envelope #90: what the envelope carries must not be missing from the money to assign too.
  ///
  /// 200 are there, 200 are assigned in two months, and 5 are spent too much in the first.
  @Test func carriedOverspendingIsNotCountedTwice() async throws {
    let home = try await Home(opening: "200")
    try await home.carry(home.food)
    for text in ["2026-01", "2026-02"] {
      try await home.assign("50", home.food, text)
      try await home.assign("50", home.rent, text)
      try await home.house.expense(
        money("50"), from: home.checking, home.rent, on: text + "-02")
    }
    try await home.house.expense(money("55"), from: home.checking, home.food, on: "2026-01-03")
    try await home.house.expense(money("50"), from: home.checking, home.food, on: "2026-02-03")
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2026-02", "2026-03"]) == [
          Shown(["Food": -5, "Rent": 0], ready: 0), Shown(["Food": -5, "Rent": 0], ready: 0),
        ])
    }
  }

  /// actual #8615: 50 assigned after 35.85 too much, carried, leave 14.15.
  @Test func carriedOverspendingReducesTheNextAmount() async throws {
    let home = try await Home()
    try await home.carry(home.food)
    try await home.assign("250.57", home.food, "2026-01")
    try await home.house.expense(
      money("286.42"), from: home.checking, home.food, on: "2026-01-31")
    try await home.assign("50", home.food, "2026-02")
    try await home.house.ends { snapshot throws in
      let months = month("2026-01")..<month("2026-03")
      let found = try snapshot.envelopes(over: months, today: today).map { $0.envelopes[0] }
      #expect(found.map(\.available.units) == [-3_585, 1_415])
      #expect(found.map(\.carriedOver.units) == [0, -3_585])
    }
  }

  /// sure #3544: 30,000 a month, carried: 49,500, 10,000 and nothing are spent.
  @Test func aCarriedDeficitIsPaidOff() async throws {
    let home = try await Home(opening: "100000")
    try await home.carry(home.rent)
    for text in ["2025-12", "2026-01", "2026-02"] {
      try await home.assign("30000", home.rent, text)
    }
    try await home.house.expense(
      money("49500"), from: home.checking, home.rent, on: "2025-12-05")
    try await home.house.expense(
      money("10000"), from: home.checking, home.rent, on: "2026-01-05")
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2025-12", "2026-01", "2026-02"]).map { $0.available["Rent"] }
          == [-19_500, 500, 30_500])
    }
  }

  /// actual-server #252: a deposit in an expense category stays available in all later months.
  @Test func aRefundStaysInTheEnvelope() async throws {
    let home = try await Home()
    try await home.house.append(
      .record(
        .refund(money("100"), into: home.checking, category: home.food, on: day("2026-01-04"))))
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2026-01", "2026-05"]) == [
          Shown(["Food": 100, "Rent": 0], ready: 1_000),
          Shown(["Food": 100, "Rent": 0], ready: 1_000),
        ])
    }
  }

  /// actual #3455 and releases #150: what is assigned next month is no longer there this month, and
  /// income of this month can be assigned next month without being held back.
  @Test func amountsOfLaterMonthsAreNotAssignedTwice() async throws {
    let home = try await Home(opening: "0")
    let salary = try await home.house.category("Salary", .income)
    try await home.house.append(
      .record(
        .income(money("1000"), into: home.checking, category: salary, on: day("2026-02-14"))))
    try await home.assign("400", home.food, "2026-02")
    try await home.assign("600", home.rent, "2026-03")
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2026-01", "2026-02", "2026-03"]) == [
          Shown(["Food": 0, "Rent": 0], ready: 0), Shown(["Food": 400, "Rent": 0], ready: 0),
          Shown(["Food": 400, "Rent": 600], ready: 0),
        ])
      let months = month("2026-02")..<month("2026-04")
      let later = try snapshot.envelopes(over: months, today: today).map(\.assignedLater)
      #expect(later == [total("600"), total("0")])
    }
  }

  /// Spending on a card is spending; the debt counts against the money, so paying it changes nothing.
  @Test func aCardIsSpentAtThePurchase() async throws {
    let home = try await Home()
    let card = try await home.house.account("Card", kind: .liability)
    try await home.assign("300", home.food, "2026-02")
    try await home.house.expense(money("100"), from: card, home.food, on: "2026-02-03")
    let bought = [Shown(["Food": 200, "Rent": 0], ready: 700)]
    #expect(try home.house.ledger.read { try shown($0, ["2026-02"]) } == bought)
    try await home.house.append(
      .record(.transfer(money("100"), from: home.checking, to: card, on: day("2026-02-10"))))
    try await home.house.ends { snapshot throws in
      #expect(try shown(snapshot, ["2026-02"]) == bought)
    }
  }

  /// actual #1177 and #7362: money that leaves the budget is no longer there to assign.
  ///
  /// What an account outside pays isn't spent from envelopes (actual-mcp-server #80).
  @Test func accountsOutsideTheBudget() async throws {
    let home = try await Home()
    let broker = try await home.house.account("Broker", opening: "5000")
    var change = AccountChange()
    change.isOutsideBudget = true
    try await home.house.append(.amendAccount(broker, change))
    try await home.assign("300", home.food, "2026-01")
    try await home.house.append(
      .record(.transfer(money("200"), from: home.checking, to: broker, on: day("2026-01-08"))))
    try await home.house.expense(money("40"), from: broker, home.food, on: "2026-01-09")
    try await home.house.expense(money("3"), from: nil, home.food, on: "2026-01-09")
    try await home.house.expense(money("10"), from: home.checking, home.food, on: "2026-01-09")
    let month = [Shown(["Food": 290, "Rent": 0], ready: 500)]
    #expect(try home.house.ledger.read { try shown($0, ["2026-01"]) } == month)
    change.isOutsideBudget = false
    let receipt = try await home.house.append(.amendAccount(broker, change))
    #expect(
      try home.house.ledger.read { try shown($0, ["2026-01"]) } == [
        Shown(["Food": 250, "Rent": 0], ready: 5_700)
      ])
    try await home.house.ledger.undo(commit: receipt.token.sequence)
    try await home.house.ends { snapshot throws in
      #expect(try shown(snapshot, ["2026-01"]) == month)
    }
  }

  /// buckets #513 and actual #7362: a transfer out of the budget can be spent from an envelope, and one
  /// into it refunded to an envelope; within the budget, it moves nothing between envelopes.
  @Test func transfersOutOfTheBudgetNameACategory() async throws {
    let home = try await Home()
    let broker = try await home.house.account("Broker")
    var change = AccountChange()
    change.isOutsideBudget = true
    try await home.house.append(.amendAccount(broker, change))
    try await home.assign("300", home.food, "2026-01")
    try await home.house.append(
      .record(
        .transfer(
          money("200"), from: home.checking, to: broker, category: home.food,
          on: day("2026-01-08"))))
    #expect(
      try home.house.ledger.read { try shown($0, ["2026-01"]) } == [
        Shown(["Food": 100, "Rent": 0], ready: 700)
      ])
    try await home.house.append(
      .record(
        .transfer(
          money("50"), from: broker, to: home.checking, category: home.food, isRefund: true,
          on: day("2026-01-09"))))
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2026-01"]) == [Shown(["Food": 150, "Rent": 0], ready: 700)])
      #expect(try snapshot.balances(on: today).map(\.balance.units) == [85_000, 15_000])
      // It counts in the category, too.
      let totals = try snapshot.breakdown(in: month("2026-01").days, kind: .expense, today: today)
      #expect(totals.map { $0.totals.map(\.units) } == [[15_000]])
    }
  }

  /// Amounts in other currencies count what they cost, or are converted at the rate of their day, and
  /// follow when the rate changes.
  @Test func otherCurrencies() async throws {
    let home = try await Home()
    let dollars = try await home.house.account("Dollars", opening: "10", in: usd)
    try await home.assign("5000", home.food, "2026-01")
    try await home.house.expense(money("2", usd), from: dollars, home.food, on: "2026-01-10")
    let before = [Shown(["Food": 4_100, "Rent": 0], ready: 500)]
    #expect(try home.house.ledger.read { try shown($0, ["2026-01"]) } == before)
    try await home.house.append(try home.house.rate(usd, kzt, "500", "2026-01-05"))
    try await home.house.ends { snapshot throws in
      // 8 USD are 4,000, 2 USD cost 1,000.
      #expect(
        try shown(snapshot, ["2026-01"]) == [Shown(["Food": 4_000, "Rent": 0], ready: 1_000)])
    }
  }

  @Test func aMoveChangesTwoEnvelopes() async throws {
    let home = try await Home()
    try await home.assign("300", home.food, "2026-02")
    let move = try #require(
      try await home.house.append(
        .moveMoney(
          money("50"), from: home.food, to: home.rent, in: month("2026-02"), note: "short")
      ).allocations.first)
    try await home.house.append(
      .moveMoney(money("7"), from: nil, to: home.food, in: month("2026-02")))
    let moved = [Shown(["Food": 257, "Rent": 50], ready: 693)]
    #expect(try home.house.ledger.read { try shown($0, ["2026-02"]) } == moved)
    try await home.house.append(.removeMove(move))
    try await home.house.ends { snapshot throws in
      #expect(try shown(snapshot, ["2026-02"]) == [Shown(["Food": 307, "Rent": 0], ready: 693)])
    }
  }

  /// A rehearsal tells of envelopes once there are any.
  @Test func rehearsals() async throws {
    let home = try await Home()
    let february = month("2026-02")
    func changes(_ command: Command) async throws -> [FigureChange] {
      try await home.house.ledger.figures(changedBy: [command], today: today).figures.filter {
        $0.figure == .envelope || $0.figure == .readyToAssign
      }
    }
    let lunch = Command.record(
      .expense(money("10"), from: home.checking, category: home.rent, on: today))
    #expect(try await changes(lunch) == [])
    let first = Command.assign(money("300"), to: home.food, in: february)
    let filled = [
      FigureChange(
        figure: .readyToAssign, month: february, before: total("1000"), after: total("700")),
      FigureChange(
        figure: .envelope, subject: home.food.rawValue, month: february, before: total("0"),
        after: total("300")),
    ]
    #expect(try await changes(first) == filled)
    try await home.house.append(first)
    let spent = FigureChange(
      figure: .envelope, subject: home.rent.rawValue, month: february, before: total("0"),
      after: Total(units: -1_000, currency: kzt))
    #expect(try await changes(lunch) == [spent])
    try await home.house.end()
  }

  /// A change years ago writes a row, and changes all later months.
  @Test func aChangeLongAgo() async throws {
    let home = try await Home()
    for text in ["2021-02", "2023-07", "2026-01"] {
      try await home.assign("100", home.food, text)
    }
    try await home.house.expense(
      money("30"), from: home.checking, home.food, on: "2021-02-28")
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2021-02", "2022-12", "2023-07", "2026-02"]).map {
          $0.available["Food"]
        } == [70, 70, 170, 270])
    }
  }

  // MARK: Categories that go

  /// Merging categories adds what they were assigned, month by month, and undoing it restores both.
  @Test func mergedCategories() async throws {
    let home = try await Home()
    try await home.assign("300", home.food, "2026-01")
    try await home.assign("40", home.rent, "2026-01")
    try await home.assign("5", home.food, "2026-02")
    try await home.house.append(
      .moveMoney(money("10"), from: home.food, to: home.rent, in: month("2026-02")))
    let before = try home.house.ledger.read { try shown($0, ["2026-01", "2026-02"]) }
    let merged = try await home.house.append(.mergeCategories(home.food, into: home.rent))
    #expect(
      try home.house.ledger.read { try shown($0, ["2026-01", "2026-02"]) } == [
        Shown(["Rent": 340], ready: 660), Shown(["Rent": 345], ready: 655),
      ])
    try await home.house.ledger.undo(commit: merged.token.sequence)
    try await home.house.ends { snapshot throws in
      #expect(try shown(snapshot, ["2026-01", "2026-02"]) == before)
    }
  }

  /// The money of a deleted category is ready to assign; what it gave to others stays there.
  @Test func aDeletedCategoryReleasesItsMoney() async throws {
    let home = try await Home()
    try await home.assign("300", home.food, "2026-02")
    try await home.house.append(
      .moveMoney(money("50"), from: home.food, to: home.rent, in: month("2026-02")))
    try await home.house.append(.deleteCategory(home.food, .withRows))
    #expect(
      try home.house.ledger.read { try shown($0, ["2026-02"]) } == [
        Shown(["Rent": 50], ready: 950)
      ])
    try await home.house.end()
  }

  /// A category deleted with its transactions kept still has its money, which can be moved away.
  @Test func aKeptCategoryStillHasItsMoney() async throws {
    let home = try await Home()
    try await home.assign("300", home.food, "2026-02")
    try await home.house.append(.deleteCategory(home.food, .keepRows))
    #expect(
      try home.house.ledger.read { try shown($0, ["2026-02"]) } == [
        Shown(["Food": 300, "Rent": 0], ready: 700)
      ])
    try await home.house.append(
      .moveMoney(money("300"), from: home.food, to: nil, in: month("2026-03")))
    try await home.house.ends { snapshot throws in
      #expect(
        try shown(snapshot, ["2026-03"]) == [Shown(["Food": 0, "Rent": 0], ready: 1_000)])
      #expect(try shown(snapshot, ["2026-04"]) == [Shown(["Rent": 0], ready: 1_000)])
    }
  }

  // MARK: Refusals

  @Test func whatIsRefused() async throws {
    let home = try await Home()
    let salary = try await home.house.category("Salary", .income)
    let (march, one) = (month("2026-03"), money("1"))
    let assignment = AllocationID.assignment(of: home.food, in: march)
    let cases: [(Command, Refusal.Code)] = [
      (.assign(money("1", usd), to: home.food, in: march), .currencyMismatch),
      (.assign(one, to: salary, in: march), .kind),
      (.assign(one, to: .uncategorizedExpense, in: march), .builtin),
      (.assign(one, to: CategoryID(EntityID(high: 9, low: 9)), in: march), .missing),
      (.assign(one, to: home.food, in: Month(year: 10_000, month: 1)), .day),
      (.moveMoney(one, from: nil, to: nil, in: march), .transfer),
      (.moveMoney(one, from: home.food, to: home.food, in: march), .transfer),
      (.moveMoney(Money(0, kzt), from: home.food, to: nil, in: march), .value),
      (.moveMoney(Money(-1, kzt), from: home.food, to: nil, in: march), .negative),
      (.moveMoney(one, from: nil, to: home.food, in: march, id: assignment), .duplicateID),
      (.removeMove(assignment), .missing),
    ]
    try await home.assign("1", home.food, "2026-03")
    for (command, code) in cases {
      let error = await #expect(throws: DaybookError.self) {
        try await home.house.append(command)
      }
      #expect(error?.refusal?.code == code, "\(command)")
    }
    try await home.house.append(.setSettings(SettingsChange(baseCurrency: .some(nil))))
    let error = await #expect(throws: DaybookError.self) {
      try await home.assign("1", home.food, "2026-04")
    }
    #expect(error?.refusal?.code == .currency)
    try await home.house.end()
  }

  /// The creation of a category can't be undone while an envelope has money of it.
  @Test func aCategoryWithMoneyStays() async throws {
    let home = try await Home()
    let fun = try await home.house.append(
      .createCategory(NewCategory(name: "Fun", kind: .expense)))
    let assigned = try await home.house.append(
      .assign(money("1"), to: try #require(fun.categories.first), in: month("2026-02")))
    let error = await #expect(throws: DaybookError.self) {
      try await home.house.ledger.undo(commit: fun.token.sequence)
    }
    #expect(error?.refusal?.code == .inUse)
    try await home.house.ledger.undo(commit: assigned.token.sequence)
    try await home.house.ledger.undo(commit: fun.token.sequence)
    try await home.house.end()
  }
}
