// Goal: what a reader says of a bank's file is recorded on the account that it belongs to, once, and its
// balances are held against rows and ledger. Method: statements and books made by hand go into a ledger,
// twice, with accounts known by number, by name or not at all.
import Daybook
import Foundation
import Testing

@testable import DaybookFormats
@testable import DaybookInterchange

@Suite struct StatementImporterTests {
  private static let giro = StatementAccount(
    iban: "DE89370400440532013000", number: "0532013000", bank: "37040044", currency: eur)

  private static func row(
    _ line: Int, _ day: String, _ amount: String, _ reference: String = "", payee: String = "Shop"
  ) -> StatementRow {
    var row = StatementRow(
      line: line, day: Day(day) ?? today, amount: money(amount, eur), description: "row \(line)",
      payee: payee)
    row.reference = reference
    return row
  }

  private static func contents(
    _ rows: [StatementRow], _ account: StatementAccount = giro, opening: String? = nil,
    closing: String? = nil
  ) -> FileContents {
    var statement = Statement(line: 1, account: account)
    statement.rows = rows
    statement.opening = opening.map {
      StatedBalance(line: 1, day: day("2026-01-01"), amount: money($0, eur))
    }
    statement.closing = closing.map {
      StatedBalance(line: 9, day: day("2026-01-31"), amount: money($0, eur))
    }
    var contents = FileContents()
    contents.statements = [statement]
    return contents
  }

