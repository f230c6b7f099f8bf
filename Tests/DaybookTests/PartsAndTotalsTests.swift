/// Goal: what is shown as a total is the sum of what is shown as its parts, in every figure that is
/// converted, as users of other programs expect whose rows missed the total by a cent.
/// Method: seeded ledgers with crowded days, four currencies and odd rates; every total is compared
/// with the sum of its parts. Two small households by hand.
import Daybook
import DaybookRandom
import Testing

@Suite struct PartsAndTotalsTests {
  private static let yen = iso("JPY")
  private static let dinar = iso("KWD")
  private static let months = month("2026-01")..<month("2026-03")

  /// A household whose transactions crowd on a few days.
  private struct Crowd {
    let house: House
    var random: SeededGenerator
    var accounts: [(id: AccountID, currency: Currency)] = []
    var spending: [CategoryID] = []
    var earning: [CategoryID] = []

    init(seed: UInt64) async throws {
      random = SeededGenerator(seed: seed)
      house = try await House(rates: false, base: eur)
      for (name, currency) in [
        ("E", eur), ("U", usd), ("V", usd), ("Y", yen), ("D", dinar),
      ] {
        accounts.append(
          (
            try await house.account(name, opening: "\(random.number(1...999))", in: currency),
            currency
          ))
      }
      let food = try await house.category("Food")
      let out = try await house.category("Out", in: food)
      spending = [
        food, out, try await house.category("Coffee", in: out), try await house.category("Rent"),
      ]
      let work = try await house.category("Work", .income)
      earning = [work, try await house.category("Bonus", .income, in: work)]
      for currency in [usd, yen, dinar] {
        for day in ["2025-12-01", "2026-01-07", "2026-02-03"] {
          let odd = "0.\(random.number(1...9))\(random.number(1...9999))7"
          try await house.append(house.rate(currency, eur, odd, day))
        }
      }
    }

    mutating func money(_ currency: Currency) -> Money {
      Money(Int64(random.number(1...99)) * (random.chance(30) ? 100 : 1), currency)
    }

