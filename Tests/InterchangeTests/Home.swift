// Goal: scenarios of files read as they are told. Method: a ledger in a temporary folder, and the
// ending that scenarios have: reopened, without its views, and rebuilt, it tells the same.

import Daybook
import DaybookInterchange
import Foundation
import Testing

let today = day("2026-02-15")
let kzt = iso("KZT")
let usd = iso("USD")
let eur = iso("EUR")
let always = day("1900-01-01")..<day("2200-01-01")

func day(_ text: String) -> Day {
  guard let day = Day(text) else { preconditionFailure("\(text) is not a day") }
  return day
}

func iso(_ code: String) -> Currency {
  guard let currency = Currency.iso(code) else { preconditionFailure("no currency \(code)") }
  return currency
}

func money(_ text: String, _ currency: Currency = kzt) -> Money {
  do {
    return try Money.parse(text, currency: currency)
  } catch {
    preconditionFailure("\(text): \(error)")
  }
}

/// A ledger in a folder of its own.
final class Home {
  let path: String
  var ledger: Ledger

  init() async throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("interchange-\(UUID().uuidString)").path
    ledger = try await Ledger.open(at: path, options: .init(author: "tests"))
  }

  func end() async throws {
    try await ledger.close()
    try FileManager.default.removeItem(atPath: path)
  }

  @discardableResult
  func importing(
    _ text: String, _ json: String = Home.mapping, settings: ImportSettings = ImportSettings()
  ) async throws -> ImportSummary {
    try await CSVImporter(settings: settings).run(
      CSVFile(text), mapping: ImportMapping(json: Data(json.utf8)), into: ledger)
  }

  /// Date, account, amount, category, subcategory and note, with a header.
  static let mapping = """
    {"date": {"column": "date"}, "amount": {"column": "amount"}, "currency": "KZT",
     "account": "{account}", "category": ["{category}", "{sub}"], "note": "{note}"}
    """

  func balance(_ name: String) throws -> String {
    try ledger.read { snapshot throws in
      let account = try #require(try snapshot.account(named: name))
      return try snapshot.balance(of: account.id, on: today).text
    }
  }

  func export(_ format: ExportFormat) throws -> String {
    var bytes: [UInt8] = []
    try Exporter.export(ledger, as: format) { bytes.append(contentsOf: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Tells the same now, after reopening, without the views, and rebuilt; then removes itself.
  func ends(_ expectations: (borrowing Snapshot) throws -> Void) async throws {
    let before = try told(expectations)
    try await reopen()
    #expect(try told(expectations) == before, "after reopening")
    try await reopen(deletingViews: true)
    #expect(try told(expectations) == before, "after deleting the views")
    try await ledger.rebuild()
    #expect(try told(expectations) == before, "after a rebuild")
    var options = PurgeOptions()
    options.policy = .count(0)
    try await ledger.purge(options)
    try await ledger.rebuild()
    #expect(try told(expectations) == before, "after a purge and a rebuild")
    let report = try await ledger.verify()
    #expect(report.findings == [])
    try await end()
  }

  private func told(_ expectations: (borrowing Snapshot) throws -> Void) throws -> Figures {
    try ledger.read { snapshot throws in
      try expectations(snapshot)
      return try Figures(snapshot)
    }
  }

  private func reopen(deletingViews: Bool = false) async throws {
    try await ledger.close()
    if deletingViews {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      for name in names where name.hasPrefix("views-") {
        try FileManager.default.removeItem(atPath: path + "/" + name)
      }
    }
    ledger = try await Ledger.open(at: path, options: .init(author: "tests"))
  }
}

/// What two ledgers have in common when one was imported from the other: figures by name.
struct Figures: Equatable {
  var count = 0
  var balances: [String] = []
  var months: [MonthTotals] = []
  var categories: [String] = []
  var rows: [String] = []

  init(_ snapshot: borrowing Snapshot) throws {
    count = try snapshot.count()
    balances = try snapshot.balances(on: today, includingDeleted: true).map {
      "\($0.account.kind) \($0.account.name) \($0.balance)"
    }.sorted()
    months = try snapshot.months(
      day("2025-01-01").monthOf..<day("2026-07-01").monthOf, today: today)
    let all = try snapshot.categories(includingDeleted: true)
    for kind in CategoryKind.allCases {
      for total in try snapshot.breakdown(in: always, kind: kind, today: today) {
        let parent = all.first { $0.id == total.category.parent }?.name ?? ""
        categories.append("\(kind) \(parent):\(total.category.name) \(total.totals)")
      }
    }
    categories.sort()
    rows = try snapshot.transactions(limit: 10_000).map {
      "\($0.day) \($0.type) \($0.status) \($0.description)|\($0.payee)|\($0.note)|\($0.tags) "
        + "\($0.postings.map { "\($0.amount) \($0.note)" })"
    }.sorted()
  }
}