  @Test func theAccountIsAskedForOnceAndRemembered() async throws {
    let home = try await Home()
    let file = Self.contents([Self.row(3, "2026-01-05", "-5", "ofx:1")], closing: "95")
    let error = try await #require(throws: InterchangeError.self) {
      try await StatementImporter().run(file, path: "a.ofx", into: home.ledger)
    }
    #expect(error.code == .account && error.unknownAccounts == [Self.giro])
    var importer = StatementImporter()
    importer.accounts.choose("Giro", for: "DE89 3704 0044 0532 0130 00")
    let summary = try await importer.run(file, into: home.ledger)
    #expect(summary.imported == 1 && summary.createdAccounts == ["Giro"])
    #expect(summary.impliedOpenings == ["Giro": money("100", eur)])
    let again = try await StatementImporter().run(file, into: home.ledger)
    #expect(again.imported == 0 && again.duplicates == 1)
    // A file that knows the account by its national number alone.
    let other = StatementAccount(number: "0532013000")
    let more = try await StatementImporter().run(
      Self.contents([Self.row(3, "2026-01-06", "-7", "mt940:2")], other), into: home.ledger)
    #expect(more.imported == 1)
    let account = try #require(try home.ledger.read { try $0.account(named: "Giro") })
    #expect(account.identifiers.first == "DE89370400440532013000")
    #expect(try home.ledger.read { try $0.balance(of: account.id, on: today).units } == -1200)
    try await home.end()
  }

  @Test func anAccountOfThatNameLearnsItsNumber() async throws {
    let home = try await Home()
    try await home.ledger.append(.openAccount(NewAccount(name: "Mine", currency: eur)))
    let importer = StatementImporter(accounts: AccountChoice(all: "mine"))
    _ = try await importer.run(
      Self.contents([Self.row(3, "2026-01-05", "-5")]), into: home.ledger)
    let summary = try await StatementImporter().run(
      Self.contents([Self.row(4, "2026-01-06", "-5")]), into: home.ledger)
    #expect(summary.imported == 1 && summary.createdAccounts.isEmpty)
    try await home.end()
  }

  @Test func balancesAreCheckedAndKeptOnRequest() async throws {
    let home = try await Home()
    try await home.ledger.append(
      .openAccount(NewAccount(name: "Giro", currency: eur, opening: Money(10_000, eur))))
    let rows = [Self.row(3, "2026-01-05", "-5"), Self.row(4, "2026-01-31", "1.50")]
    let choice = AccountChoice(all: "Giro")
    var importer = StatementImporter(accounts: choice, assertsBalances: true)
    let good = try await importer.run(
      Self.contents(rows, opening: "100", closing: "96.50"), into: home.ledger)
    let report = try #require(good.balances.first)
    #expect(report.isConsistent && report.ledgerDifference?.units == 0 && report.isAsserted)
    let checks = try home.ledger.read { try $0.assertionChecks() }
    #expect(checks.count == 2 && checks.allSatisfy(\.holds))
    importer.assertsBalances = false
    let bad = try await importer.run(
      Self.contents(rows, opening: "100", closing: "97"), into: home.ledger)
    #expect(bad.balances.first?.difference?.units == -50)
    #expect(bad.balances.first?.ledgerDifference?.units == -50)
    #expect(try home.ledger.read { try $0.assertionChecks().count } == 2)
    try await home.end()
  }

  @Test func whatIsNotBookedIsLeftOutUnlessAskedFor() async throws {
    let home = try await Home()
    var row = Self.row(3, "2026-01-05", "-5", "camt:1")
    row.isPending = true
    row.code = "E2E"
    row.valueDay = day("2026-01-07")
    var importer = StatementImporter(accounts: AccountChoice(all: "Giro"))
    let out = try await importer.run(Self.contents([row]), into: home.ledger)
    #expect(out.imported == 0 && out.pendingLeftOut == 1)
    importer.takesPending = true
    #expect(try await importer.run(Self.contents([row]), into: home.ledger).imported == 1)
    let stored = try #require(try home.ledger.read { try $0.transactions(limit: 1) }.first)
    #expect(stored.status == .pending && stored.code == "E2E")
    #expect(stored.valueDay == day("2026-01-07"))
    try await home.end()
  }

  @Test func partsAndBothSidesOfATransfer() async throws {
    let home = try await Home()
    var split = Self.row(3, "2026-01-05", "-50")
    split.parts = [
      .init(money("-30", eur), category: ["Food"], note: "bread"),
      .init(money("-20", eur), target: "Savings"),
    ]
    var plain = Self.row(4, "2026-01-06", "-7")
    plain.target = "Savings"
    var mirror = Self.row(8, "2026-01-05", "20")
    mirror.target = "Giro"
    var other = Self.row(9, "2026-01-06", "7")
    other.target = "Giro"
    var contents = FileContents()
    for (name, rows) in [("Savings", [other, mirror]), ("Giro", [split, plain])] {
      var statement = Statement(line: 1, account: StatementAccount(name: name, currency: eur))
      statement.rows = rows
      contents.statements.append(statement)
    }
    let summary = try await StatementImporter().run(contents, into: home.ledger)
    #expect(summary.imported == 2 && summary.mirrored == 2)
    try home.ledger.read { snapshot in
      for (name, units) in [("Giro", -5700), ("Savings", 2700)] {
        let account = try #require(try snapshot.account(named: name))
        #expect(try snapshot.balance(of: account.id, on: today).units == Int128(units))
      }
    }
    let again = try await StatementImporter().run(contents, into: home.ledger)
    #expect(again.imported == 0 && again.duplicates == 2)
    split.parts[0].amount = money("-31", eur)
    contents.statements[1].rows = [split]
    let error = try await #require(throws: InterchangeError.self) {
      try await StatementImporter().run(contents, into: home.ledger)
    }
    #expect(error.badLines.map(\.line) == [3])
    try await home.end()
  }

  @Test func longTextsLoseNothing() async throws {
    let home = try await Home()
    var row = Self.row(3, "2026-01-05", "-5")
    row.description = String(repeating: "ä", count: 400)
    _ = try await StatementImporter(accounts: AccountChoice(all: "Giro")).run(
      Self.contents([row]), into: home.ledger)
    let stored = try #require(try home.ledger.read { try $0.transactions(limit: 1) }.first)
    #expect(stored.description.count == 250 && stored.note == row.description)
    try await home.end()
  }

  @Test func anAccountBeginsWithTheRowThatSaysSo() async throws {
    let home = try await Home()
    var row = Self.row(4, "2026-01-05", "-5")
    row.isReconciled = true
    var contents = Self.contents(
      [row], StatementAccount(name: "Giro"), opening: "100", closing: "95")
    contents.statements[0].begins = true
    let importer = StatementImporter(assertsBalances: true)
    let summary = try await importer.run(contents, into: home.ledger)
    #expect(summary.imported == 1 && summary.impliedOpenings.isEmpty)
    #expect(summary.balances.first?.ledgerDifference?.units == 0)
    try home.ledger.read { snapshot in
      let account = try #require(try snapshot.account(named: "Giro"))
      #expect(account.opening.minorUnits == 10_000 && account.openingDay == day("2026-01-01"))
      #expect(try snapshot.balance(of: account.id, on: day("2026-01-05")).units == 9_500)
      #expect(try snapshot.assertionChecks().map(\.holds) == [true])
      #expect(try snapshot.transactions(limit: 1).first?.status == .reconciled)
    }
    let again = try await importer.run(contents, into: home.ledger)
    #expect(again.imported == 0 && again.duplicates == 1)
    try home.ledger.read { (snapshot) throws in
      #expect(try snapshot.account(named: "Giro")?.opening.minorUnits == 10_000)
    }
    try await home.end()
  }

  @Test func categoriesOfBooksKeepNotesAndAreHidden() async throws {
    let home = try await Home()
    var books = Books()
    var below = BookCategory(line: 1, path: ["Fun", "Games"], kind: .expense)
    below.isHidden = true
    var above = BookCategory(line: 2, path: ["Fun"], kind: .expense)
    above.note = "evenings"
    books.categories = [below, above]
    var contents = FileContents()
    contents.books = books
    try await BooksImporter().run(contents, into: home.ledger)
    try home.ledger.read { snapshot in
      let found = try snapshot.categories().filter { ["Fun", "Games"].contains($0.name) }
      let fun = try #require(found.first { $0.name == "Fun" })
      #expect(fun.note == "evenings" && !fun.isHidden)
      let games = try #require(found.first { $0.name == "Games" })
      #expect(games.isHidden && games.parent == fun.id)
    }
    try await home.end()
  }

  @Test func booksAreRecordedOnce() async throws {
    let home = try await Home()
    let coin = try #require(Currency(code: "COIN", digits: 4))
    var books = Books()
    books.currencies = [CurrencyDefinition(currency: coin, name: "Coin")]
    var bank = BookAccount(line: 1, name: "Assets:Bank", kind: .asset, currency: eur)
    bank.identifiers = ["DE89370400440532013000"]
    let wallet = BookAccount(line: 2, name: "Assets:Wallet", kind: .asset, currency: coin)
    var loan = BookAccount(line: 2, name: "Loan", kind: .liability, currency: eur)
    loan.isClosed = true
    books.accounts = [bank, wallet, loan]
    books.categories = [BookCategory(line: 3, path: ["Food", "Bread"], kind: .expense)]
    var first = BookTransaction(line: 5, day: day("2026-01-05"))
    first.code = "17"
    first.tags = ["trip:Rome"]
    first.postings = [
      BookPosting(.account("Assets:Bank"), money("-10", eur)),
      BookPosting(.category(["Food", "Bread"], .expense), money("4", eur), note: "rolls"),
      BookPosting(.category([], .expense), money("6", eur)),
    ]
    var second = BookTransaction(line: 9, day: day("2026-01-06"))
    second.postings = [
      BookPosting(.account("Assets:Bank"), money("-20", eur)),
      BookPosting(.exchange, money("20", eur)),
      BookPosting(.exchange, Money(-5_0000, coin)),
      BookPosting(.account("Assets:Wallet"), Money(5_0000, coin)),
    ]
    books.transactions = [first, second]
    books.assertions = [
      BookAssertion(
        line: 12, account: "Assets:Bank", day: day("2026-01-06"), amount: money("-30", eur))
    ]
    var rent = BookTransaction(line: 14, day: day("2026-02-01"))
    rent.description = "Rent"
    rent.postings = [
      BookPosting(.account("Assets:Bank"), money("-500", eur)),
      BookPosting(.category(["Rent"], .expense), money("500", eur)),
    ]
    books.schedules = [
      BookSchedule(
        line: 14, name: "Rent", schedule: Schedule(every: 1, .month), start: day("2026-02-01"),
        template: rent),
      BookSchedule(
        line: 15, name: "Odd", schedule: Schedule(every: 1, .month), start: day("2026-02-01"),
        template: first),
    ]
    books.budgets = [
      BookBudget(
        line: 20,
        budget: Budget(
          id: .unassigned, name: "Food", categories: [], amount: money("100", eur),
          period: .monthly(resetDay: 1)), categories: [["Food"]])
    ]
    var contents = FileContents()
    contents.books = books
    let importer = BooksImporter(assertsBalances: true)
    let summary = try await importer.run(contents, into: home.ledger)
    #expect(summary.imported == 2 && summary.createdAccounts.count == 3)
    #expect(summary.notices.map(\.line) == [15])
    try home.ledger.read { snapshot in
      let bank = try #require(try snapshot.account(named: "Assets:Bank"))
      #expect(bank.identifiers == ["DE89370400440532013000"])
      #expect(try snapshot.balance(of: bank.id, on: today).units == -3000)
      let wallet = try #require(try snapshot.account(named: "Assets:Wallet"))
      #expect(try snapshot.balance(of: wallet.id, on: today).units == 50_000)
      #expect(try snapshot.account(named: "Loan")?.isClosed == true)
      let holds = try snapshot.assertionChecks().map(\.holds)
      #expect(holds == [true])
      let names = try snapshot.series().map(\.name)
      #expect(names == ["Rent"])
      #expect(try snapshot.budgets().first?.categories.count == 1)
    }
    let again = try await importer.run(contents, into: home.ledger)
    #expect(again.imported == 0 && again.duplicates == 2 && again.createdAccounts.isEmpty)
    let counts = try home.ledger.read { snapshot in
      [
        try snapshot.series().count, try snapshot.budgets().count,
        try snapshot.assertions().count,
      ]
    }
    #expect(counts == [1, 1, 1])
    try await home.end()
  }
}
