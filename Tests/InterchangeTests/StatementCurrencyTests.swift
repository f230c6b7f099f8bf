// Goal: a statement belongs to an account by its number and its currency. Method: statements in two currencies of one
// number are imported into accounts that are chosen, remembered, in another currency, or new.
import Daybook
import Testing

@testable import DaybookFormats
@testable import DaybookInterchange

@Suite struct StatementCurrencyTests {
  private static let number = "NL20INGB0001234567"

  private static func statement(
    _ currency: Currency?, _ amount: Money, stated: Bool = true
  ) -> Statement {
    var statement = Statement(
      line: 1, account: StatementAccount(iban: number, currency: stated ? currency : nil))
    statement.rows = [
      StatementRow(line: 2, day: day("2026-03-10"), amount: amount, payee: "Shop")
    ]
    return statement
  }

  private static var both: FileContents {
    var contents = FileContents()
    contents.statements = [
      statement(eur, money("-10", eur)), statement(usd, money("-20", usd)),
    ]
    return contents
  }

  private static func dollars(stated: Bool = true) -> FileContents {
    var contents = FileContents()
    contents.statements = [statement(usd, money("-20", usd), stated: stated)]
    contents.statements[0].closing = StatedBalance(
      line: 3, day: day("2026-03-10"), amount: money("80", usd))
    return contents
  }

  private func balances(_ ledger: Ledger) throws -> [String] {
    try ledger.read { snapshot in
      try snapshot.balances(on: day("2026-12-31"))
        .map { "\($0.account.name) \($0.balance)" }.sorted()
    }
  }

