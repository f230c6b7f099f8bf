// Goal: the sums of a list are what its transactions add up to, at the cost that the documentation
// promises. Method: small households whose sums were worked out by hand, several of them after bug reports
// about other programs; long lists of which the rows that are read are counted.

import DaybookProjections
import Testing

@testable import Daybook

@Suite struct ListSumsTests {
  private func sums(
    _ house: House, _ filter: TransactionFilter, base: Currency? = nil, atMost: Int = .max
  ) throws -> TransactionSums {
    try house.ledger.read { try $0.sums(of: filter, base: base, readingAtMost: atMost) }
  }

  private func amounts(
    _ moneyIn: String, _ moneyOut: String, transfers: String = "0", _ currency: Currency = kzt
  ) -> CurrencySums {
    CurrencySums(
      in: currency, moneyIn: total(moneyIn, currency).units,
      moneyOut: total(moneyOut, currency).units, transfers: total(transfers, currency).units)
  }

  private struct Household {
    var checking: AccountID
    var cash: AccountID
    var food: CategoryID
    var bread: CategoryID
    var salary: CategoryID
  }

  /// Eight transactions in tenge.
  private func filled(_ house: House) async throws -> Household {
    let food = try await house.category("Food")
    let made = Household(
      checking: try await house.account("Checking"), cash: try await house.account("Cash"),
      food: food,
      bread: try await house.category("Bread", in: food),
      salary: try await house.category("Salary", .income))
    let refund = Draft.refund(
      money("40"), into: made.checking, category: made.food, on: day("2026-01-20"), payee: "Rewe")
    let split = Draft.split(
      from: made.checking,
      parts: [
        .init(money("70"), made.food), .init(money("30"), made.bread),
      ], on: day("2026-01-25"), tags: ["party"])
    let expense = Draft.expense(
      money("200"), from: made.checking, category: made.food, on: day("2026-01-10"),
      payee: "Rewe", tags: ["party"])
    try await house.ledger.append(
      .record(
        .income(money("1000"), into: made.checking, category: made.salary, on: day("2026-01-05"))),
      .record(expense), .record(refund), .record(split),
      .record(.transfer(money("300"), from: made.checking, to: made.cash, on: day("2026-01-26"))),
      .record(.expense(money("15"), from: made.cash, category: made.bread, on: day("2026-02-01"))),
      .record(.expense(money("9"), from: made.cash, on: day("2026-02-02"))),
      // Planned, and yet in the list.
      .record(
        .expense(money("500"), from: made.checking, category: made.food, on: day("2026-12-01"))))
    return made
  }

  // Reported of Actual (releases #176: the parts of splits were missing from a category's sum; #1732: they were
  // counted twice), of Budget (#361: refunds were not netted), and of Monize (#282: the sum of an account's
  // rows with a tag was another list's).
  @Test func everyKindOfFilterHasItsSums() async throws {
    let house = try await House()
    let made = try await filled(house)
    let january = month("2026-01").days
    let cases: [(TransactionFilter, count: Int, CurrencySums)] = [
      (.all, 8, amounts("1040", "824", transfers: "300")),
      (TransactionFilter(days: january), 5, amounts("1040", "300", transfers: "300")),
      (TransactionFilter(type: .expense), 6, amounts("40", "824")),
      (TransactionFilter(type: .income), 1, amounts("1000", "0")),
      (TransactionFilter(type: .transfer), 1, amounts("0", "0", transfers: "300")),
      (TransactionFilter(account: made.checking), 6, amounts("1040", "1100")),
      (TransactionFilter(account: made.cash), 3, amounts("300", "24")),
      // Between the two, the transfer is money in and out.
      (TransactionFilter(accounts: [made.checking, made.cash]), 8, amounts("1340", "1124")),
      (TransactionFilter(account: made.checking, days: january), 5, amounts("1040", "600")),
      (TransactionFilter(category: made.food), 5, amounts("40", "815")),
      (
        TransactionFilter(category: made.food, includesSubcategories: false), 4,
        amounts("40", "770")
      ),
      (TransactionFilter(category: made.bread), 2, amounts("0", "45")),
      (TransactionFilter(isUncategorized: true), 1, amounts("0", "9")),
      (TransactionFilter(currency: kzt), 8, amounts("1040", "824", transfers: "300")),
      (TransactionFilter(payee: "rewe"), 2, amounts("40", "200")),
      (TransactionFilter(tags: ["party"]), 2, amounts("0", "300")),
      (TransactionFilter(category: made.bread, tags: ["party"]), 1, amounts("0", "30")),
      (
        TransactionFilter(account: made.checking, category: made.bread), 1, amounts("0", "100")
      ),
      (TransactionFilter(amounts: [AmountRange(3_000...3_000, in: kzt)]), 1, amounts("0", "100")),
      (TransactionFilter(text: "bread"), 2, amounts("0", "115")),
    ]
    try await house.ends { snapshot throws in
      for (filter, count, expected) in cases {
        let found = try snapshot.sums(of: filter)
        #expect(found.count == count, "\(filter)")
        #expect(found.amounts == [expected], "\(filter)")
        #expect(found.converted?.moneyIn.total == expected.moneyIn, "\(filter)")
        #expect(found.converted?.net == expected.net, "\(filter)")
        #expect(found.isComplete)
      }
    }
  }

