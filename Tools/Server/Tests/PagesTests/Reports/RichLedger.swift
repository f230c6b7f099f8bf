// A ledger with everything that makes figures and lists differ: foreign currencies, odd rates, splits, transfers,
// refunds, excluded rows, accounts and categories, planned transactions, and tags in two spellings.
import Daybook
import DaybookRandom
import Testing

struct RichLedger {
  let ledger: Ledger
  private var random = SeededGenerator(seed: 42)
  private var accounts: [(id: AccountID, currency: Currency)] = []
  private var spending: [CategoryID] = []
  private var earning: [CategoryID] = []

  init() async throws {
    ledger = try await Ledger.inMemory()
    try await ledger.append([.setSettings(SettingsChange(baseCurrency: .eur))])
    try await create()
    for month in 0..<9 {
      var commands: [Command] = []
      for _ in 0..<14 { commands.append(.record(draft(today.monthOf.adding(-month)))) }
      try await ledger.append(commands)
    }
    try await exclude()
  }

  private mutating func create() async throws {
    let yen = try #require(Currency.iso("JPY"))
    let named: [(String, AccountKind, Currency)] = [
      ("Checking", .asset, .eur), ("Dollars", .asset, .usd), ("Yen", .asset, yen),
      ("Shared", .asset, .eur), ("Card", .liability, .usd), ("Loan", .liability, .eur),
    ]
    for (name, kind, currency) in named {
      let receipt = try await ledger.append(
        .openAccount(
          NewAccount(
            name: name, kind: kind, currency: currency, opening: Money(123_45, currency))))
      accounts.append((receipt.accounts[0], currency))
    }
    for (place, name) in ["Food", "Rent", "Work", "Snacks & Co"].enumerated() {
      let parent = place == 3 ? spending[0] : nil
      let receipt = try await ledger.append(
        .createCategory(NewCategory(name: name, kind: .expense, parent: parent)))
      spending.append(receipt.categories[0])
    }
    let salary = try await ledger.append(
      .createCategory(NewCategory(name: "Salary", kind: .income)))
    earning = [salary.categories[0]]
    for (currency, quote) in [(Currency.usd, "0.8337"), (yen, "0.006179")] {
      for (months, digit) in [(12, "1"), (4, "7"), (1, "3")] {
        let rate = ExchangeRate(
          base: currency, quoted: .eur, day: today.adding(months: -months),
          quote: try Quote(quote + digit))
        try await ledger.append(.setRate(rate))
      }
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  private mutating func money(_ currency: Currency) -> Money {
    Money(Int64(number(1...99_99)), currency)
  }

  private mutating func draft(_ month: Month) -> Draft {
    // Some of this month's transactions are planned.
    let day = month.first.adding(days: number(0...27))
    let (account, category) = (pick(accounts), pick(spending))
    let amount = money(account.currency)
    let payee = pick(["Rewe", "rewe", "Café & Bar", "Employer", ""])
    var draft =
      switch number(0...10) {
      case 0: Draft.refund(amount, into: account.id, category: category, on: day, payee: payee)
      case 1, 2:
        Draft.income(amount, into: account.id, category: earning[0], on: day, payee: payee)
      case 3:
        Draft.expense(
          money(.usd), from: accounts[0].id, category: category, on: day,
          accountAmount: money(.eur), payee: payee)
      case 4:
        Draft.split(
          into: account.id,
          parts: [
            .init(money(account.currency), earning[0]), .init(money(account.currency), category),
          ], on: day, payee: payee)
      case 5:
        Draft.split(
          from: account.id,
          parts: [.init(amount, category), .init(money(account.currency), pick(spending))],
          on: day, payee: payee)
      case 6:
        Draft.transfer(
          money(.eur), from: accounts[0].id, to: accounts[5].id, on: day, payee: payee)
      case 7:
        Draft.transfer(
          money(.eur), from: accounts[0].id, to: accounts[1].id, on: day,
          targetAmount: money(.usd), payee: payee)
      case 8: Draft.expense(amount, from: account.id, on: day, payee: payee)
      default: Draft.expense(amount, from: account.id, category: category, on: day, payee: payee)
      }
    draft.details.tags = pick([[], ["Trip"], ["trip"], ["home", "Trip"], ["Trip", "trip"]])
    return draft
  }

  /// Excludes an account, a category and a row.
  private func exclude() async throws {
    var account = AccountChange()
    account.isExcludedFromTotals = true
    var category = CategoryChange()
    category.isExcludedFromTotals = true
    var row = Amendment()
    row.isExcludedFromTotals = true
    let newest = try ledger.read { snapshot in
      try snapshot.transactions(
        TransactionFilter(days: today.monthOf.first..<today.adding(days: 1)), limit: 3)
    }
    try await ledger.append([
      .amendAccount(accounts[3].id, account), .amendCategory(spending[2], category),
    ])
    for one in newest { try await ledger.append(.amend(one.id, row)) }
  }
}
