import Daybook
import DaybookInterchange
import Foundation

/// Imports the Czech bank's transactions of 1993 through the built command only.
///
/// The mapping file and flags are those that a user would write. The reference figures are the same
/// as for ``Berka``.
struct BerkaCommand {
  let places: Places
  let reference: [String: Any]
  private let ledger: String

  init(_ places: Places) throws {
    self.places = places
    reference = try places.json("berka-1993/reference.json")
    ledger = places.scratch + "/berka-by-command.daybook"
  }

  func check() throws -> String {
    let file = try places.outside("berka-1993/trans.asc")
    let mapping = places.mappingPath("berka-1993")
    _ = try answer(["init", "--base", "CZK"])
    let summary = try answer(["import", file, "--mapping", mapping])
    try expect("rows imported", number(summary["imported"]), number(reference["rows"]))
    let created = summary["createdAccounts"] as? [String] ?? []
    try expect("accounts created", Int128(created.count), number(reference["accounts"]))
    try expect("bad lines", (summary["skipped"] as? [String])?.count, 0)
    let count = try answer(["list", "--count"])
    try expect("rows in the ledger", number(count["count"]), number(reference["rows"]))
    let accounts = try self.accounts()
    let months = try self.months()
    let symbols = try self.symbols()
    let again = try answer(["import", file, "--mapping", mapping])
    try expect("imported again", number(again["imported"]), 0)
    try expect("duplicates", number(again["duplicates"]), number(reference["rows"]))
    return "\(summary["imported"] ?? 0) rows, \(accounts) accounts, \(months) months, "
      + "\(symbols) symbols as in reference.json"
  }

  private func accounts() throws -> Int {
    guard let expected = reference["net_by_account"] as? [String: Any] else {
      throw Wrong("the reference has no accounts")
    }
    let balance = try answer(["balance"])
    let rows = balance["balances"] as? [[String: Any]] ?? []
    try expect("accounts", rows.count, expected.count)
    for row in rows {
      let name = (row["account"] as? [String: Any])?["name"] as? String ?? ""
      let wanted = number(expected[String(name.dropFirst("Bank ".count))])
      try expect(name, try hundredths(row["balance"] as? [String: Any] ?? [:]), wanted)
    }
    let worth = balance["worth"] as? [String: Any] ?? [:]
    try expect("worth", try hundredths(worth), number(reference["net"]))
    return rows.count
  }

  private func months() throws -> Int {
    guard let expected = reference["by_month"] as? [String: [String: Any]] else {
      throw Wrong("the reference has no months")
    }
    let months = try answer([
      "months", "--count", "12", "--through", "1993-12", "--currency", "CZK",
    ])
    let rows = months["months"] as? [[String: Any]] ?? []
    try expect("months", rows.count, expected.count)
    for row in rows {
      let name = row["month"] as? String ?? ""
      let wanted = expected[name]
      let totals = (row["totals"] as? [[String: Any]])?.first ?? [:]
      let income = try hundredths(totals["income"] as? [String: Any] ?? [:])
      try expect("\(name) credits", income, number(wanted?["credits"]))
      let expense = try hundredths(totals["expense"] as? [String: Any] ?? [:])
      try expect("\(name) debits", expense, number(wanted?["debits"]))
      try expect("\(name) rows", number(totals["count"]), number(wanted?["rows"]))
    }
    return rows.count
  }

  private func symbols() throws -> Int {
    guard let expected = reference["by_k_symbol"] as? [String: [String: Any]] else {
      throw Wrong("the reference has no k_symbol")
    }
    let renamed = try places.mapping("berka-1993").values["k_symbol"] ?? [:]
    var nets: [String: Int128] = [:]
    for (kind, sign) in [("income", Int128(1)), ("expense", -1)] {
      let top = try answer(["categories", "top", "--kind", kind, "--no-roll-up", "--year", "1993"])
      let names = top["names"] as? [String: String] ?? [:]
      for row in top["categories"] as? [[String: Any]] ?? [] {
        let id = (row["category"] as? [String: Any])?["id"] as? String ?? ""
        let path = (names[id] ?? "").split(separator: ":")
        let units = try hundredths(row["amount"] as? [String: Any] ?? [:])
        nets[path.count > 1 ? String(path[1]) : "", default: 0] += sign * units
      }
    }
    for (symbol, row) in expected {
      try expect("net of \(symbol)", nets[renamed[symbol] ?? ""], number(row["net"]))
    }
    try expect("symbols", nets.count, expected.count)
    return nets.count
  }

  /// Runs the built command with `--json` and returns its answer.
  private func answer(_ words: [String]) throws -> [String: Any] {
    var words = words + ["--ledger", ledger, "--json"]
    if ["balance", "months", "categories"].contains(words[0]) { words += ["--today", "\(today)"] }
    let text = try Program.run(try Program.daybook(), words)
    guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    else { throw Wrong("daybook \(words[0]) --json answers with no object") }
    return object
  }

  /// An amount in the unit of the reference: hundredths of a koruna, from exactly two decimals.
  private func hundredths(_ row: [String: Any]) throws -> Int128 {
    let text = row["amount"] as? String ?? ""
    let decimals = text.split(separator: ".", omittingEmptySubsequences: false)
    guard row["currency"] as? String == "CZK", decimals.count == 2, decimals[1].count == 2,
      let units = Int128(decimals.joined())
    else { throw Wrong("“\(text)” is no amount of crowns") }
    return units
  }
}
