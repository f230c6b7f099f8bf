import Daybook
import DaybookInterchange
import Foundation

/// Compares the QIF files of quiffen's tests with what quiffen reads.
///
/// The figures are those of quiffen 4.0.1. Each case with an intentional difference states the
/// reason.
struct QIFFiles {
  /// The expected contents of an account.
  struct Expected {
    var name = ""
    var rows: Int
    var sum: String
    var opening: String?
    var days: [String] = []
    var parts: [Int] = []
  }

  enum Outcome {
    case read([Expected])
    /// The file is rejected with this text in the message.
    case refused(String)
  }

  struct Case {
    var file: String
    var outcome: Outcome
    /// Why the result differs from that of quiffen.
    var exception: String?
  }

  let places: Places

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: places.outside("qif/test_files")).sorted()
  }

  func check(_ file: String) throws -> String {
    guard let test = Self.cases.first(where: { $0.file == file }) else {
      throw Wrong("there is no expectation for it")
    }
    let raw = try RawFile(path: places.outside("qif/test_files/" + file))
    var options = ReadingOptions()
    options.currency = Currency.iso("USD")
    let why = test.exception.map { "; \($0)" } ?? ""
    switch test.outcome {
    case .refused(let words):
      try expect("recognised", QIF.recognise(FileHead(raw)), .no)
      do {
        _ = try QIF.read(raw, options)
      } catch {
        guard error.message.contains(words) else { throw Wrong("refused otherwise: \(error)") }
        return "refused: \(error.message)\(why)"
      }
      throw Wrong("it is read")
    case .read(let accounts):
      try expect("recognised", QIF.recognise(FileHead(raw)), .certain)
      return try compare(QIF.read(raw, options), accounts) + why
    }
  }

  private func compare(_ contents: FileContents, _ accounts: [Expected]) throws -> String {
    try expect("bad lines", contents.badLines.map(\.line), [])
    try expect("accounts", contents.statements.map(\.account.name), accounts.map(\.name))
    var figures: [String] = []
    for (statement, account) in zip(contents.statements, accounts) {
      let rows = statement.rows
      let sum = rows.reduce(0) { $0 + Int128($1.amount.minorUnits) }
      try expect("rows", rows.count, account.rows)
      try expect("sum", BankFigures.text(sum, 2), account.sum)
      try expect("opening balance", statement.opening?.amount.text, account.opening)
      if !account.days.isEmpty { try expect("days", rows.map { "\($0.day)" }, account.days) }
      if !account.parts.isEmpty { try expect("parts", rows.map(\.parts.count), account.parts) }
      figures.append("\(rows.count) rows of \(account.sum)")
    }
    return figures.isEmpty ? "no accounts" : figures.joined(separator: ", ")
  }
}

extension QIFFiles {
  private static let opening = "the transfer of an account to itself is its opening balance, no row"

  static let cases: [Case] = [
    Case(file: "empty.qif", outcome: .refused("no header")),
    Case(file: "invalid.txt", outcome: .refused("A header, such as !Type:Bank")),
    Case(
      file: "test.qif",
      outcome: .read([
        Expected(
          name: "TestExport", rows: 5, sum: "-35.50", opening: "0.00",
          days: ["2020-02-14", "2020-02-14", "2020-02-12", "2020-02-11", "2020-02-10"],
          parts: [2, 0, 2, 0, 4])
      ]), exception: opening + "; the purchase of securities has no total"),
    Case(
      file: "test_category_inherit.qif",
      outcome: .read([Expected(name: "My Bank Account", rows: 0, sum: "0.00")])),
    Case(
      file: "test_category_override.qif",
      outcome: .read([
        Expected(
          rows: 4, sum: "2077.44",
          days: ["2017-12-22", "2018-01-01", "2018-01-02", "2018-01-02"])
      ])),
    Case(
      file: "test_circular_reference.qif",
      outcome: .read([Expected(rows: 2, sum: "-14.59", days: ["2021-08-27", "2021-08-27"])])),
    Case(
      file: "test_clear_autoswitch.qif",
      outcome: .read([Expected(name: "My Bank Account", rows: 0, sum: "0.00")])),
    Case(file: "test_nosymbol.qif", outcome: .read([])),
    Case(
      file: "test_option_autoswitch.qif",
      outcome: .read([Expected(name: "My Bank Account", rows: 0, sum: "0.00")])),
    Case(
      file: "test_oth_a.qif",
      outcome: .read([
        Expected(
          name: "TestExport", rows: 5, sum: "-35.50", opening: "0.00", parts: [2, 0, 2, 0, 4])
      ]), exception: opening + "; the purchase of securities has no total"),
    Case(
      file: "test_split.qif",
      outcome: .read([Expected(rows: 1, sum: "-10.00", days: ["2000-01-01"], parts: [2])])),
    Case(
      file: "test_transaction_before_account_definition_1.qif",
      outcome: .read([Expected(rows: 2, sum: "-197.96", days: ["2022-09-23", "2022-09-08"])])),
    Case(
      file: "test_transaction_before_account_definition_2.qif",
      outcome: .read([Expected(rows: 2, sum: "-197.96", days: ["2022-09-23", "2022-09-08"])])),
    Case(
      file: "test_unknown_account_type.qif",
      outcome: .read([Expected(name: "Portfolio Account", rows: 0, sum: "0.00")]),
      exception: opening),
  ]
}
