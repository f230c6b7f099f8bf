/// Goal: "Transfers and currencies" of the scenarios hold. Method: each is told through the public
/// API with the amounts of the text, and has the common ending.
import Daybook
import Testing

@Suite struct TransferScenarios {
  @Test func lifeOfATransfer() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let b = try await house.account("B", opening: "500")
    func expect(_ inA: String, _ inB: String, transfers: String) throws {
      #expect(try house.balance(a) == total(inA))
      #expect(try house.balance(b) == total(inB))
      let figures = try house.figures()
      #expect(figures.income == total("0"))
      #expect(figures.expense == total("0"))
      #expect(figures.transfers == total(transfers))
    }
    let transfer = try await house.transfer(money("100"), from: a, to: b)
    try expect("900", "600", transfers: "100")
    try await house.append(.amend(transfer, Amendment(amount: money("200"))))
    try expect("800", "700", transfers: "200")
    let refused = [
      Draft.transfer(money("10"), from: a, to: a, on: today),
      Draft.transfer(money("0"), from: a, to: b, on: today),
      Draft.transfer(money("-10"), from: a, to: b, on: today),
    ]
    for draft in refused {
      await #expect(throws: DaybookError.self) { try await house.append(.record(draft)) }
    }
    try expect("800", "700", transfers: "200")
    try await house.append(.delete(transfer))
    try expect("1000", "500", transfers: "0")
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 0) }
  }

  @Test func acrossCurrenciesTheTargetAmountIsKept() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", opening: "1000", in: usd)
    let tenge = try await house.account("Tenge", opening: "500")
    try await house.transfer(
      money("100", usd), from: dollars, to: tenge, targetAmount: money("45000"))
    #expect(try house.balance(dollars) == total("900", usd))
    #expect(try house.balance(tenge) == total("45500"))
    let rich = try await house.account("Rich", opening: "5000", in: usd)
    let big = try await house.transfer(
      money("1000", usd), from: rich, to: tenge, targetAmount: money("450000"))
    // Another rate must not move what was stored.
    try await house.append(try house.rate(usd, kzt, "470", "2026-02-01"))
    try await house.append(.amend(big, Amendment(note: "for the flat")))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: rich, on: today) == total("4000", usd))
      #expect(try snapshot.balance(of: tenge, on: today) == total("495500"))
      #expect(try snapshot.transaction(big)?.note == "for the flat")
    }
  }

  @Test func withoutATargetAmountTheDaysRateIsStored() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", opening: "1000", in: usd)
    let tenge = try await house.account("Tenge", opening: "500")
    try await house.transfer(money("100", usd), from: dollars, to: tenge)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: dollars, on: today) == total("900", usd))
      #expect(try snapshot.balance(of: tenge, on: today) == total("45500"))
    }
  }

  @Test func onlyAConvertedAmountFollowsTheRate() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", opening: "1000", in: usd)
    let tenge = try await house.account("Tenge")
    let stated = try await house.transfer(
      money("100", usd), from: dollars, to: tenge, targetAmount: money("44000"))
    let converted = try await house.transfer(money("100", usd), from: dollars, to: tenge)
    try await house.append(try house.rate(usd, kzt, "460", "2026-02-11"))
    let past = try house.ledger.token
    func expect(_ balance: String, _ snapshot: borrowing Snapshot) throws {
      #expect(try snapshot.balance(of: tenge, on: today) == total(balance))
      #expect(try snapshot.transaction(stated)?.isConverted == false)
      #expect(try snapshot.transaction(converted)?.isConverted == true)
    }
    func moves(to text: String) -> [Command] {
      [stated, converted].map { .amend($0, Amendment(day: day(text))) }
    }
    let figures = try await house.ledger.figures(
      changedBy: moves(to: "2026-02-12"), today: today
    ).figures.filter { $0.figure == .balance }
    #expect(
      figures == [
        FigureChange(
          figure: .balance, subject: tenge.rawValue, before: total("89000"), after: total("90000"))
      ])
    try house.ledger.read { try expect("89000", $0) }
    try await house.ledger.append(moves(to: "2026-02-12"))
    try house.ledger.read { try expect("90000", $0) }
    try house.ledger.read(asOf: past) { try expect("89000", $0) }
    var options = PurgeOptions()
    options.policy = .count(0)
    try await house.ledger.purge(options)
    try await house.ledger.append(moves(to: "2026-02-10"))
    try house.ledger.read { try expect("89000", $0) }
    try await house.ledger.append(moves(to: "2026-02-13"))
    try await house.ends { try expect("90000", $0) }
  }

  @Test func givenPostingsSayWhetherTheyWereConverted() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", opening: "1000", in: usd)
    let tenge = try await house.account("Tenge")
    let made = try await house.transfer(money("100", usd), from: dollars, to: tenge)
    let row = try #require(try house.ledger.read { try $0.transaction(made) })
    func again(_ isConverted: Bool) async throws -> TransactionID {
      var draft = Draft.postings(Array(row.postings), on: row.day)
      draft.isConverted = isConverted
      return try #require(try await house.append(.record(draft)).transactions.first)
    }
    let (stated, converted) = (try await again(false), try await again(true))
    var amendment = Amendment(postings: Array(row.postings))
    try await house.append(.amend(converted, amendment))
    #expect(try house.ledger.read { try $0.transaction(converted) }?.isConverted == false)
    amendment.isConverted = true
    try await house.append(.amend(converted, amendment))
    // Without an exchange, nothing was converted.
    let food = try await house.category("Food")
    amendment = Amendment(postings: [
      Posting(.account(tenge), money("-5")), Posting(.category(food), money("5")),
    ])
    amendment.isConverted = true
    try await house.append(.amend(made, amendment))
    try await house.ends { snapshot throws in
      #expect(try snapshot.transaction(stated)?.isConverted == false)
      #expect(try snapshot.transaction(converted)?.isConverted == true)
      #expect(try snapshot.transaction(made)?.isConverted == false)
    }
  }

  @Test func threeAmountsThreeMeanings() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", opening: "1000", in: usd)
    let travel = try await house.category("Travel")
    try await house.expense(money("20", usd), from: dollars, travel)
    try await house.expense(money("100", usd), from: dollars, travel)
    let february = month("2026-02").days
    try house.ledger.read { snapshot throws in
      let base = try snapshot.baseTotals(in: february, today: today)
      #expect(base.expense == Converted(total: total("54000")))
    }
    let meals = try await house.category("Meals")
    let euros = try await house.expense(money("100", eur), from: dollars, meals)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: dollars, on: today) == total("768.89", usd))
      let base = try snapshot.baseBreakdown(in: february, kind: .expense, today: today)
      #expect(
        base.first { $0.category.id == meals }?.amount == Converted(total: total("50000")))
      let postings = try #require(try snapshot.transaction(euros)).postings
      let expected: Set<String> = [
        "account -111.11 USD", "exchange 111.11 USD", "exchange -100.00 EUR",
        "category 100.00 EUR",
      ]
      let found = postings.map { posting in
        let place =
          switch posting.account {
          case .account(.exchange): "exchange"
          case .account: "account"
          case .category: "category"
          }
        return "\(place) \(posting.amount)"
      }
      #expect(Set(found) == expected)
      #expect(found.count == 4)
    }
  }

  /// 20 CHF charged as 21.24 EUR, in three parts, and a refund, are worth what the card was charged,
  /// without a rate and with any.
  @Test(arguments: ["none", "1.05", "0.01"]) func whatWasPaidIsWhatItCosts(rate: String)
    async throws
  {
    let house = try await House(rates: false, base: eur)
    let chf = iso("CHF")
    if rate != "none" { try await house.append(try house.rate(chf, eur, rate, "2026-01-01")) }
    let card = try await house.account("Card", opening: "1000", in: eur)
    let food = try await house.category("Food")
    let fun = try await house.category("Fun")
    let all = try await house.budget("All", money("100", eur), on: [])
    let one = try await house.budget("One", money("100", eur), on: [food])
    let before = try house.ledger.token
    let lunch = Draft.expense(
      money("20", chf), from: card, category: food, on: day("2026-02-10"),
      accountAmount: money("21.24", eur))
    let rehearsed = try await house.ledger.figures(changedBy: [.record(lunch)], today: today)
    #expect(
      rehearsed.figures.filter { $0.figure == .budgetSpent }.map(\.after) == [
        total("21.24", eur), total("21.24", eur),
      ])
    let id = try #require(try await house.append(.record(lunch)).transactions.first)
    func expect(_ spent: String, food onFood: String, _ snapshot: borrowing Snapshot) throws {
      let february = month("2026-02")
      let amount = Converted(total: total(spent, eur))
      #expect(try snapshot.balance(of: card, on: today).units == 100_000 - amount.total.units)
      #expect(try snapshot.baseTotals(in: february.days, today: today).expense == amount)
      let months = try snapshot.baseMonths(february..<february.adding(1), today: today)
      #expect(months.map(\.totals.expense) == [amount])
      let categories = try snapshot.baseBreakdown(
        in: february.days, kind: .expense, today: today)
      #expect(categories.map(\.amount.total.units).reduce(0, +) == amount.total.units)
      #expect(
        categories.first { $0.category.id == food }?.amount == Converted(total: total(onFood, eur)))
      let trend = try snapshot.baseTrend(
        of: food, over: february..<february.adding(1), today: today)
      #expect(trend.map(\.amount) == [Converted(total: total(onFood, eur))])
      #expect(try snapshot.budgetStatus(of: all, today: today)?.spent == amount)
      #expect(
        try snapshot.budgetStatus(of: one, today: today)?.spent
          == Converted(total: total(onFood, eur)))
    }
    try house.ledger.read { try expect("21.24", food: "21.24", $0) }
    // Only the amount on the account changes.
    try await house.append(.amend(id, Amendment(accountAmount: money("22", eur))))
    try house.ledger.read { try expect("22", food: "22", $0) }
    // Three parts of 10.00 EUR: the first gets the odd cent.
    try await house.append(
      .record(
        .split(
          from: card,
          parts: [
            Draft.Part(money("1", chf), food), Draft.Part(money("1", chf), fun),
            Draft.Part(money("1", chf), nil),
          ], on: day("2026-02-11"), accountAmount: money("-10", eur))))
    try house.ledger.read { try expect("32", food: "25.34", $0) }
    // A refund, and a part in the account's own currency.
    try await house.append(
      .record(
        .refund(
          money("5", chf), into: card, category: food, on: day("2026-02-11"),
          accountAmount: money("4.99", eur))))
    try await house.append(
      .record(
        .split(
          from: card,
          parts: [Draft.Part(money("2", eur), food), Draft.Part(money("3", chf), fun)],
          on: day("2026-02-12"), accountAmount: money("-5.50", eur))))
    let now = try house.ledger.token
    try await house.append(.delete(id))
    try house.ledger.read { try expect("10.51", food: "0.35", $0) }
    try house.ledger.read(asOf: now) { try expect("32.51", food: "22.35", $0) }
    try house.ledger.read(asOf: before) { snapshot throws in
      #expect(try snapshot.budgetStatus(of: all, today: today)?.spent.total == total("0", eur))
    }
    try await house.ends { try expect("10.51", food: "0.35", $0) }
  }

  @Test func aMissingRateIsNotOneToOne() async throws {
    let house = try await House(rates: false)
    let dollars = try await house.account("Dollars", opening: "1000", in: usd)
    let food = try await house.category("Food")
    let row = try await house.expense(money("100", usd), from: dollars, food)
    let february = month("2026-02").days
    let stored = try house.ledger.read { snapshot throws in
      let expense = try snapshot.baseTotals(in: february, today: today).expense
      #expect(expense.total == total("0"))
      #expect(expense.unconverted == [Unconverted(total: total("100", usd), count: 1)])
      return try #require(try snapshot.transaction(row))
    }
    // A rate of a later day changes nothing; one no later than the expense does.
    try await house.append(try house.rate(usd, kzt, "460", "2026-02-11"))
    try house.ledger.read { snapshot throws in
      #expect(try !snapshot.baseTotals(in: february, today: today).expense.isComplete)
    }
    try await house.append(try house.rate(usd, kzt, "450", "2026-02-10"))
    try await house.ends { snapshot throws in
      let expense = try snapshot.baseTotals(in: february, today: today).expense
      #expect(expense == Converted(total: total("45000")))
      #expect(try snapshot.transaction(row) == stored)
    }
  }

  @Test func switchingTheBaseCurrency() async throws {
    let house = try await House()
    let tenge = try await house.account("Tenge", opening: "10000")
    let dollars = try await house.account("Dollars", opening: "100", in: usd)
    let food = try await house.category("Food")
    try await house.expense(money("4500"), from: tenge, food)
    try await house.expense(money("10", usd), from: dollars, food)
    func expect(_ base: Total) throws {
      try house.ledger.read { snapshot throws in
        let february = month("2026-02").days
        let figures = try snapshot.baseBreakdown(in: february, kind: .expense, today: today)
        #expect(figures.map(\.amount) == [Converted(total: base)])
        #expect(try snapshot.balance(of: tenge, on: today) == total("5500"))
        #expect(try snapshot.balance(of: dollars, on: today) == total("90", usd))
      }
    }
    try expect(total("9000"))
    try await house.append(.setSettings(SettingsChange(baseCurrency: .some(usd))))
    try expect(total("20.00", usd))
    try await house.append(.setSettings(SettingsChange(baseCurrency: .some(kzt))))
    try expect(total("9000"))
    try await house.ends { snapshot throws in #expect(try snapshot.settings().baseCurrency == kzt) }
  }
}
