/// Goal: scenarios read as they are told. Method: a ledger in a temporary folder with the fixture
/// of the scenarios (base currency KZT, 1 USD = 450 KZT, 1 EUR = 500 KZT, today 2026-02-15), short
/// verbs for commands, and the ending that every scenario has: reopened, with its views deleted,
/// and rebuilt, the ledger gives the same numbers.
import Daybook
import DaybookEngine
import Foundation
import Testing

let today = day("2026-02-15")
let kzt = iso("KZT")
let usd = iso("USD")
let eur = iso("EUR")

/// A day from its ISO form.
func day(_ text: String) -> Day {
  guard let day = Day(text) else { preconditionFailure("\(text) is not a day") }
  return day
}

/// The days of a month, from its ISO form.
func month(_ text: String) -> Month { day(text + "-01").monthOf }

/// A currency of ISO 4217.
func iso(_ code: String) -> Currency {
  guard let currency = Currency.iso(code) else { preconditionFailure("no currency \(code)") }
  return currency
}

/// An amount from its decimal text.
func money(_ text: String, _ currency: Currency = kzt) -> Money {
  do {
    return try Money.parse(text, currency: currency, decimalMark: ".")
  } catch {
    preconditionFailure("\(text): \(error)")
  }
}

/// A sum from its decimal text.
func total(_ text: String, _ currency: Currency = kzt) -> Total {
  Total(units: Int128(money(text, currency).minorUnits), currency: currency)
}

/// All days that a ledger of these tests can have.
let always = day("1900-01-01")..<day("2200-01-01")

/// A ledger of the scenarios in a folder of its own.
final class House {
  let path: String
  var ledger: Ledger

  /// An empty ledger with the fixture's settings and rates.
  init(rates: Bool = true, base: Currency? = kzt) async throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)").path
    ledger = try await Ledger.open(at: path, options: House.options())
    var commands: [Command] = [.setSettings(SettingsChange(baseCurrency: .some(base)))]
    if rates {
      commands.append(try rate(usd, kzt, "450", "2000-01-01"))
      commands.append(try rate(eur, kzt, "500", "2000-01-01"))
    }
    try await ledger.append(commands)
  }

  /// How these tests open ledgers: many are open at the same time, so each sets little address space
  /// aside.
  static func options(projections: [any Projection.Type] = []) -> Ledger.Options {
    var options = Ledger.Options(author: "tests", projections: projections)
    options.adjustsEngine = { $0.mapByteCount = 1 << 30 }
    return options
  }

  /// Closes the ledger and removes its folder.
  func end() async throws {
    try await ledger.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  func rate(_ base: Currency, _ quote: Currency, _ text: String, _ on: String) throws -> Command {
    .setRate(ExchangeRate(base: base, quoted: quote, day: day(on), quote: try Quote(text)))
  }

  @discardableResult
  func append(_ commands: Command...) async throws -> Receipt { try await ledger.append(commands) }
}

extension House {
  func account(
    _ name: String, opening: String = "0", in currency: Currency = kzt,
    kind: AccountKind = .asset
  ) async throws -> AccountID {
    let opening = money(opening, currency)
    let receipt = try await append(
      .openAccount(
        NewAccount(name: name, kind: kind, currency: currency, opening: opening)))
    return try #require(receipt.accounts.first)
  }

  func category(_ name: String, _ kind: CategoryKind = .expense, in parent: CategoryID? = nil)
    async throws -> CategoryID
  {
    let receipt = try await append(
      .createCategory(NewCategory(name: name, kind: kind, parent: parent)))
    return try #require(receipt.categories.first)
  }

  @discardableResult
  func expense(
    _ amount: Money, from account: AccountID?, _ category: CategoryID? = nil,
    on text: String = "2026-02-10", description: String = ""
  ) async throws -> TransactionID {
    let receipt = try await append(
      .record(
        .expense(
          amount, from: account, category: category, on: day(text), description: description)))
    return try #require(receipt.transactions.first)
  }

  @discardableResult
  func income(
    _ amount: Money, into account: AccountID?, _ category: CategoryID? = nil,
    on text: String = "2026-02-10", description: String = ""
  ) async throws -> TransactionID {
    let receipt = try await append(
      .record(
        .income(
          amount, into: account, category: category, on: day(text), description: description)))
    return try #require(receipt.transactions.first)
  }

  @discardableResult
  func transfer(
    _ amount: Money, from source: AccountID, to target: AccountID, on text: String = "2026-02-10",
    targetAmount: Money? = nil
  ) async throws -> TransactionID {
    let receipt = try await append(
      .record(
        .transfer(amount, from: source, to: target, on: day(text), targetAmount: targetAmount)))
    return try #require(receipt.transactions.first)
  }

  func balance(_ account: AccountID, on text: String? = nil) throws -> Total {
    try ledger.read { try $0.balance(of: account, on: text.map { day($0) } ?? today) }
  }

  /// Spending of a month of the fixture, in one currency.
  func figures(_ of: String = "2026-02", in currency: Currency = kzt) throws -> CurrencyTotals {
    try ledger.read { snapshot throws in
      let target = month(of)
      let months = try snapshot.months(target..<target.adding(1), today: today)
      return try #require(months.first).totals(in: currency)
    }
  }

  /// What a category received up to today.
  func spent(
    _ category: CategoryID, in days: Range<Day> = always, currency: Currency = kzt
  ) throws -> Total {
    try ledger.read { snapshot throws in
      try snapshot.total(of: category, in: days, today: today).total(in: currency)
    }
  }
}

extension House {
  /// Imports rows, and gives the report.
  @discardableResult
  func importRows(_ rows: [ImportRow], options: ImportOptions = ImportOptions()) async throws
    -> ImportReport
  {
    try #require(try await append(.importRows(rows, options)).imports.first)
  }
}

/// An imported row of an expense.
func spending(
  _ amount: String, from account: AccountID, on text: String = "2026-02-03", note: String = ""
) -> ImportRow {
  ImportRow(.expense(money(amount), from: account, on: day(text), note: note))
}

/// An imported row of an income.
func earning(
  _ amount: String, into account: AccountID, on text: String = "2026-02-03", note: String = ""
) -> ImportRow {
  ImportRow(.income(money(amount), into: account, on: day(text), note: note))
}