  @Test func oneNumberIsAnAccountForEachCurrency() async throws {
    let ledger = try await Ledger.inMemory()
    let unknown = try await #require(throws: InterchangeError.self) {
      try await StatementImporter().run(Self.both, into: ledger)
    }
    #expect(unknown.unknownAccounts.count == 2)
    let one = StatementImporter(accounts: AccountChoice(all: "Giro"))
    await #expect(throws: InterchangeError.self) { try await one.run(Self.both, into: ledger) }
    var importer = StatementImporter()
    importer.accounts.choose("Euros", for: "NL20 INGB 0001 2345 67:EUR")
    importer.accounts.choose("Dollars", for: "NL20 INGB 0001 2345 67:USD")
    #expect(try await importer.run(Self.both, into: ledger).imported == 2)
    let expected = ["Dollars -20.00 USD", "Euros -10.00 EUR"]
    #expect(try balances(ledger) == expected)
    // The ledger remembers the number of both accounts.
    #expect(try await StatementImporter().run(Self.both, into: ledger).duplicates == 2)
    #expect(try balances(ledger) == expected)
    // A statement in a third currency belongs to neither.
    var pounds = FileContents()
    pounds.statements = [Self.statement(iso("GBP"), money("-1", iso("GBP")))]
    await #expect(throws: InterchangeError.self) {
      try await StatementImporter().run(pounds, into: ledger)
    }
    try await ledger.close()
  }

  @Test(arguments: [true, false])
  func aStatementInAnotherCurrencyIsRefusedUnlessConverted(isStated: Bool) async throws {
    let ledger = try await Ledger.inMemory()
    var new = NewAccount(name: "Euros", kind: .asset, currency: eur)
    new.identifiers = [Self.number]
    try await ledger.append([
      .setSettings(SettingsChange(baseCurrency: eur)), .openAccount(new),
      .setRate(
        ExchangeRate(base: usd, quoted: eur, day: day("2026-01-01"), quote: try Quote("0.9"))),
    ])
    for choice in [AccountChoice(), AccountChoice(all: "Euros")] {
      let importer = StatementImporter(accounts: choice)
      let error = try await #require(throws: InterchangeError.self) {
        try await importer.run(Self.dollars(stated: isStated), into: ledger)
      }
      #expect(error.code == .account && error.otherCurrency == usd)
      #expect(error.message.contains("is in USD, but the account “Euros” is in EUR"))
      // The same before anything is recorded.
      #expect(throws: InterchangeError.self) {
        try ledger.read { try importer.check(Self.dollars(stated: isStated), in: $0) }
      }
    }
    #expect(try balances(ledger) == ["Euros 0.00 EUR"])
    let converting = StatementImporter(converts: true)
    let summary = try await converting.run(Self.dollars(stated: isStated), into: ledger)
    #expect(summary.imported == 1)
    #expect(try balances(ledger) == ["Euros -18.00 EUR"])
    // The stated balance is in dollars, so it can't be confirmed.
    #expect(summary.balances.map(\.ledgerDifference) == [nil])
    try await ledger.close()
  }

  @Test func aNewAccountIsInOneCurrency() async throws {
    let ledger = try await Ledger.inMemory()
    var choices = [AccountChoice(), AccountChoice()]
    choices[0].choose("Both", for: Self.number)
    choices[1].choose("Both", for: Self.number + ":EUR")
    choices[1].choose("BOTH", for: Self.number + ":USD")
    for choice in choices {
      let error = try await #require(throws: InterchangeError.self) {
        try await StatementImporter(accounts: choice).run(Self.both, into: ledger)
      }
      #expect(error.code == .account && error.otherCurrency == usd)
      #expect(error.message.contains("is in USD, but the new account “"))
      #expect(try balances(ledger).isEmpty)
    }
    try await ledger.close()
  }

  @Test func anAccountOfTheRightCurrencyIsPreferredAndCreated() async throws {
    let ledger = try await Ledger.inMemory()
    var new = NewAccount(name: "Euros", kind: .asset, currency: eur)
    new.identifiers = [Self.number]
    try await ledger.append([.openAccount(new)])
    var importer = StatementImporter()
    importer.accounts.choose("Dollars", for: Self.number + ":USD")
    let summary = try await importer.run(Self.both, into: ledger)
    #expect(summary.createdAccounts == ["Dollars"])
    #expect(try balances(ledger) == ["Dollars -20.00 USD", "Euros -10.00 EUR"])
    // Two accounts in one currency can't share a number.
    var twice = NewAccount(name: "More euros", kind: .asset, currency: eur)
    twice.identifiers = [Self.number]
    await #expect(throws: DaybookError.self) { try await ledger.append([.openAccount(twice)]) }
    try await ledger.close()
  }

  @Test func refusalNamesTheAccountsInTheCurrency() async throws {
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.openAccount(NewAccount(name: "Euros", currency: eur)))
    let importer = StatementImporter(accounts: AccountChoice(all: "Euros"))
    for names in [[], ["Dollars"]] {
      for name in names {
        try await ledger.append(.openAccount(NewAccount(name: name, currency: usd)))
      }
      let error = try await #require(throws: InterchangeError.self) {
        try await importer.run(Self.dollars(), into: ledger)
      }
      #expect(error.otherCurrency == usd && error.fittingAccounts == names)
    }
    try await ledger.close()
  }

  @Test func numberOfAnotherAccountIsRefused() async throws {
    let ledger = try await Ledger.inMemory()
    let first = StatementImporter(accounts: AccountChoice(all: "First"))
    try await first.run(Self.dollars(), into: ledger)
    // A new account and one that exists.
    for name in ["Second", "Third"] {
      if name == "Third" {
        try await ledger.append(.openAccount(NewAccount(name: name, currency: usd)))
      }
      let importer = StatementImporter(accounts: AccountChoice(all: name))
      let error = try await #require(throws: InterchangeError.self) {
        try await importer.run(Self.dollars(), into: ledger)
      }
      #expect(error.code == .account && error.message.contains("number of the account “First”"))
    }
    #expect(try balances(ledger) == ["First -20.00 USD", "Third 0.00 USD"])
    try await ledger.close()
  }

  @Test func nameInTheFileIsRememberedIfItHasNoNumber() async throws {
    let ledger = try await Ledger.inMemory()
    var contents = Self.dollars()
    contents.statements[0].account = StatementAccount(name: "My House", currency: usd)
    let importer = StatementImporter(accounts: AccountChoice(all: "Property"))
    #expect(try await importer.run(contents, into: ledger).imported == 1)
    #expect(try await StatementImporter().run(contents, into: ledger).duplicates == 1)
    #expect(try balances(ledger) == ["Property -20.00 USD"])
    try await ledger.close()
  }

  @Test func unknownAccountIsNamedNextToKnownOnes() async throws {
    let ledger = try await Ledger.inMemory()
    for (name, currency) in [("Euros", eur), ("Pounds", iso("GBP"))] {
      var account = NewAccount(name: name, currency: currency)
      account.identifiers = [Self.number]
      try await ledger.append(.openAccount(account))
    }
    let error = try await #require(throws: InterchangeError.self) {
      try await StatementImporter().run(Self.both, into: ledger)
    }
    #expect(error.message.hasSuffix("account for \(Self.number) in USD is unknown."))
    #expect(error.unknownAccounts.count == 1 && error.matchedAccounts.count == 1)
    try await ledger.close()
  }
}
