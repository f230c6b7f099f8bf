import Daybook
import DaybookInterchange
import Foundation

/// Compares the balances of an exported journal as computed by `hledger` and `ledger`.
struct Journals {
  let places: Places

  static let programs = ["hledger", "ledger"]

  /// Exports a ledger and compares the program's figures with the ledger's.
  func check(_ ledger: Ledger, _ name: String, with program: String) async throws -> String {
    let tool = try Program.find(program)
    let path = try await export(ledger, name)
    let output = try Program.run(
      tool,
      program == "hledger"
        ? ["-f", path, "balance", "--flat", "--no-elide", "-E", "-N", "-O", "csv", "--layout=bare"]
        : [
          "-f", path, "balance", "--flat", "--no-total", "--empty",
          "--format", "%(account)\t%(join(scrub(display_amount)))\n",
        ])
    let found = program == "hledger" ? try Self.hledger(output) : try Self.ledger(output)
    let expected = try JournalFigures(ledger)
    try compare(found.filter { $0.value != 0 }, expected.figures)
    return "\(expected.accountCount) accounts and \(expected.categoryCount) categories balance the "
      + "same, \(expected.figures.count) figures"
  }

  /// Runs the strict check of a program on an export.
  ///
  /// `hledger` and `ledger` check that everything is declared, and `bean-check` that everything
  /// balances.
  func accepted(_ ledger: Ledger, _ name: String, by program: String) async throws -> String {
    let tool = try Program.find(program)
    var path = try await export(ledger, name)
    switch program {
    case "hledger": _ = try Program.run(tool, ["-f", path, "--strict", "balance"])
    case "ledger": _ = try Program.run(tool, ["-f", path, "--strict", "balance"])
    default:
      path += ".beancount"
      try await Exporter.export(ledger, as: .beancount, toFile: path)
      _ = try Program.run(tool, [path])
    }
    return "accepts the export"
  }

  /// The path of a ledger's journal, which is exported once for all programs.
  func export(_ ledger: Ledger, _ name: String) async throws -> String {
    let path = places.scratch + "/" + name.replacing("/", with: "-") + ".journal"
    if !FileManager.default.fileExists(atPath: path) {
      try await Exporter.export(ledger, as: .journal, toFile: path)
    }
    return path
  }

  /// Throws if a figure is missing on either side or differs.
  private func compare(_ found: [String: Int128], _ expected: [String: Int128]) throws {
    guard !expected.isEmpty else { throw Wrong("the ledger has no figures: nothing is checked") }
    for (key, units) in expected.sorted(by: { $0.key < $1.key }) {
      try expect(key, found[key] ?? 0, units)
    }
    for key in found.keys.sorted() where expected[key] == nil {
      throw Wrong("\(key) is \(found[key] ?? 0), and Daybook knows of nothing there")
    }
  }

  /// Balances by "account commodity", from hledger's CSV in its bare layout.
  private static func hledger(_ text: String) throws -> [String: Int128] {
    var found: [String: Int128] = [:]
    var isHeader = true
    try CSVFile(text).forEachRecord { record, bytes in
      defer { isHeader = false }
      if isHeader { return true }
      guard record.count == 3 else { throw Wrong("hledger writes \(record.count) columns") }
      let (amount, code) = (record.text(2, in: bytes), record.text(1, in: bytes))
      if amount == "0", code.isEmpty { return true }
      found["\(record.text(0, in: bytes)) \(code)"] = try minorUnits(amount, code)
      return true
    }
    return found
  }

  /// Balances by "account commodity", from `ledger`, which joins the amounts of an account with
  /// `\n`.
  private static func ledger(_ text: String) throws -> [String: Int128] {
    var found: [String: Int128] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2 else { throw Wrong("ledger writes “\(line)”") }
      for amount in parts[1].replacing("\\n", with: "\n").split(separator: "\n") where amount != "0"
      {
        let words = amount.split(separator: " ").map(String.init)
        guard words.count == 2 else { throw Wrong("ledger writes the amount “\(amount)”") }
        found["\(parts[0]) \(words[1])"] = try minorUnits(words[0], words[1])
      }
    }
    return found
  }

  /// Converts an amount in the notation of both programs to minor units.
  static func minorUnits(_ text: String, _ code: String) throws -> Int128 {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // Both programs write as many decimals as a rate has. Decimals beyond the currency's own must
    // be zero.
    var decimals = parts.count > 1 ? String(parts[1]) : ""
    let digits = Currency.iso(code)?.digits ?? 0
    while decimals.count > digits, decimals.last == "0" { decimals.removeLast() }
    guard let currency = Currency.iso(code), decimals.count <= currency.digits else {
      throw Wrong("“\(text) \(code)” is no amount")
    }
    let zeros = String(repeating: "0", count: currency.digits - decimals.count)
    guard let units = Int128(parts[0] + decimals + zeros) else {
      throw Wrong("“\(text) \(code)” is no amount")
    }
    return units
  }
}
