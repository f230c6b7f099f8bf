// Goal: "Import" of the scenarios holds for files, from their text to the figures. Method: each is
// told through CSVImporter with the numbers of the text, and has the common ending.

import Daybook
import DaybookInterchange
import Foundation
import Testing

struct ImportTests {
  static let header = "date,account,amount,category,sub,note\n"

  static func rows(_ range: Range<Int>) -> String {
    header
      + range.map { position in
        let date = day("2025-10-01").adding(days: position % 100)
        return "\(date),A,-\(10 + position).25,Food,,note \(position)\n"
      }.joined()
  }

  @Test("into an empty ledger, then one row is deleted")
  func deleteOne() async throws {
    let home = try await Home()
    let summary = try await home.importing(
      Self.header + """
        2026-01-05,J,500000,Salary,,
        2026-01-06,J,-98554.43,Food,,
        2026-01-07,J,-2750,Food,,taxi
        2026-01-05,K,60000,Salary,,
        2026-01-06,K,-8590.16,Food,,
        2026-01-05,H,100000,Salary,,
        2026-01-06,H,-17115.93,Food,,
        """)
    #expect(summary.imported == 7)
    #expect(summary.createdAccounts == ["J", "K", "H"])
    #expect(
      summary.createdCategories == [
        CreatedCategory(kind: .income, path: ["Salary"]),
        CreatedCategory(kind: .expense, path: ["Food"]),
      ])
    #expect(try home.balance("J") == "398695.57")
    #expect(try home.balance("K") == "51409.84")
    #expect(try home.balance("H") == "82884.07")
    try await home.ledger.append(.delete(summary.transactions[2]))
    #expect(try home.balance("J") == "401445.57")
    try await home.ends { snapshot throws in #expect(try snapshot.count() == 6) }
  }

  @Test("into an account with an opening balance")
  func opening() async throws {
    let home = try await Home()
    try await home.ledger.append(
      .openAccount(NewAccount(name: "A", currency: kzt, opening: Money(1_000_000, kzt))))
    let summary = try await home.importing(
      Self.header + "2026-01-05,a,3000,,,\n2026-01-06, A ,-500,,,\n")
    #expect(summary.createdAccounts == [])
    #expect(try home.balance("A") == "12500.00")
    try await home.ledger.rebuild()
    try await home.ledger.rebuild()
    try await home.ends { snapshot throws in
      let account = try #require(try snapshot.account(named: "A"))
      #expect(account.opening.minorUnits == 1_000_000)
      #expect(try snapshot.balance(of: account.id, on: today).text == "12500.00")
    }
  }

