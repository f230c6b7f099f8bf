// Goal: the envelopes of an imported budget have the figures that Actual shows. Method: a file with overspending of both
// kinds, a transfer off the budget and income, whose figures are worked out by hand from Actual's rules: a balance is
// what was carried over + budgeted + spent; overspending that isn't carried is taken from the next month's money.

import Daybook
import DaybookFormats
import DaybookInterchange
import Foundation
import Testing

@testable import DaybookPackedFormats

@Suite struct ActualEnvelopeTests {
  private static let rows = """
    INSERT INTO accounts (id, name, offbudget) VALUES ('h', 'House', 1);
    INSERT INTO transactions (id, acct, amount, date, starting_balance_flag, category)
      VALUES ('t0', 'a1', 100000, 20240101, 1, 'c3');
    INSERT INTO transactions (id, acct, amount, date, category) VALUES
      ('t1', 'a1', -35000, 20240110, 'c1'), ('t2', 'a1', -13000, 20240111, 'c2'),
      ('t3', 'a1', 50000, 20240201, 'c3'), ('t4', 'a1', -10000, 20240210, 'c1');
    INSERT INTO transactions (id, acct, amount, date, transferred_id, category) VALUES
      ('o', 'a1', -4000, 20240316, 'i', 'c2'), ('i', 'h', 4000, 20240316, 'o', NULL);
    INSERT INTO zero_budgets VALUES ('1', 202401, 'c1', 30000, 0), ('2', 202402, 'c1', 30000, 0),
      ('3', 202401, 'c2', 10000, 1), ('4', 202402, 'c2', 5000, 1);
    """

  /// The available amounts of Food and Rent, and the money to budget.
  private static let figures: [[Int128]] = [
    // 300 - 350 are not carried, 100 - 130 are; of 1,000, 400 are budgeted.
    [-5_000, -3_000, 60_000],
    // 300 - 100; -30 + 50; 600 + 500 - 50 overspent - 350.
    [20_000, 2_000, 70_000],
    // 20 - 40 for the house.
    [20_000, -2_000, 70_000],
  ]

  private func contents() throws -> FileContents {
    let database = Packing.database(ActualSample.tables + Self.rows)
    let zip = Packing.zip([
      ("db.sqlite", database), ("metadata.json", Array(#"{"id":"b"}"#.utf8)),
    ])
    var options = ReadingOptions()
    options.currency = .eur
    return try Actual.read(RawFile(zip, name: "2026-Budget.zip"), options)
  }

  private func open() async throws -> (Ledger, path: String) {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("actual-\(UUID().uuidString)").path
    return (try await Ledger.open(at: path, options: .init(author: "tests")), path)
  }

  private func figures(_ ledger: Ledger) throws -> [[Int128]] {
    let first = Month(year: 2024, month: 1)
    let today = first.adding(2).last
    return try ledger.read { snapshot in
      try snapshot.envelopes(over: first..<first.adding(3), today: today).map { month in
        ["Food", "Rent"].map { name in
          month.envelopes.first { $0.category.name == name }?.available.units ?? 0
        } + [month.readyToAssign.units]
      }
    }
  }

  @Test func figuresAreThoseOfActual() async throws {
    let (ledger, path) = try await open()
    try await ledger.append(.setSettings(SettingsChange(baseCurrency: .some(.eur))))
    try await BooksImporter().run(try contents(), into: ledger)
    #expect(try figures(ledger) == Self.figures)
    #expect(
      try ledger.read { try $0.accounts().filter(\.isOutsideBudget).map(\.name) } == ["House"])
    // A budget that has changed since isn't changed again.
    let food = try #require(
      try ledger.read { try $0.categories(.expense).first { $0.name == "Food" }?.id })
    try await ledger.append(
      .assign(Money(31_000, .eur), to: food, in: Month(year: 2024, month: 1)))
    try await BooksImporter().run(try contents(), into: ledger)
    #expect(try figures(ledger)[0] == [-4_000, -3_000, 59_000])
    try await ledger.close()
    try FileManager.default.removeItem(atPath: path)
  }

  /// Without a base currency there are no envelopes; the next import adds the omitted amounts.
  @Test func theBaseCurrencyIsSetLater() async throws {
    let (ledger, path) = try await open()
    let summary = try await BooksImporter().run(try contents(), into: ledger)
    #expect(
      summary.notices.contains { $0.message.hasPrefix("Left out the 4 amounts") },
      "\(summary.notices)")
    try await ledger.append(.setSettings(SettingsChange(baseCurrency: .some(.eur))))
    try await BooksImporter().run(try contents(), into: ledger)
    #expect(try figures(ledger) == Self.figures)
    try await ledger.close()
    try FileManager.default.removeItem(atPath: path)
  }
}
