import Daybook
import DaybookInterchange

/// Compares the Czech bank's transactions of 1993 with reference figures.
struct Berka {
  let places: Places
  let ledger: Ledger
  let reference: [String: Any]
  /// The number of imported rows and of accounts created by the import.
  private(set) var imported = (rows: 0, accounts: 0)

  /// Checks a ledger that should contain all transactions of the file.
  init(_ places: Places, in ledger: Ledger) throws {
    self.places = places
    self.ledger = ledger
    reference = try places.json("berka-1993/reference.json")
  }

  init(_ places: Places) async throws {
    let (ledger, summary) = try await places.ledger(
      "berka", importing: places.outside("berka-1993/trans.asc"), mapping: "berka-1993")
    try self.init(places, in: ledger)
    imported = (summary.imported, summary.createdAccounts.count)
  }

  func rows() throws -> String {
    try expect("rows", Int128(imported.rows), number(reference["rows"]))
    try expect("accounts", Int128(imported.accounts), number(reference["accounts"]))
    try count()
    return "\(imported.rows) rows, \(imported.accounts) accounts"
  }

  func count() throws {
    try expect(
      "rows in the ledger", Int128(try ledger.read { try $0.count() }), number(reference["rows"]))
  }

  func net() throws -> String {
    let net = try ledger.read { try $0.netWorth(on: today) }
    try expect("currencies", net.map(\.currency.code), ["CZK"])
    try expect("net", net.first?.units, number(reference["net"]))
    return "\(net.map(\.description).joined())"
  }

  func accounts() throws -> String {
    guard let expected = reference["net_by_account"] as? [String: Any] else {
      throw Wrong("the reference has no accounts")
    }
    let balances = try ledger.read { try $0.balances(on: today) }
    try expect("accounts", balances.count, expected.count)
    for balance in balances {
      let id = String(balance.account.name.dropFirst("Bank ".count))
      try expect(balance.account.name, balance.balance.units, number(expected[id]))
    }
    return "the net of each of \(balances.count) accounts"
  }

  func months() throws -> String {
    guard let expected = reference["by_month"] as? [String: [String: Any]] else {
      throw Wrong("the reference has no months")
    }
    let year = Month(year: 1993, month: 1)..<Month(year: 1994, month: 1)
    let months = try ledger.read { try $0.months(year, today: today) }
    for month in months {
      guard let totals = month.totals.first else { throw Wrong("\(month.month) has no totals") }
      let row = expected["\(month.month)"]
      try expect("\(month.month) credits", totals.income.units, number(row?["credits"]))
      try expect("\(month.month) debits", totals.expense.units, number(row?["debits"]))
      try expect("\(month.month) rows", Int128(totals.count), number(row?["rows"]))
    }
    try expect("months", months.count, expected.count)
    return "credits, debits and rows of each of \(months.count) months"
  }

  func symbols() throws -> String {
    guard let expected = reference["by_k_symbol"] as? [String: [String: Any]] else {
      throw Wrong("the reference has no k_symbol")
    }
    let renamed = try places.mapping("berka-1993").values["k_symbol"] ?? [:]
    let days = Day.min..<today
    let totals = try ledger.read { snapshot in
      try snapshot.breakdown(in: days, kind: .income, today: today)
        + snapshot.breakdown(in: days, kind: .expense, today: today)
    }
    var nets: [String: Int128] = [:]
    for total in totals {
      let name = total.category.parent == nil ? "" : total.category.name
      for part in total.totals {
        nets[name, default: 0] += total.category.kind == .income ? part.units : -part.units
      }
    }
    for (symbol, row) in expected {
      try expect("net of \(symbol)", nets[renamed[symbol] ?? ""], number(row["net"]))
    }
    try expect("symbols", nets.count, expected.count)
    return "the net of each of \(expected.count) symbols"
  }

  func again() async throws -> String {
    let file = try CSVFile(path: places.outside("berka-1993/trans.asc"))
    let mapping = try places.mapping("berka-1993")
    let second = try await CSVImporter().run(file, mapping: mapping, into: ledger)
    try expect("imported again", second.imported, 0)
    try expect("duplicates", second.duplicates, imported.rows)
    return "0 imported, \(second.duplicates) duplicates"
  }
}