    mutating func record() async throws {
      let first = day("2026-01-05").adding(days: random.number(0...2))
      let on = random.chance(50) ? first : day("2026-02-03").adding(days: random.number(0...2))
      let payee = random.pick(["Rewe", "Kiosk", "Shop"])
      let account = random.pick(accounts)
      let (amount, category) = (money(account.currency), random.pick(spending))
      var draft =
        switch random.number(0...9) {
        case 0:
          Draft.refund(amount, into: account.id, category: category, on: on, payee: payee)
        case 1, 2:
          Draft.income(
            amount, into: account.id, category: random.pick(earning), on: on, payee: payee)
        case 3:
          // Charged to the account in euros, and therefore not converted.
          Draft.expense(
            money(usd), from: accounts[0].id, category: category, on: on,
            accountAmount: money(eur), payee: payee)
        case 4:
          Draft.split(
            from: account.id,
            parts: [
              .init(amount, category),
              .init(money(account.currency), random.pick(spending)),
            ], on: on, payee: payee)
        case 5:
          // Tax on a salary: an expense within an income.
          Draft.split(
            into: account.id,
            parts: [
              .init(amount, random.pick(earning)),
              .init(money(account.currency), category),
            ], on: on, payee: payee)
        default: Draft.expense(amount, from: account.id, category: category, on: on, payee: payee)
        }
      draft.details.tags = [random.pick(["home", "trip"])]
      try await house.append(.record(draft))
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func everyTotalIsTheSumOfItsParts(seed: UInt64) async throws {
    var crowd = try await Crowd(seed: seed)
    for _ in 0..<70 { try await crowd.record() }
    let every = try await crowd.house.budget("All", money("9", eur), on: [], every: .yearly)
    var each: [BudgetID] = []
    for category in crowd.spending {
      each.append(
        try await crowd.house.budget(
          "B\(each.count)", money("9", eur), on: [category], every: .yearly
        ) { $0.includesSubcategories = false })
    }
    try crowd.house.ledger.read { snapshot throws in
      try Self.checkMonths(of: snapshot, seed)
      try Self.checkCategories(of: snapshot, crowd.spending, seed)
      try Self.checkLists(of: snapshot, crowd.spending, crowd.earning, seed)
      // Budgets: the one of all categories, and one for each.
      let all = try #require(try snapshot.budgetStatus(of: every, today: day("2026-12-31")))
      var parts: [Int128] = []
      for id in each {
        let status = try snapshot.budgetStatus(of: id, today: day("2026-12-31"))
        parts.append(try #require(status).spent.total.units)
      }
      let year = day("2026-01-01")..<day("2027-01-01")
      let totals = try snapshot.baseTotals(in: year, today: day("2026-12-31"))
      #expect(all.spent.total.units == parts.reduce(0, +), "seed \(seed)")
      #expect(all.spent.total == totals.expense.total, "seed \(seed)")
      // Net worth: the accounts.
      let today = day("2026-02-10")
      var balances: Int128 = 0
      for account in try snapshot.balances(on: today) {
        let money = Money(Int64(clamping: account.balance.units), account.balance.currency)
        let converted = try snapshot.convert(money, to: eur, on: today)
        balances += Int128(try #require(converted).minorUnits)
      }
      let worth = try snapshot.baseNetWorth(on: today).total.units
      #expect(worth == balances, "seed \(seed)")
    }
    try await crowd.house.end()
  }

  private static func checkMonths(of snapshot: borrowing Snapshot, _ seed: UInt64) throws {
    let (today, days) = (day("2026-12-31"), months.lowerBound.first..<months.upperBound.first)
    let whole = try snapshot.baseTotals(in: days, today: today)
    let parts = try snapshot.baseMonths(months, today: today).map(\.totals)
    #expect(
      parts.reduce(0) { $0 + $1.expense.total.units } == whole.expense.total.units, "seed \(seed)")
    #expect(
      parts.reduce(0) { $0 + $1.income.total.units } == whole.income.total.units, "seed \(seed)")
    for month in months {
      let insights = try snapshot.baseInsights(month, today: today)
      let totals = try snapshot.baseTotals(in: month.days, today: today)
      #expect(insights.totals == totals, "seed \(seed)")
      let spent = try snapshot.envelopes(over: month..<month.adding(1), today: today)[0]
        .envelopes.reduce(0) { $0 + $1.spent.units }
      #expect(spent == totals.expense.total.units, "seed \(seed)")
    }
  }

  private static func checkCategories(
    of snapshot: borrowing Snapshot, _ spending: [CategoryID], _ seed: UInt64
  ) throws {
    let (today, days) = (day("2026-12-31"), months.lowerBound.first..<months.upperBound.first)
    let totals = try snapshot.baseTotals(in: days, today: today)
    for kind in CategoryKind.allCases {
      let whole = kind == .expense ? totals.expense : totals.income
      for rollUp in [true, false] {
        let parts = try snapshot.baseBreakdown(in: days, kind: kind, rollUp: rollUp, today: today)
        #expect(
          parts.reduce(0) { $0 + $1.amount.total.units } == whole.total.units,
          "seed \(seed), \(kind), rolled up \(rollUp)")
      }
    }
    // Food is itself, and Out with Coffee.
    let parts = zip(
      try trend(of: spending[0], below: false, snapshot),
      try trend(of: spending[1], below: true, snapshot)
    ).map { $0 + $1 }
    let whole = try trend(of: spending[0], below: true, snapshot)
    #expect(whole == parts, "seed \(seed)")
  }

  private static func trend(
    of category: CategoryID, below: Bool, _ snapshot: borrowing Snapshot
  ) throws -> [Int128] {
    try snapshot.baseTrend(
      of: category, over: months, includingSubcategories: below, today: day("2026-12-31")
    ).map(\.amount.total.units)
  }

  private static func net(
    _ filter: TransactionFilter, _ snapshot: borrowing Snapshot
  ) throws -> Int128 {
    try #require(try snapshot.sums(of: filter).converted).net.units
  }