  @Test func nothingAddsUpToNothing() async throws {
    let house = try await House(base: nil)
    let food = try await house.category("Food")
    for filter in [TransactionFilter.all, TransactionFilter(category: food, text: "x")] {
      #expect(try sums(house, filter) == TransactionSums(count: 0, amounts: []))
    }
    let missing = TransactionFilter(category: CategoryID(EntityID(high: 6, low: 1)))
    #expect(throws: DaybookError.self) { try sums(house, missing) }
    try await house.end()
  }

  // Reported of Firefly III (#780: only one of three currencies was in the list's sum) and Money Manager Ex
  // (#1909: the sum of a filtered list was converted twice).
  @Test func currenciesAreSummedSeparatelyAndConvertedByDay() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", in: usd)
    let food = try await house.category("Food")
    try await house.ledger.append(
      try house.rate(usd, kzt, "500", "2026-02-01"),
      .record(.expense(money("10", usd), from: dollars, category: food, on: day("2026-01-10"))),
      .record(.expense(money("10", usd), from: dollars, category: food, on: day("2026-02-10"))),
      .record(.refund(money("1", usd), into: dollars, category: food, on: day("2026-02-10"))),
      .record(.expense(money("7"), from: nil, category: food, on: day("2026-02-10"))))
    try await house.ends { snapshot throws in
      for filter in [
        TransactionFilter.all, TransactionFilter(category: food), TransactionFilter(type: .expense),
        TransactionFilter(text: "food"),
      ] {
        let found = try snapshot.sums(of: filter)
        #expect(found.amounts == [amounts("0", "7"), amounts("1", "20", usd)])
        // 10 at 450 and 10 at 500, and 7 as they are.
        #expect(found.converted?.moneyOut.total == total("9507"))
        #expect(found.converted?.moneyIn.total == total("500"))
      }
      let own = try snapshot.sums(of: TransactionFilter(account: dollars))
      #expect(own.converted?.moneyOut.total == total("9500"))
      #expect(own.amounts == [amounts("1", "20", usd)])
    }
  }

  @Test func aStatedCostIsUsedAsItIs() async throws {
    let house = try await House()
    let checking = try await house.account("Checking")
    let (food, fun) = (try await house.category("Food"), try await house.category("Fun"))
    try await house.ledger.append(
      .record(
        .expense(
          money("20", usd), from: checking, category: food, on: day("2026-01-10"),
          accountAmount: money("9999"))),
      .record(
        .refund(
          money("5", usd), into: checking, category: food, on: day("2026-01-10"),
          accountAmount: money("2400"))),
      .record(.expense(money("2", usd), from: nil, category: food, on: day("2026-01-10"))),
      .record(.expense(money("3"), from: checking, category: fun, on: day("2026-01-10"))))
    try await house.ends { snapshot throws in
      for (filter, rest) in [
        (TransactionFilter.all, "3"), (TransactionFilter(type: .expense), "3"),
        (TransactionFilter(category: food), "0"), (TransactionFilter(currency: usd), "0"),
        (TransactionFilter(text: "food"), "0"),
      ] {
        let found = try snapshot.sums(of: filter)
        #expect(found.amounts(in: usd) == amounts("5", "22", usd), "\(filter)")
        // 20 USD cost 9999, 2 USD are converted at 450.
        let out = total("10899").units + total(rest).units
        #expect(found.converted?.moneyOut.total.units == out, "\(filter)")
        #expect(found.converted?.moneyIn.total == total("2400"), "\(filter)")
      }
      let inDollars = try snapshot.sums(of: TransactionFilter(account: checking), base: usd)
      #expect(inDollars.amounts == [amounts("2400", "10002")])
    }
  }

  @Test func amountsWithoutARateAreReported() async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    try await house.ledger.append(
      .record(.expense(money("10", usd), from: nil, category: food, on: day("2026-01-10"))),
      .record(.expense(money("5", usd), from: nil, category: food, on: day("2026-01-10"))),
      .record(.refund(money("1", usd), into: nil, category: food, on: day("2026-01-11"))),
      .record(.expense(money("7"), from: nil, category: food, on: day("2026-01-10"))))
    try await house.ends { snapshot throws in
      for filter in [TransactionFilter.all, TransactionFilter(category: food, text: "food")] {
        let found = try #require(try snapshot.sums(of: filter).converted)
        #expect(found.moneyOut.total == total("7"))
        #expect(found.moneyOut.unconverted == [Unconverted(total: total("15", usd), count: 2)])
        #expect(found.moneyIn.unconverted == [Unconverted(total: total("1", usd), count: 1)])
        #expect(found.transfers.isComplete)
      }
    }
  }

  @Test func aTransferCountsOnEachAccountOnItsDay() async throws {
    let house = try await House()
    let (a, b) = (try await house.account("A"), try await house.account("B"))
    var transfer = Draft.transfer(money("100"), from: a, to: b, on: day("2026-01-31"))
    transfer.valueDay = day("2026-02-02")
    try await house.ledger.append(.record(transfer))
    let (january, february) = (month("2026-01").days, month("2026-02").days)
    try await house.ends { snapshot throws in
      // The list of several accounts has it on its own day only, with both sides.
      let expected: [([AccountID], Range<Day>?, [CurrencySums])] = [
        ([a], january, [amounts("0", "100")]), ([a], february, []), ([b], january, []),
        ([b], february, [amounts("100", "0")]), ([a, b], january, [amounts("100", "100")]),
        ([a, b], february, []), ([a, b], nil, [amounts("100", "100")]),
      ]
      for (accounts, days, sums) in expected {
        let found = try snapshot.sums(of: TransactionFilter(days: days, accounts: accounts))
        #expect(found.amounts == sums && found.count == sums.count)
      }
    }
  }

  @Test func storedTotalsNeedNoRowsAndOthersStopAtTheMaximum() async throws {
    let house = try await House()
    let accounts = [try await house.account("A"), try await house.account("B")]
    let food = try await house.category("Food")
    let commands = (0..<2_000).map { index in
      Command.record(
        .expense(
          money("1"), from: accounts[index % 2], category: index % 10 == 0 ? nil : food,
          on: day("2021-01-01").adding(days: index % 700),
          tags: index % 100 == 0 ? ["rare"] : []))
    }
    try await house.ledger.append(commands)
    let days = day("2021-03-05")..<day("2022-02-11")
    for filter in [
      TransactionFilter.all, TransactionFilter(days: days), TransactionFilter(account: accounts[0]),
      TransactionFilter(category: food, days: days), TransactionFilter(type: .expense, days: days),
      TransactionFilter(currency: kzt, days: days), TransactionFilter(isUncategorized: true),
      TransactionFilter(account: accounts[1], days: days), TransactionFilter(accounts: accounts),
    ] {
      let found = try sums(house, filter, atMost: 0)
      #expect(found.isComplete && found.readCount == 0, "\(filter)")
      #expect(found.amounts(in: kzt).moneyOut == total("\(found.count)"), "\(filter)")
    }
    // An index finds the rows with a tag, so few others are read.
    let rare = try TextSearchLimits.$newestCount.withValue(0) {
      try sums(house, TransactionFilter(tags: ["rare"]))
    }
    #expect(rare.count == 20 && rare.readCount <= 60, "\(rare.readCount)")
    let both = TransactionFilter(account: accounts[0], category: food, days: days)
    let whole = try sums(house, both)
    #expect(whole.isComplete && whole.readCount <= 1_000)
    let cut = try sums(house, TransactionFilter(days: days, accounts: accounts), atMost: 100)
    #expect(!cut.isComplete && cut.count == 100 && cut.readCount == 100)
    let exact = try sums(house, TransactionFilter(days: days, accounts: accounts))
    #expect(
      try sums(house, TransactionFilter(days: days, accounts: accounts), atMost: exact.readCount)
        == exact)
    #expect(throws: DaybookError.self) { try sums(house, .all, atMost: -1) }
    try await house.end()
  }

  @Test func pastSumsAreThoseOfThatMoment() async throws {
    let house = try await House()
    let made = try await filled(house)
    let before = try house.ledger.read { $0.token }
    let known = try sums(house, .all)
    try await house.expense(money("77"), from: made.cash, made.food, on: "2026-02-03")
    let past = try house.ledger.past(asOf: before)
    #expect(try past.read { try $0.sums(of: .all) } == known)
    #expect(try sums(house, .all).amounts == [amounts("1040", "901", transfers: "300")])
    try await house.end()
  }

  // Reported of Firefly III (#978): a transfer between currencies was in the sums as a difference.
  @Test func aTransferBetweenCurrenciesIsNeitherIncomeNorExpense() async throws {
    let house = try await House()
    let (euros, tenge) = (try await house.account("E", in: eur), try await house.account("T"))
    try await house.transfer(
      money("10", eur), from: euros, to: tenge, on: "2026-01-10", targetAmount: money("4870"))
    try await house.ends { snapshot throws in
      for filter in [TransactionFilter.all, TransactionFilter(type: .transfer)] {
        let found = try snapshot.sums(of: filter)
        #expect(found.amounts == [amounts("0", "0", transfers: "10", eur)])
        #expect(found.converted?.net == total("0"))
        #expect(found.converted?.transfers.total == total("5000"))
      }
      let both = try snapshot.sums(of: TransactionFilter(accounts: [euros, tenge]))
      #expect(both.amounts == [amounts("0", "10", eur), amounts("4870", "0")])
      #expect(both.converted?.net == total("-130"))
    }
  }

  // Reported of Firefly III (#1675: a transaction with two tags was counted twice for each; #1898: an income
  // with two tags was counted twice).
  @Test func tagsAndPayeesByMonth() async throws {
    let house = try await House()
    let food = try await house.category("Food")
    func row(_ amount: String, _ on: String, _ payee: String, _ tags: [String]) -> Command {
      .record(
        .expense(money(amount), category: food, on: day(on), payee: payee, tags: tags))
    }
    try await house.ledger.append(
      row("10", "2025-12-31", "Rewe", ["a"]), row("20", "2026-01-01", "REWE", ["a", "b"]),
      row("30", "2026-01-31", "Lidl", ["b"]), row("5", "2026-02-15", "Rewe", ["b"]),
      row("99", "2026-02-16", "Rewe", ["b"]), row("1", "2026-02-01", "", []))
    let months = month("2026-01")..<month("2026-03")
    try await house.ends { snapshot throws in
      let tags = try snapshot.tagMonths(months, today: today)
      #expect(tags.map(\.name) == ["b", "a"])
      #expect(tags[0].months.map { $0.sums.count } == [2, 1])
      #expect(tags[0].months[0].sums.amounts == [amounts("0", "50")])
      #expect(tags[0].months[1].sums.amounts == [amounts("0", "5")])
      #expect(tags[1].months.map { $0.sums.amounts } == [[amounts("0", "20")], []])
      let payees = try snapshot.payeeMonths(months, today: today)
      #expect(payees.map(\.name) == ["Rewe", "Lidl"])
      #expect(payees[0].months.map { $0.sums.count } == [1, 1])
      let some = try snapshot.payeeMonths(months, startingWith: "LI", today: today)
      #expect(some.map(\.name) == ["Lidl"])
      #expect(try snapshot.tagMonths(month("2026-01")..<month("2026-01"), today: today).isEmpty)
    }
  }
}
