public import Bookkeeping
import Entities

/// What a mapping makes of a file, before any ledger is asked.
public struct MappedFile: Sendable {
  /// The rows, in file order.
  public package(set) var rows: [StatementRow] = []
  /// The lines that cannot be imported, in file order; at most `badLineCountMax` are kept.
  public package(set) var badLines: [BadLine] = []
  /// How many lines cannot be imported.
  public package(set) var badLineCount = 0
  /// How many rows the mapping leaves out.
  public package(set) var skippedCount = 0
  /// Where the stated balances do not follow from the rows, in file order.
  public package(set) var mismatches: [BalanceMismatch] = []
  /// The balances that the first stated balance of each account implies before its first row.
  public package(set) var impliedOpenings: [String: Money] = [:]
  /// The names in the header.
  public package(set) var header: [String]?

  /// Whether two threads have read it.
  package private(set) var isReadAhead = false

  /// No rows.
  package init() {}

  /// The most bad lines that are described; further ones are counted.
  public static let badLineCountMax = FileContents.badLineCountMax

  /// Reads every row of a file.
  ///
  /// - Parameters:
  ///   - currencies: currencies by code, beside those of ISO 4217.
  ///   - accountCurrencies: the currencies of accounts by the keys of their names (`Folding.key`), for
  ///     rows that name none.
  ///   - progress: called now and then with the share that has been read, from 0 to 1.
  /// - Throws: `InterchangeError` where the mapping does not fit the file. Bad lines are collected,
  ///   not thrown.
  /// - Complexity: O(bytes).
  public init(
    _ file: CSVFile, mapping: ImportMapping, currencies: [String: Currency] = [:],
    accountCurrencies: [String: Currency] = [:], progress: ((Double) -> Void)? = nil
  ) throws(InterchangeError) {
    try self.init(
      file, mapping: mapping, currencies: currencies, accountCurrencies: accountCurrencies,
      aheadByteCountMin: MappedFile.aheadByteCountMin, progress: progress)
  }

  /// How long a file has to be for two threads to read it: one of a few thousand rows is read at once.
  private static let aheadByteCountMin = 1 << 20

  /// Reads every row of a file; one of `aheadByteCountMin` bytes or more on two threads.
  package init(
    _ file: CSVFile, mapping: ImportMapping, currencies: [String: Currency] = [:],
    accountCurrencies: [String: Currency] = [:], aheadByteCountMin: Int,
    progress: ((Double) -> Void)? = nil
  ) throws(InterchangeError) {
    do {
      try read(file, mapping, (currencies, accountCurrencies), aheadByteCountMin, progress)
    } catch {
      var error = error
      error.path = error.path ?? file.path
      throw error
    }
  }

  private mutating func read(
    _ file: CSVFile, _ mapping: ImportMapping,
    _ known: (currencies: [String: Currency], accounts: [String: Currency]),
    _ aheadByteCountMin: Int, _ progress: ((Double) -> Void)?
  ) throws(InterchangeError) {
    var reader = CSVReader(format: try mapping.format())
    var record = CSVRecord()
    let bytes = file.bytes.span
    reader.skip(lines: mapping.skipLines, in: bytes)
    if mapping.hasHeader { try readHeader(&reader, &record, in: bytes) }
    func mapper() throws(InterchangeError) -> RowMapper {
      try RowMapper(
        mapping, header: header, currencies: known.currencies, accountCurrencies: known.accounts)
    }
    var part = MappedPart(reader, try mapper())
    let other = try mapper()
    isReadAhead = part.readRest(
      of: file.bytes, with: other, aheadByteCountMin: aheadByteCountMin, progress)
    rows = part.rows
    badLines = part.badLines
    badLineCount = part.badLineCount
    skippedCount = part.skippedCount
    guard let balance = mapping.balance else { return }
    var check = BalanceCheck(isNewestFirst: balance.isNewestFirst)
    for row in rows { check.add(row) }
    mismatches = check.mismatches
    impliedOpenings = check.impliedOpenings()
  }

  private mutating func readHeader(
    _ reader: inout CSVReader, _ record: inout CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(InterchangeError) {
    do throws(BadLine) {
      guard try reader.next(&record, in: bytes) else {
        throw BadLine(
          line: reader.line, code: .ragged, reason: "The file has no header: it is empty.",
          remedy: "Check the file, and skipLines in the mapping.")
      }
    } catch {
      throw InterchangeError(
        .mapping, "The header cannot be read: \(error.reason)", remedy: error.remedy,
        line: error.line)
    }
    header = (0..<record.count).map { record.trimmedText($0, in: bytes) }
  }
}

extension ImportMapping {
  /// The format of the CSV text.
  /// - Throws: `InterchangeError` of code `mapping` where delimiter or quote is not one ASCII
  ///   character.
  public func format() throws(InterchangeError) -> CSVFormat {
    let names = ["tab": "\t", "\\t": "\t", "semicolon": ";", "comma": ",", "pipe": "|"]
    let text = names[delimiter] ?? delimiter
    guard text.utf8.count == 1, let delimiter = text.utf8.first, delimiter < 0x80,
      delimiter != 0x0A, delimiter != 0x0D, delimiter != 0
    else {
      throw InterchangeError(
        .mapping, "The delimiter \"\(self.delimiter)\" is not one ASCII character.",
        remedy: "Give one such as , or ; or tab.")
    }
    if quote.isEmpty || quote == "none" { return CSVFormat(delimiter: delimiter, quote: nil) }
    guard quote.utf8.count == 1, let mark = quote.utf8.first, mark < 0x80, mark != delimiter else {
      throw InterchangeError(
        .mapping, "The quote \"\(quote)\" is not one ASCII character of its own.",
        remedy: "Give one such as \" or ', or none.")
    }
    return CSVFormat(delimiter: delimiter, quote: mark)
  }
}
