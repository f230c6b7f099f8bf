import DaybookBookkeeping

/// Generates the rows of a household.
struct HouseholdMaker {
  private let first: Day
  private let last: Day
  private let rates: HouseholdRates
  private var random: SeededGenerator
  private var rows: [HouseholdRow] = []

  init(first: Day, last: Day, rates: HouseholdRates, seed: UInt64) {
    self.first = first
    self.last = last
    self.rates = rates
    random = SeededGenerator(seed: seed)
  }

  /// Returns the newest `count` rows, oldest first.
  func sorted(keeping count: Int) -> [HouseholdRow] {
    let order = rows.indices.sorted { (rows[$0].day, $0) < (rows[$1].day, $1) }
    return order.suffix(count).map { rows[$0] }
  }

  private mutating func add(_ row: HouseholdRow) {
    if row.day >= first, row.day <= last { rows.append(row) }
  }

  private var months: [Month] {
    var result: [Month] = []
    var month = first.monthOf
    while month <= last.monthOf {
      result.append(month)
      month = month.adding(1)
    }
    return result
  }

  /// Adds salaries, rent and other regular payments, and the transfers that fund the other
  /// accounts.
  mutating func addRegulars() {
    for month in months {
      let start = month.first
      let raise = Int64(start.year - first.year) * 9_000
      add(
        income(start.adding(days: 24), HouseholdCatalogue.checking, 468_000 + raise, "Siemens AG"))
      add(income(start.adding(days: 26), HouseholdCatalogue.joint, 254_000 + raise, "Charité"))
      for regular in HouseholdCatalogue.regulars where regular.months.contains(start.month) {
        add(
          HouseholdRow(
            day: start.adding(days: regular.day - 1), kind: regular.kind,
            account: regular.account, minorUnits: random.number(regular.amount),
            currency: regular.currency, category: regular.category, payee: regular.payee,
            description: regular.description))
      }
      addTransfers(of: month)
    }
  }

  private func income(
    _ day: Day, _ account: String, _ amount: Int64, _ payee: String
  ) -> HouseholdRow {
    HouseholdRow(
      day: day, kind: .income, account: account, minorUnits: amount, currency: "EUR",
      category: ["Salary"], payee: payee, description: "salary \(day.monthOf)", tags: ["work"])
  }

  private mutating func addTransfers(of month: Month) {
    let start = month.first
    let checking = HouseholdCatalogue.checking
    add(transfer(start.adding(days: 25), checking, HouseholdCatalogue.joint, 150_000))
    add(transfer(start.adding(days: 26), checking, HouseholdCatalogue.savings, 40_000))
    for week in 0..<4 {
      let day = start.adding(days: week * 7 + 1)
      add(
        transfer(
          day, HouseholdCatalogue.joint, HouseholdCatalogue.cash, 10_000 * random.number(2..<4)))
    }
    if start.month % 6 == 0 {
      add(exchange(start.adding(days: 16), HouseholdCatalogue.tenge, "KZT", 25_000))
    }
  }

  private func transfer(_ day: Day, _ from: String, _ to: String, _ cents: Int64) -> HouseholdRow {
    HouseholdRow(
      day: day, kind: .transfer, account: from, minorUnits: cents, currency: "EUR",
      targetAccount: to, targetMinorUnits: cents)
  }

  private func exchange(_ day: Day, _ to: String, _ currency: String, _ cents: Int64)
    -> HouseholdRow
  {
    HouseholdRow(
      day: day, kind: .transfer, account: HouseholdCatalogue.checking, minorUnits: cents,
      currency: "EUR", targetAccount: to,
      targetMinorUnits: rates.exchanged(cents, to: currency, on: day),
      description: "exchange EUR to \(currency)")
  }

  /// Adds a twelve-day trip to Japan each October, for which euros are exchanged for yen.
  mutating func addJourneys() {
    for month in months where month.first.month == 10 {
      let start = month.first.adding(days: 6)
      add(exchange(start, HouseholdCatalogue.yen, "JPY", 280_000))
      for offset in 0..<12 {
        for _ in 0..<random.number(2..<6) {
          let bought = random.pick(HouseholdCatalogue.journey)
          add(
            HouseholdRow(
              day: start.adding(days: offset), kind: .expense, account: HouseholdCatalogue.yen,
              minorUnits: random.price(bought.prices), currency: "JPY",
              category: bought.category, payee: bought.payee, tags: ["japan\(start.year)"]))
        }
      }
    }
  }

  /// Adds purchases such as groceries and coffee, up to `count` rows minus one card payment per
  /// month.
  mutating func addPurchases(upTo count: Int) {
    fill(upTo: count - months.count, with: HouseholdCatalogue.purchases)
  }

  /// Adds cash purchases at the bakery, up to `count` rows.
  mutating func addCashPurchases(upTo count: Int) {
    var bakery = HouseholdCatalogue.purchases.filter { $0.category == ["Food", "Bakery"] }
    for index in bakery.indices { bakery[index].accounts = [HouseholdCatalogue.cash] }
    fill(upTo: count, with: bakery)
  }

  /// Adds random purchases until there are `count` rows, with more of them at weekends.
  private mutating func fill(upTo count: Int, with purchases: [HouseholdCatalogue.Purchase]) {
    let weights = purchases.reduce(0) { $0 + $1.weight }
    let dayCount = Int64(last.rawValue - first.rawValue) + 1
    while rows.count < count {
      let day = first.adding(days: Int(random.number(0..<dayCount)))
      if day.weekday < 5, random.chance(25) { continue }
      var lot = random.number(0..<weights)
      guard
        let purchase = purchases.first(where: { purchase in
          lot -= purchase.weight
          return lot < 0
        })
      else { continue }
      rows.append(row(of: purchase, on: day))
    }
  }

  private mutating func row(of purchase: HouseholdCatalogue.Purchase, on day: Day) -> HouseholdRow {
    let payee = random.pick(purchase.payees)
    var row = HouseholdRow(
      day: day, kind: .expense, account: random.pick(purchase.accounts),
      minorUnits: random.price(purchase.prices), currency: "EUR", category: purchase.category,
      payee: payee)
    if !purchase.notes.isEmpty, random.chance(8) { row.note = random.pick(purchase.notes) }
    if random.chance(3) { row.tags = [random.pick(["shared", "reimburse", "holiday"])] }
    return row
  }

  /// Adds a transfer from the checking account on the 5th of each month that pays the card's
  /// balance from the previous month.
  mutating func addCardPayments() {
    var owed: [Month: Int64] = [:]
    for row in rows where row.account == HouseholdCatalogue.card && row.kind == .expense {
      let rate: Int64 = row.currency == "USD" ? 90 : 100
      owed[row.day.monthOf, default: 0] += row.minorUnits * rate / 100
    }
    for month in months {
      guard let cents = owed[month], cents > 0 else { continue }
      add(
        transfer(
          month.adding(1).first.adding(days: 4), HouseholdCatalogue.checking,
          HouseholdCatalogue.card, cents))
    }
  }
}