  private static func checkLists(
    of snapshot: borrowing Snapshot, _ spending: [CategoryID], _ earning: [CategoryID],
    _ seed: UInt64
  ) throws {
    let (today, days) = (day("2026-12-31"), months.lowerBound.first..<months.upperBound.first)
    let totals = try snapshot.baseTotals(in: days, today: today)
    let whole = try net(TransactionFilter(days: days), snapshot)
    #expect(whole == totals.net.units, "seed \(seed)")
    let divisions: [(String, [TransactionFilter])] = [
      (
        "categories",
        (spending + earning).map {
          TransactionFilter(category: $0, includesSubcategories: false, days: days)
        }
      ), ("types", TransactionType.allCases.map { TransactionFilter(type: $0, days: days) }),
      (
        "payees",
        ["Rewe", "Kiosk", "Shop"].map {
          TransactionFilter(days: days, payee: $0, matchesWholePayee: true)
        }
      ), ("tags", ["home", "trip"].map { TransactionFilter(days: days, tags: [$0]) }),
      (
        "payees and tags",
        ["Rewe", "Kiosk", "Shop"].flatMap { payee in
          ["home", "trip"].map {
            TransactionFilter(days: days, payee: payee, matchesWholePayee: true, tags: [$0])
          }
        }
      ),
    ]
    for (name, filters) in divisions {
      var sum: Int128 = 0
      for filter in filters { sum += try net(filter, snapshot) }
      #expect(sum == whole, "seed \(seed), \(name)")
    }
    for named in [
      try snapshot.payeeMonths(months, today: today), try snapshot.tagMonths(months, today: today),
    ] {
      let found = try snapshot.baseMonths(months, today: today)
      for (index, month) in found.enumerated() {
        let parts = try named.map {
          try #require($0.months[index].sums.converted).net.units
        }
        #expect(parts.reduce(0, +) == month.totals.net.units, "seed \(seed), \(month.month)")
      }
    }
  }

  /// Six dollars at 0.335: three on one day in three categories, then one a day.
  @Test func sixDollars() async throws {
    let house = try await House(rates: false, base: eur)
    let account = try await house.account("Usd", opening: "100", in: usd)
    try await house.append(house.rate(usd, eur, "0.335", "2026-01-01"))
    var categories: [CategoryID] = []
    for name in ["A", "B", "C"] { categories.append(try await house.category(name)) }
    for category in categories {
      try await house.expense(money("1", usd), from: account, category, on: "2026-01-05")
    }
    for day in ["2026-01-06", "2026-01-07", "2026-01-08"] {
      try await house.expense(money("1", usd), from: account, categories[0], on: day)
    }
    let budget = try await house.budget(
      "ABC", money("10", eur), on: categories, every: .monthly(resetDay: 1))
    try await house.ends { snapshot throws in
      let january = month("2026-01").days
      // 0.335 is rounded to the even 0.34 in each category: 4 · 0.34, 0.34 and 0.34.
      let totals = try snapshot.baseTotals(in: january, today: today)
      #expect(totals.expense.total == total("2.04", eur))
      let parts = try snapshot.baseBreakdown(in: january, kind: .expense, today: today)
      #expect(parts.map(\.amount.total.text) == ["1.36", "0.34", "0.34"])
      let status = try snapshot.budgetStatus(of: budget, on: january.lowerBound, today: today)
      #expect(status?.spent.total == total("2.04", eur))
    }
  }

  /// Three payees on one day share what the category has: 3 dollars at 0.335 are 1.00 (1.005, to even).
  @Test func sharesOfADay() async throws {
    let house = try await House(rates: false, base: eur)
    let account = try await house.account("Usd", opening: "100", in: usd)
    try await house.append(house.rate(usd, eur, "0.335", "2026-01-01"))
    let food = try await house.category("Food")
    for payee in ["One", "Two", "Three"] {
      try await house.append(
        .record(
          .expense(
            money("1", usd), from: account, category: food, on: day("2026-01-05"), payee: payee)))
    }
    try await house.ends { snapshot throws in
      let filters =
        [.all, TransactionFilter(category: food)]
        + ["One", "Two", "Three"].map { TransactionFilter(payee: $0) }
      var found: [String?] = []
      for filter in filters {
        found.append(try snapshot.sums(of: filter).converted?.moneyOut.total.text)
      }
      // Each has 0.33 and an equal remainder; the first recorded one gets the last cent.
      #expect(found == ["1.00", "1.00", "0.34", "0.33", "0.33"])
    }
  }
}