  @Test("the same file again, and a longer one")
  func again() async throws {
    let home = try await Home()
    for expected in [100, 0, 0] {
      let summary = try await home.importing(Self.rows(0..<100))
      #expect(summary.imported == expected)
      #expect(summary.duplicates == 100 - expected)
    }
    #expect(try await home.importing(Self.rows(0..<150)).imported == 50)
    try await home.ends { snapshot throws in #expect(try snapshot.count() == 150) }
  }

  @Test("padding and case are duplicates, the other direction is not, equal rows are counted")
  func fingerprints() async throws {
    let home = try await Home()
    let bus = "2026-02-01,A,-3,Bus,,Ticket\n"
    #expect(try await home.importing(Self.header + bus).imported == 1)
    let padded = try await home.importing(Self.header + "2026-02-01, A,-3.00,Bus,,  ticket \n")
    #expect(padded.duplicates == 1)
    let both = try await home.importing(
      Self.header + "2026-02-02,A,500,,,x\n2026-02-02,A,-500,,,x\n")
    #expect(both.imported == 2)
    #expect(try await home.importing(Self.header + bus + bus).imported == 1)
    #expect(try await home.importing(Self.header + bus + bus).imported == 0)
    try await home.ends { snapshot throws in #expect(try snapshot.count() == 4) }
  }

  @Test("one bad line refuses the file, and every bad line is named")
  func allOrNothing() async throws {
    let home = try await Home()
    let text =
      Self.header + """
        2026-01-05,A,1,Food,,ok
        2026-01-32,A,1,Food,,no such day
        2026-01-05,A,x,Food,,no amount
        2026-01-05,A,1
        2026-01-05,A,"1"2,,,
        2026-01-05,A,99999999999999999999,Food,,overflow
        2026-01-05,,1,Food,,no account

        """
    let error = try await #require(throws: InterchangeError.self) {
      try await home.importing(text)
    }
    #expect(error.code == .badLines)
    #expect(error.badLines.map(\.line) == [3, 4, 5, 6, 7, 8])
    #expect(
      error.badLines.map(\.code) == [.date, .amount, .ragged, .strayQuote, .amount, .name])
    #expect(error.badLines.allSatisfy { !$0.remedy.isEmpty })
    #expect(try home.ledger.read { try $0.accounts() }.isEmpty)
    let skipping = try await home.importing(text, settings: .init(skipsBadRows: true))
    #expect(skipping.imported == 1)
    #expect(skipping.skipped.map(\.line) == [3, 4, 5, 6, 7, 8])
    try await home.ends { snapshot throws in #expect(try snapshot.count() == 1) }
  }

  @Test("lines that the ledger refuses are named beside those that cannot be read")
  func refusedByLedger() async throws {
    let home = try await Home()
    try await home.ledger.append(.closePeriod(through: day("2025-12-31")))
    let text = Self.header + "2025-12-31,A,1,Food,,closed\n2026-01-01,A,1,Food,,\nx,A,1,,,\n"
    let error = try await #require(throws: InterchangeError.self) {
      try await home.importing(text)
    }
    #expect(error.badLines.map(\.line) == [2, 4])
    #expect(error.badLines.map(\.code) == [.refused, .date])
    let long = Self.header + "2026-01-01,A,1,\(String(repeating: "n", count: 201)),,\n"
    await #expect(throws: InterchangeError.self) { try await home.importing(long) }
    try await home.ends { snapshot throws in #expect(try snapshot.count() == 0) }
  }

  @Test("missing names are listed, or refuse the file; a rehearsal records nothing")
  func missing() async throws {
    let home = try await Home()
    let text = Self.header + "2026-01-01,A,-1,Food,Fruit,\n"
    let error = try await #require(throws: InterchangeError.self) {
      try await home.importing(text, settings: .init(createsMissing: false))
    }
    #expect(error.code == .missing)
    #expect(error.message.contains("account A") && error.message.contains("Food:Fruit"))
    let before = try home.ledger.token
    let rehearsal = try await home.importing(text, settings: .init(isDryRun: true))
    #expect(rehearsal.imported == 1)
    #expect(rehearsal.createdAccounts == ["A"])
    #expect(rehearsal.createdCategories.map(\.path) == [["Food"], ["Food", "Fruit"]])
    #expect(try home.ledger.token == before)
    try await home.importing(text)
    let known = try await home.importing(
      Self.header + "2026-01-02,A,-1,Food,Fruit,\n", settings: .init(createsMissing: false))
    #expect(known.imported == 1)
    try await home.ends { snapshot throws in #expect(try snapshot.categories().count == 2) }
  }

  @Test("a transfer moves both accounts; across currencies both amounts are kept")
  func transfers() async throws {
    let home = try await Home()
    let json = """
      {"date": {"column": "date"}, "amount": {"column": "amount"}, "currency": "USD",
       "account": "{account}", "transfer": {"account": "{to}", "amount": "toAmount",
       "currency": "{toCurrency}"}}
      """
    let summary = try await home.importing(
      "date,account,amount,to,toAmount,toCurrency\n2026-01-01,Dollars,-100,Tenge,45000,KZT\n"
        + "2026-01-02,Dollars,40,Safe,,\n", json)
    #expect(summary.imported == 2)
    #expect(try home.balance("Dollars") == "-60.00")
    #expect(try home.balance("Tenge") == "45000.00")
    #expect(try home.balance("Safe") == "-40.00")
    try await home.ends { snapshot throws in
      #expect(try snapshot.totals(in: always, today: today).allSatisfy { $0.income.units == 0 })
    }
  }

  @Test("currencies that the ledger defines are known, others are not")
  func definedCurrencies() async throws {
    let home = try await Home()
    let text = Self.header + "2026-01-05,A,7.5,,,\n"
    let json = Home.mapping.replacing("KZT", with: "PTS1")
    await #expect(throws: InterchangeError.self) { try await home.importing(text, json) }
    let points = try #require(Currency(code: "PTS1", digits: 1))
    try await home.ledger.append(.defineCurrency(CurrencyDefinition(currency: points)))
    #expect(try await home.importing(text, json).imported == 1)
    try await home.ends { snapshot throws in
      #expect(try snapshot.netWorth(on: today).map(\.description) == ["7.5 PTS1"])
    }
  }

  @Test("921 rows, 8 accounts, 22 categories, 60 subcategories: visible now, durable later")
  func visibleNow() async throws {
    let home = try await Home()
    let text =
      Self.header
      + (0..<921).map { position in
        let date = day("2023-08-01").adding(days: position)
        let sub = position % 60
        return "\(date),Account \(position % 8),-\(position + 1).50,Category \(sub % 22),"
          + "Sub \(sub),\n"
      }.joined()
    let summary = try await home.importing(text)
    #expect(summary.createdAccounts.count == 8)
    #expect(summary.createdCategories.count == 82)
    try await home.ends { snapshot throws in
      #expect(try snapshot.count() == 921)
      #expect(try snapshot.totals(in: always, today: today).first?.expense.text == "425041.50")
      let whole = try snapshot.breakdown(in: always, kind: .expense, rollUp: true, today: today)
      #expect(whole.count == 22)
      #expect(whole.reduce(0) { $0 + $1.total(in: kzt).units } == 42_504_150)
    }
  }
}
