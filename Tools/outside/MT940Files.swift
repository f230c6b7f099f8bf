import DaybookBookkeeping
import DaybookInterchange
import Foundation

/// Compares MT940 and MT942 messages with the output of another parser.
struct MT940Files {
  let folder: String

  init(_ places: Places) throws { folder = try places.outside("mt940") }

  /// Files that Daybook intentionally reads differently, with the reasons.
  static let exceptions = [
    "self-provided/invalid_statement": "there is no field in it: the other parser reads nothing"
  ]

  /// The paths of the messages in the folder, without their extensions.
  func names() throws -> [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".sta") }.map { String($0.dropLast(4)) }.sorted()
  }

  func check(_ name: String) throws -> String {
    let file = try RawFile(path: "\(folder)/\(name).sta")
    let companion = try MT940Companion(path: "\(folder)/\(name).yml")
    var options = ReadingOptions()
    options.currency = Currency.iso("EUR")
    if let exception = MT940Files.exceptions[name] {
      do {
        _ = try MT940.read(file, options)
      } catch {
        return "refused: \(exception)"
      }
      throw Wrong("it is read, and an exception says that it is refused")
    }
    try expect("formats", FileFormats.candidates(file).map { $0.name }, ["mt940"])
    let contents = try MT940.read(file, options)
    try expect("bad lines", contents.badLineCount, 0)
    let rows = contents.statements.flatMap(\.rows)
    try expect("rows", rows.count, companion.transactions.count)
    for (row, transaction) in zip(rows, companion.transactions) {
      do {
        try check(row, transaction)
      } catch {
        throw Wrong("line \(row.line): \(error)")
      }
    }
    try checkStatements(contents, companion)
    let unbalanced = contents.statements.count { ($0.difference?.units ?? 0) != 0 }
    let sum = rows.reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) }
    return "\(rows.count) rows, \(sum) minor units, \(unbalanced) statements do not add up"
  }

  private func check(_ row: StatementRow, _ told: MT940Companion.Transaction) throws {
    // The other parser doesn't apply the sign of a reversed credit. The balances show that the
    // money goes out.
    let sign = told.text("status") == "RC" ? "-" : ""
    try expect(
      "amount", Decimal(string: row.amount.text), told.amount.flatMap { Decimal(string: sign + $0) }
    )
    if let currency = told.text("currency") {
      try expect("currency", row.amount.currency.code, currency)
    }
    try expect("day", row.day, told.entryDay ?? told.valueDay)
    try expect("value day", row.valueDay ?? row.day, told.valueDay)
    let reference = told.text("bank_reference") ?? ""
    try expect("reference", row.reference, "mt940:" + reference)
    try expect("payee", bare(row.payee), bare(told.text("applicant_name") ?? row.payee))
    let texts = bare(row.description + row.note)
    // The other parser appends the bank's message to its texts without a separator.
    func contains(_ key: String, in text: String) throws {
      guard let whole = told.text(key), !whole.isEmpty else { return }
      for part in bare(whole).components(separatedBy: "MTLG:")
      where !part.isEmpty && part != "NONREF" && !text.contains(part) {
        throw Wrong("\(key) “\(part)” is not in “\(text)”")
      }
    }
    try contains("purpose", in: texts)
    // If there are subfields, the other parser puts the text of the whole statement there.
    if told.text("posting_text") == nil { try contains("transaction_details", in: texts) }
    try contains("extra_details", in: texts)
    try contains("posting_text", in: texts)
    try contains("applicant_iban", in: texts)
    try contains("applicant_creditor_id", in: texts)
    try contains("end_to_end_reference", in: bare(row.code) + texts)
    if let customer = told.text("customer_reference"), !customer.hasPrefix("NONREF"),
      !customer.hasPrefix("KREF+")
    {
      try contains("customer_reference", in: bare(row.code) + texts)
    }
  }

  private func checkStatements(_ contents: FileContents, _ companion: MT940Companion) throws {
    if let account = companion.account, !account.contains("?") {
      let known = contents.statements.contains {
        let parts = [$0.account.iban, $0.account.number].filter { !$0.isEmpty }
        return account.hasPrefix($0.account.bank)
          && parts.contains { account.contains($0.prefix(20)) }
      }
      guard known else { throw Wrong("no account is \(account)") }
    }
    for balance in companion.balances where !balance.name.contains("available") {
      // If a balance has no currency, the other parser takes digits of the amount as the currency.
      guard Currency.iso(balance.currency) != nil else { continue }
      let isOpening = balance.name.contains("opening")
      let isThere = contents.statements.contains { statement in
        guard let found = isOpening ? statement.opening : statement.closing else { return false }
        let first = isOpening ? statement.rows.map(\.day).min() : nil
        return Decimal(string: found.amount.text) == Decimal(string: balance.amount)
          && found.amount.currency.code == balance.currency
          && found.day == max(balance.day, first ?? balance.day)
      }
      guard isThere else { throw Wrong("no statement has the \(balance.name) \(balance.amount)") }
    }
  }

  /// A text without whitespace, because the parsers join lines differently.
  private func bare(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}

/// Checks each CAMT and MT940 file and reports a line for each.
func statementFiles(_ places: Places, _ report: Report) async {
  do {
    let camt = try CamtFiles(places)
    for name in try camt.names() {
      await report.check("camt: \(name)") { try camt.check(name) }
    }
    let swift = try MT940Files(places)
    for name in try swift.names() {
      await report.check("mt940: \(name)") { try swift.check(name) }
    }
  } catch {
    await report.check("camt and mt940") { throw error }
  }
}
