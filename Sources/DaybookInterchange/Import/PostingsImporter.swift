public import Daybook

/// Imports the CSV format with one line per posting that `Exporter` writes.
///
/// Missing accounts are created with the opening balance in the file. Existing accounts keep their
/// opening balance. Duplicates are recognised as in other imports, so that importing the same file
/// again adds nothing.
public struct PostingsImporter: Sendable {
  /// The import settings.
  public var settings: ImportSettings

  /// Creates an importer.
  public init(settings: ImportSettings = ImportSettings()) { self.settings = settings }

  /// Returns whether a file begins with the header of this format.
  public static func canRead(_ file: CSVFile) -> Bool {
    file.bytes.starts(with: Array(PostingsExport.header.joined(separator: ",").utf8))
  }

  /// Reads a file and records its transactions in one commit.
  /// - Throws: The same errors as `CSVImporter.run`.
  @discardableResult
  @concurrent
  public func run(
    _ file: CSVFile, into ledger: Ledger,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    guard Self.canRead(file) else {
      throw InterchangeError(
        .format, "The file isn't a Daybook CSV export: its header differs.",
        remedy: "Import it with a mapping.", path: file.path, line: 1)
    }
    var reading = PostingsReading(resolver: try ledger.read { try NameResolver($0) })
    reading.currencies = try ledger.definedCurrencies()
    reading.read(file, progress)
    var batch = ImportBatch(settings: settings, path: file.path)
    batch.badLines = reading.badLines
    batch.badLineCount = reading.badLineCount
    batch.rows = reading.rows
    batch.resolver = reading.resolver
    return try await batch.land(in: ledger, progress)
  }
}

/// Groups the lines of an export into transactions.
private struct PostingsReading {
  var resolver: NameResolver
  var currencies: [String: Currency] = [:]
  var rows: [ImportRow] = []
  var badLines: [BadLine] = []
  var badLineCount = 0
  private var id = ""
  private var draft: Draft?
  private var postings: [Posting] = []
  private var line = 0
  private var isBad = false

  init(resolver: NameResolver) { self.resolver = resolver }

  mutating func read(_ file: CSVFile, _ progress: (@Sendable (ImportProgress) -> Void)?) {
    var reader = CSVReader()
    var record = CSVRecord()
    let bytes = file.bytes.span
    var count = 0
    while true {
      do {
        guard try reader.next(&record, in: bytes) else { break }
      } catch {
        note(error)
        reader.skipLine(in: bytes)
        continue
      }
      count += 1
      if count == 1 { continue }
      do {
        try take(record, in: bytes)
      } catch {
        note(error)
      }
      if count % 4_096 == 0 {
        progress?(.reading(Double(reader.offset) / Double(max(bytes.count, 1))))
      }
    }
    finish()
  }

  private mutating func note(_ line: BadLine) {
    isBad = true
    badLineCount += 1
    if badLines.count < MappedFile.badLineCountMax { badLines.append(line) }
  }

  private mutating func finish() {
    if let draft, !isBad {
      var draft = draft
      draft.shape = .postings(postings)
      rows.append(ImportRow(draft, line: line))
    }
    draft = nil
    postings = []
    isBad = false
  }

  private mutating func take(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    guard record.count == PostingsExport.header.count else {
      throw bad(
        record, nil, .ragged,
        "The row has \(record.count) columns, not \(PostingsExport.header.count).")
    }
    let transaction = record.text(0, in: bytes)
    if transaction == "opening" { return try takeOpening(record, in: bytes) }
    if transaction != id || draft == nil {
      finish()
      id = transaction
      line = record.line
      let day = try day(record, in: bytes)
      draft = Draft(
        .postings([]), on: day, id: TransactionID(transaction),
        description: record.text(3, in: bytes), payee: record.text(4, in: bytes),
        note: record.text(5, in: bytes),
        tags: EscapedList.split(record.text(6, in: bytes), by: ","),
        status: try status(record, in: bytes))
    }
    let amount = try amount(record, in: bytes)
    let account = try account(record, amount.currency, in: bytes)
    postings.append(Posting(account, amount, note: record.text(11, in: bytes)))
  }

  private mutating func takeOpening(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    let kind = AccountKind.allCases.first { "\($0)" == record.text(7, in: bytes) }
    guard let kind else {
      throw bad(record, 7, .name, "The kind isn't asset, liability or equity.")
    }
    let amount = try amount(record, in: bytes)
    let day = record.isBlank(1, in: bytes) ? nil : try day(record, in: bytes)
    _ = resolver.account(
      record.text(8, in: bytes), currency: amount.currency, kind: kind,
      opening: amount.minorUnits, openingDay: day)
  }

  private func day(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Day {
    if let day = Day(record.text(1, in: bytes)) { return day }
    throw bad(record, 1, .date, "\"\(record.text(1, in: bytes))\" isn't a day such as 2026-02-15.")
  }

  private func status(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Status {
    let text = record.text(2, in: bytes)
    if let status = Status.allCases.first(where: { "\($0)" == text }) { return status }
    throw bad(record, 2, .name, "\"\(text)\" isn't pending, cleared or reconciled.")
  }

  private func amount(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Money {
    let code = record.text(9, in: bytes)
    guard let currency = currencies[code] ?? Currency.iso(code) else {
      throw bad(record, 9, .currency, "The currency \(code) is unknown.")
    }
    do {
      return try Money.parse(record.text(10, in: bytes), currency: currency)
    } catch {
      throw bad(record, 10, .amount, "\(error)".asSentence)
    }
  }

  private mutating func account(
    _ record: borrowing CSVRecord, _ currency: Currency, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> PostingAccount {
    let kind = record.text(7, in: bytes)
    let name = record.text(8, in: bytes)
    switch kind {
    case "built-in":
      let known = ["Opening": AccountID.opening, "Exchange": .exchange, "Outside": .outside]
      if let id = known[name] { return .account(id) }
    case "expense", "income":
      let kind = kind == "income" ? CategoryKind.income : .expense
      let path = CategoryPath(leavingOutBlanksOf: name)
      let standard =
        kind == .income
        ? CategoryID.uncategorizedIncome : CategoryID.uncategorizedExpense
      return .category(resolver.category(path, kind: kind) ?? standard)
    default:
      if let kind = AccountKind.allCases.first(where: { "\($0)" == kind }), !name.isEmpty {
        return .account(resolver.account(name, currency: currency, kind: kind))
      }
    }
    throw bad(
      record, 7, .name, "\"\(kind)\" and \"\(name)\" don't identify an account or category.")
  }

  private func bad(
    _ record: borrowing CSVRecord, _ index: Int?, _ code: BadLine.Code, _ reason: String
  ) -> BadLine {
    BadLine(
      line: record.line, column: index.map { $0 + 1 },
      header: index.map { PostingsExport.header[$0] }, code: code, reason: reason,
      remedy: "Correct the row, or export the ledger again.")
  }
}
