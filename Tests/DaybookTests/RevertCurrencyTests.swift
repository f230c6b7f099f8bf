/// Goal: a currency that the ledger defines stays as long as anything is in it, and nothing comes back in
/// one that is gone. Method: the definition's commit is taken back with one user of the currency at a
/// time, then with none; users that went before it can't come back without it.
import Daybook
import Testing

@Suite struct RevertCurrencyTests {
  private static let coin: Currency = {
    guard let coin = Currency(code: "COIN", digits: 8) else { preconditionFailure("no code") }
    return coin
  }()
  private static let id = EntityID(high: 9, low: 9)

  private static func coins(_ units: Int64) -> Money { Money(units, coin) }

  /// What uses the currency, and how that goes again.
  private static let users: [(name: String, use: Command, leave: Command, entity: EntityID?)] = {
    let budget = Budget(
      id: BudgetID(id), name: "B", categories: [], amount: coins(1), period: .weekly)
    let series = Series(
      id: SeriesID(id), name: "S", template: SeriesTemplate(type: .expense, amount: coins(1)),
      schedule: Schedule(.month), anchor: today)
    let rule = CategoryRule(
      id: RuleID(id), name: "R", conditions: [.amount(from: coins(1), through: nil)])
    let row = TransactionID(id)
    guard let five = Quote(mantissa: 5, scale: 0) else { preconditionFailure("no quote") }
    let rate = ExchangeRate(base: coin, quoted: kzt, day: today, quote: five)
    return [
      ("budget", .putBudget(budget), .removeBudget(budget.id), id),
      ("series", .putSeries(series), .removeSeries(series.id, withRows: true), id),
      ("rule", .putRule(rule), .removeRule(rule.id), id),
      ("rate", .setRate(rate), .removeRate(base: coin, quoted: kzt, on: today), rate.entityID),
      ("expense", .record(.expense(coins(1), on: today, id: row)), .delete(row), id),
      (
        "postings",
        .record(
          .postings(
            [
              Posting(.account(.outside), coins(1)), Posting(.account(.opening), coins(-1)),
            ], on: today, id: row)), .delete(row), id
      ),
      (
        "base", .setSettings(SettingsChange(baseCurrency: .some(coin))),
        .setSettings(SettingsChange(baseCurrency: .some(nil))), nil
      ),
    ]
  }()

  @Test(arguments: users.indices) func aCurrencyStaysWithWhatIsInIt(_ index: Int) async throws {
    let (name, use, leave, entity) = Self.users[index]
    let house = try await House(rates: false)
    try await house.append(.defineCurrency(CurrencyDefinition(currency: Self.coin)))
    let defined = try house.ledger.token.sequence
    try await house.append(use)
    let used = await #expect(throws: DaybookError.self, "\(name)") {
      try await house.ledger.undo(commit: defined)
    }
    #expect(used?.refusal?.code == .inUse, "\(name)")
    #expect(used?.message.contains("COIN") == true, "\(name)")
    try await house.append(leave)
    let left = try house.ledger.token.sequence
    try await house.ledger.undo(commit: defined)
    let gone = await #expect(throws: DaybookError.self, "\(name)") {
      try await house.ledger.undo(commit: left)
    }
    #expect(gone?.refusal?.code == .currency, "\(name)")
    if let entity {
      let restored = await #expect(throws: DaybookError.self, "\(name)") {
        try await house.ledger.restore(entity: entity)
      }
      #expect(restored?.refusal?.code == .currency, "\(name)")
    }
    // With the currency, what was in it comes back.
    try await house.append(.defineCurrency(CurrencyDefinition(currency: Self.coin)))
    try await house.ledger.undo(commit: left)
    try await house.end()
  }

  @Test func aDeletedAccountKeepsItsCurrency() async throws {
    let house = try await House(rates: false)
    try await house.append(.defineCurrency(CurrencyDefinition(currency: Self.coin)))
    let defined = try house.ledger.token.sequence
    let account = AccountID(Self.id)
    try await house.append(.openAccount(NewAccount(id: account, name: "A", currency: Self.coin)))
    try await house.append(.deleteAccount(account, .withRows))
    let used = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: defined)
    }
    #expect(used?.refusal?.code == .inUse)
    try await house.ledger.restore(entity: Self.id)
    try await house.end()
  }

  @Test func aNewNameOfACurrencyInUseIsTakenBack() async throws {
    let house = try await House(rates: false)
    try await house.append(.defineCurrency(CurrencyDefinition(currency: Self.coin, name: "Coin")))
    _ = try await house.account("A", in: Self.coin)
    try await house.append(.defineCurrency(CurrencyDefinition(currency: Self.coin, name: "Token")))
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    try await house.end()
  }
}
