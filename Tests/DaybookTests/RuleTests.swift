/// Goal: "Rules that decide the rest" of the scenarios hold where no scenario tells of them. Method:
/// each rule is tried by its number through the public API.
import Daybook
import Testing

@Suite struct RuleTests {
  private func refusal(_ house: House, _ command: Command) async -> Refusal.Code? {
    let error = await #expect(throws: DaybookError.self) { try await house.append(command) }
    return error?.refusal?.code
  }

  @Test("2: ranges are half-open") func ranges() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.expense(money("1"), from: a, on: "2026-02-01")
    try await house.expense(money("2"), from: a, on: "2026-02-02")
    try await house.ends { snapshot throws in
      let first = day("2026-02-01")..<day("2026-02-02")
      #expect(try snapshot.totals(in: first, today: today).first?.expense == total("1"))
      #expect(try snapshot.count(TransactionFilter(days: first)) == 1)
      let none = day("2026-02-02")..<day("2026-02-02")
      #expect(try snapshot.totals(in: none, today: today) == [])
      #expect(try snapshot.count(TransactionFilter(days: none)) == 0)
    }
  }

  @Test("3: without amount and rate an entry in another currency is refused")
  func noRate() async throws {
    let house = try await House(rates: false)
    let dollars = try await house.account("Dollars", in: usd)
    let draft = Draft.expense(money("100", eur), from: dollars, on: today)
    #expect(await refusal(house, .record(draft)) == .noRate)
    let given = Draft.expense(
      money("100", eur), from: dollars, on: today, accountAmount: money("120", usd))
    let row = try #require(try await house.append(.record(given)).transactions.first)
    // The amount was stated, so amending anything else needs no rate.
    try await house.append(.amend(row, Amendment(note: "hotel")))
    try await house.append(.amend(row, Amendment(day: today.adding(days: -1))))
    try await house.append(.amend(row, Amendment(amount: money("90", eur))))
    // An account in another currency needs one.
    let tenge = try await house.account("Tenge", in: kzt)
    #expect(await refusal(house, .amend(row, Amendment(account: tenge))) == .noRate)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: dollars, on: today) == total("-120", usd))
    }
  }

  @Test("4: inverse and cross rates are rounded once, half to even") func conversion() async throws
  {
    let house = try await House()
    try await house.ends { snapshot throws in
      let on = day("2026-02-14")
      #expect(try snapshot.convert(money("900"), to: usd, on: on) == money("2", usd))
      // 100 EUR = 50,000 KZT = 111.111… USD
      #expect(try snapshot.convert(money("100", eur), to: usd, on: on) == money("111.11", usd))
      // 0.225 and 0.675 minor units' halves: 2.25 KZT is 0.005 USD, 6.75 KZT is 0.015 USD.
      #expect(try snapshot.convert(money("2.25"), to: usd, on: on) == money("0.00", usd))
      #expect(try snapshot.convert(money("6.75"), to: usd, on: on) == money("0.02", usd))
      #expect(try snapshot.convert(money("1"), to: usd, on: day("1999-12-31")) == nil)
      #expect(try snapshot.convert(money("7"), to: kzt, on: day("1900-01-01")) == money("7"))
    }
  }

  @Test("4: a day's sum is converted, then summed") func dailySums() async throws {
    let house = try await House(base: usd)
    let a = try await house.account("A")
    // 2.25 KZT is half a cent: alone it rounds to 0, twice on one day it is a cent.
    try await house.expense(money("2.25"), from: a, on: "2026-02-01")
    try await house.expense(money("2.25"), from: a, on: "2026-02-01")
    try await house.expense(money("2.25"), from: a, on: "2026-02-02")
    try await house.ends { snapshot throws in
      let whole = try snapshot.baseTotals(in: month("2026-02").days, today: today)
      #expect(whole.expense == Converted(total: total("0.01", usd)))
      let worth = try snapshot.baseNetWorth(on: today)
      // −6.75 KZT is −0.015 USD.
      #expect(worth == Converted(total: total("-0.02", usd)))
    }
  }

  @Test("6: a refund reduces what was spent and is no income") func refunds() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("100"), from: a, food)
    try await house.append(.record(.refund(money("30"), into: a, category: food, on: today)))
    try await house.append(.record(.expense(money("0"), from: a, category: food, on: today)))
    try await house.ends { snapshot throws in
      let february = month("2026-02").days
      let figures = try #require(try snapshot.totals(in: february, today: today).first)
      #expect(figures.expense == total("70"))
      #expect(figures.income == total("0"))
      #expect(figures.count == 3)
      let inFood = try snapshot.total(of: food, in: february, today: today)
      #expect(inFood.amounts == [CategoryAmount(into: total("100"), out: total("30"), count: 3)])
    }
  }

  @Test("7: a salary split with tax counts in income and in expense") func salary() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let salary = try await house.category("Salary", .income)
    let tax = try await house.category("Tax")
    try await house.append(
      .record(
        .split(
          into: a, parts: [.init(money("1000"), salary), .init(money("200"), tax)], on: today)))
    try await house.ends { snapshot throws in
      let figures = try #require(try snapshot.totals(in: always, today: today).first)
      #expect(figures.income == total("1000"))
      #expect(figures.expense == total("200"))
      #expect(figures.count == 1)
      #expect(try snapshot.balance(of: a, on: today) == total("800"))
      #expect(try snapshot.count(TransactionFilter(type: .income)) == 1)
      #expect(try snapshot.count(TransactionFilter(type: .expense)) == 0)
      #expect(try snapshot.sections(limit: 5).first?.sums == [total("800")])
    }
  }

  @Test("8: without an account Outside is used, and appears nowhere") func outside() async throws {
    let house = try await House()
    try await house.expense(money("40"), from: nil)
    try await house.ends { snapshot throws in
      #expect(try snapshot.accounts() == [])
      #expect(try snapshot.netWorth(on: today) == [])
      let figures = try #require(try snapshot.totals(in: always, today: today).first)
      #expect(figures.expense == total("40"))
      let lines = try snapshot.breakdown(in: always, kind: .expense, today: today)
      #expect(lines.map(\.category.id) == [.uncategorizedExpense])
    }
  }

  @Test("8: an opening with a day counts from that day") func opening() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.append(.setOpening(a, money("500"), day("2026-02-05")))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: day("2026-02-04")) == total("0"))
      #expect(try snapshot.balance(of: a, on: day("2026-02-05")) == total("500"))
      let series = try snapshot.balanceSeries(
        of: a, over: day("2026-02-03")..<day("2026-02-08"), every: .day)
      let expected = ["0", "0", "500", "500", "500"].map { total($0) }
      #expect(series.map(\.total) == expected)
    }
  }

  @Test("10: account, day, category and amount may all change in one") func amendAll() async throws
  {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let b = try await house.account("B", opening: "100")
    let food = try await house.category("Food")
    let shop = try await house.category("Shop")
    let row = try await house.expense(money("10"), from: a, food, on: "2026-01-10")
    try await house.append(
      .amend(
        row,
        Amendment(day: day("2026-02-11"), amount: money("25"), account: b, category: shop)))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("100"))
      #expect(try snapshot.balance(of: b, on: today) == total("75"))
      #expect(try snapshot.breakdown(in: always, kind: .expense, today: today).count == 1)
      let inShop = try snapshot.total(of: shop, in: month("2026-02").days, today: today)
      #expect(inShop.total(in: kzt) == total("25"))
      #expect(try snapshot.transaction(row)?.key.day == day("2026-02-11"))
    }
  }

  @Test("11: a split over another category is refused by name") func splitDeletion() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    let shop = try await house.category("Shop")
    try await house.append(
      .record(
        .split(from: a, parts: [.init(money("3"), food), .init(money("4"), shop)], on: today)))
    let error = await #expect(throws: DaybookError.self) {
      try await house.append(.deleteCategory(shop, .withRows))
    }
    #expect(error?.refusal?.code == .inUse)
    #expect(error?.message.contains("Food") == true)
    try await house.append(.deleteCategory(shop, .move(to: food)))
    try await house.ends { snapshot throws in
      let inFood = try snapshot.total(of: food, in: always, today: today)
      #expect(inFood.total(in: kzt) == total("7"))
      #expect(inFood.amounts.first?.count == 1)
      #expect(try snapshot.category(named: "Shop", kind: .expense) == nil)
    }
  }

  @Test("12: reconciled and closed rows are locked, notes and tags are not") func locks()
    async throws
  {
    let house = try await House()
    let a = try await house.account("A")
    let old = try await house.expense(money("5"), from: a, on: "2026-01-10")
    let new = try await house.expense(money("6"), from: a, on: "2026-02-10")
    try await house.append(.reconcile([new]), .closePeriod(through: day("2026-01-31")))
    #expect(await refusal(house, .amend(new, Amendment(amount: money("7")))) == .reconciled)
    #expect(await refusal(house, .amend(old, Amendment(amount: money("7")))) == .closedPeriod)
    #expect(await refusal(house, .delete(old)) == .closedPeriod)
    let late = Draft.expense(money("1"), from: a, on: day("2026-01-31"))
    #expect(await refusal(house, .record(late)) == .closedPeriod)
    let row = spending("1", from: a, on: "2026-01-31", note: "late")
    await #expect(throws: DaybookError.self) { try await house.importRows([row]) }
    try await house.append(
      .amend(old, Amendment(note: "kept", tags: ["a"])), .amend(new, Amendment(note: "kept")))
    try await house.append(.reopenPeriod(after: nil), .unreconcile([new]), .delete(old))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("-6"))
      #expect(try snapshot.settings().closedThrough == nil)
    }
  }

  @Test("14: newest day first, then newest recorded; transfers from both sides")
  func lists() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let b = try await house.account("B")
    var rows: [TransactionID] = []
    for on in ["2026-02-01", "2026-02-03", "2026-02-03", "2026-02-02"] {
      rows.append(try await house.expense(money("1"), from: a, on: on))
    }
    rows.append(try await house.transfer(money("9"), from: b, to: a, on: "2026-02-02"))
    // An amendment keeps the recording number.
    try await house.append(.amend(rows[1], Amendment(description: "amended")))
    let order = [rows[2], rows[1], rows[4], rows[3], rows[0]]
    try await house.ends { snapshot throws in
      #expect(try snapshot.transactions(limit: 10).map(\.id) == order)
      let ofA = TransactionFilter(account: a)
      #expect(try snapshot.transactions(ofA, limit: 10).map(\.id) == order)
      #expect(try snapshot.transactions(.init(account: b), limit: 10).map(\.id) == [rows[4]])
      for limit in 1...6 {
        var paged: [TransactionID] = []
        var key: TransactionPosition?
        while true {
          let page = try snapshot.transactions(ofA, after: key, limit: limit)
          #expect(
            try snapshot.transactions(ofA, offset: paged.count, limit: limit) == page)
          if page.isEmpty { break }
          paged += page.map(\.id)
          key = page.last?.key
        }
        #expect(paged == order)
      }
      let days = try snapshot.sections(ofA, limit: 10)
      #expect(days.map(\.count) == [2, 2, 1])
      #expect(days.map(\.sums) == [[total("-2")], [total("8")], [total("-1")]])
      #expect(try snapshot.sections(ofA, before: days[0].day, limit: 1) == [days[1]])
      #expect(try snapshot.transactions(.init(text: "AMEND"), limit: 10).map(\.id) == [rows[1]])
      #expect(try snapshot.count(.init(text: "mende")) == 1)
      #expect(try snapshot.count(.init(text: "mended x")) == 0)
      #expect(throws: DaybookError.self) { try snapshot.transactions(limit: -1) }
    }
  }

  @Test("15: one bad row refuses the import, unless bad rows are to be skipped")
  func badRows() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let nobody = AccountID(EntityID(high: 9, low: 9))
    let rows = [
      spending("1", from: a, note: "one"), spending("2", from: nobody, note: "two"),
      spending("3", from: a, note: "three"), spending("-4", from: a, note: "four"),
    ]
    let error = await #expect(throws: DaybookError.self) { try await house.importRows(rows) }
    #expect(error?.refusal?.rows.map(\.index) == [1, 3])
    #expect(try house.ledger.read { try $0.count() } == 0)
    let report = try await house.importRows(rows, options: ImportOptions(skipsBadRows: true))
    #expect(report.recorded.count == 2)
    #expect(report.skipped.map(\.index) == [1, 3])
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 2) }
  }

  @Test("texts are searched whatever their case, accents and form")
  func searchedTexts() async throws {
    let house = try await House()
    try await house.expense(money("1"), from: nil, description: "Cafe\u{301} ZÜRICH  west")
    try await house.ends { snapshot throws in
      for text in ["café", "CAF\u{c9}", "cafe", "zürich", "zurich", " west ", "h w", "caf"] {
        #expect(try snapshot.count(.init(text: text)) == 1, "\(text)")
      }
      for text in ["ex", "e\u{301}x", "zuerich", "west west"] {
        #expect(try snapshot.count(.init(text: text)) == 0, "\(text)")
      }
    }
  }
}
