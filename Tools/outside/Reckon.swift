import Daybook
import DaybookInterchange
import Foundation

/// Compares imported bank files from many countries with reckon's expected output.
enum Reckon {
  /// A file, its mapping, and the expected output.
  struct Case {
    var input: String
    var mapping: String
    var expected: String
  }

  private static func same(_ names: [String]) -> [Case] {
    names.map {
      Case(
        input: "expected/\($0)/input.csv", mapping: "reckon-\($0)",
        expected: "expected/\($0)/output.ledger")
    }
  }

  static let cases: [Case] =
    same([
      "austrian_example", "bom_utf8_file", "broker_canada_example",
      "danish_kroner_nordea_example", "english_date_example", "extratofake", "french_example",
      "german_date_example", "harder_date_example", "ing", "intuit_mint_example",
      "invalid_header_example", "inversed_credit_card", "nationwide", "spanish_date_example",
      "suntrust", "tab_delimited_file", "test_money_column", "two_money_columns",
      "two_money_columns_manual", "unattended_config", "yyyymmdd_date_example",
    ]) + [
      .init(
        input: "csv/chase.csv", mapping: "reckon-chase",
        expected: "expected/chase/simple/output.ledger"),
      .init(
        input: "expected/chase/input.csv", mapping: "reckon-chase",
        expected: "expected/chase/simple/output.ledger"),
      .init(
        input: "csv/some_other.csv", mapping: "reckon-some_other",
        expected: "expected/another_bank_example/output.ledger"),
      .init(
        input: "csv/spanish_date_example.csv", mapping: "reckon-spanish_date_example",
        expected: "expected/spanish_date_example/output.ledger"),
      .init(
        input: "csv/51-sample.csv", mapping: "reckon-51",
        expected: "expected/regression/issue_51_account_tokens/output.ledger"),
      .init(
        input: "csv/73-sample.csv", mapping: "reckon-73",
        expected: "expected/regression/issue_73_account_token_matching/output.ledger"),
      .init(
        input: "csv/85-date-example.csv", mapping: "reckon-85",
        expected: "expected/regression/issue_85_date_example/output.ledger"),
    ]

  /// Imports a file, checks it, and returns its ledger and figures to print.
  static func check(_ test: Case, _ places: Places) async throws -> (
    ledger: Ledger, figures: String
  ) {
    let name = test.input.replacing("/", with: "-")
    let (ledger, summary) = try await places.ledger(
      name, importing: places.outside("reckon/" + test.input), mapping: test.mapping)
    let found = try rows(ledger)
    let expected = try self.expected(places.outside("reckon/" + test.expected))
    try expect("the list of days and amounts", found, expected)
    return (ledger, "\(summary.imported) rows, days and amounts as expected")
  }

  /// The sorted days and amounts of all postings to the ledger's own accounts.
  static func rows(_ ledger: Ledger) throws -> [String] {
    try ledger.read { snapshot in
      try snapshot.transactions(limit: 500).flatMap { transaction in
        transaction.postings.compactMap { posting -> String? in
          guard case .account(let id) = posting.account, !id.isBuiltin else { return nil }
          return "\(transaction.day) \(posting.amount.minorUnits)"
        }
      }.sorted()
    }
  }

  /// The sorted days and hundredths of the bank account's postings in a ledger file.
  static func expected(_ path: String) throws -> [String] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var rows: [String] = []
    var day = ""
    for line in text.split(separator: "\n") {
      if line.first?.isNumber == true {
        day = String(line.prefix(10))
      } else if let tab = line.dropFirst().firstIndex(of: "\t") {
        let amount = line[tab...].filter { $0.isNumber || $0 == "-" }
        if !amount.isEmpty { rows.append("\(day) \(Int(amount) ?? 0)") }
      }
    }
    return rows.sorted()
  }

  /// Checks a file without expected output.
  static func venmo(_ places: Places) async throws -> (ledger: Ledger, figures: String) {
    let (ledger, summary) = try await places.ledger(
      "venmo", importing: places.outside("reckon/csv/multi-line-field.csv"),
      mapping: "reckon-multi-line-field")
    try expect("rows", try rows(ledger), ["2002-09-10 -2159"])
    try expect("rows left out", summary.leftOut, 1)
    return (ledger, "1 row, a field of several lines passed over")
  }

  /// Checks that a file with only a header imports no rows.
  static func empty(_ places: Places) async throws -> String {
    let (_, summary) = try await places.ledger(
      "empty", importing: places.outside("reckon/csv/bom_utf8_file.csv"),
      mapping: "reckon-bom_utf8_file")
    try expect("rows", summary.imported, 0)
    return "no row, nothing created"
  }

  static func noBank(_ places: Places) throws -> String {
    let sample = try CSVFile.sample(path: places.outside("reckon/csv/simple.csv"))
    do {
      _ = try ImportMapping.guess(sample: sample)
    } catch {
      return "refused: \(error.message)"
    }
    throw Wrong("a file without days and amounts was guessed")
  }
}
