public import DaybookBookkeeping
import DaybookEntities

/// The result of applying a mapping to a file, independent of any ledger.
public struct MappedFile: Sendable {
  /// The rows, in file order.
  public package(set) var rows: [StatementRow] = []
  /// The lines that can't be imported, in file order.
  ///
  /// Only the first `badLineCountMax` are listed.
  public package(set) var badLines: [BadLine] = []
  /// The number of lines that can't be imported.
  public package(set) var badLineCount = 0
  /// The number of rows skipped by the mapping.
  public package(set) var skippedCount = 0
  /// Parts of the file that were left out, such as balances that can't be read.
  public package(set) var notices: [FileNotice] = []
  /// The stated balances that don't match the rows, in file order.
  public package(set) var mismatches: [BalanceMismatch] = []
  /// The balance of each account before its oldest row, derived from the stated balances.
  ///
  /// Zero balances are omitted.
  public package(set) var impliedOpenings: [String: Money] = [:]
  /// The names in the header; `nil` without a header.
  public package(set) var header: [String]?

  /// Whether two threads read the file.
  package private(set) var isReadAhead = false

  /// Creates a file without rows.
  package init() {}

  /// The maximum number of bad lines that are listed.
  ///
  /// Further lines are only counted.
  public static let badLineCountMax = FileContents.badLineCountMax

  /// Reads all rows of a file.
  ///
  /// - Parameters:
  ///   - currencies: Currencies by code, in addition to those of ISO 4217.
  ///   - accountCurrencies: The currencies of accounts, by the keys of their names (`Folding.key`),
  ///     for rows that don't specify a currency.
  ///   - progress: Called periodically with the fraction of the file that has been read, from 0 to
  ///     1.
  /// - Throws: `InterchangeError` if the mapping doesn't fit the file. Bad lines are collected, not
  ///   thrown.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(
    _ file: CSVFile, mapping: ImportMapping, currencies: [String: Currency] = [:],
    accountCurrencies: [String: Currency] = [:], progress: ((Double) -> Void)? = nil
  ) throws(InterchangeError) {
    try self.init(
      file, mapping: mapping, currencies: currencies, accountCurrencies: accountCurrencies,
      aheadByteCountMin: MappedFile.aheadByteCountMin, progress: progress)
  }

  /// The minimum size of a file to be read on two threads.
  ///
  /// Files with a few thousand rows are read fast enough on one thread.
  private static let aheadByteCountMin = 1 << 20

  /// Reads all rows of a file, on two threads if it has at least `aheadByteCountMin` bytes.
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
    notices = [part.badBalances.notice].compactMap(\.self)
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
        .mapping, "Couldn't read the header: \(error.reason)", remedy: error.remedy,
        line: error.line)
    }
    header = (0..<record.count).map { record.trimmedText($0, in: bytes) }
  }
}

extension ImportMapping {
  /// Returns the CSV format.
  /// - Throws: `InterchangeError` with code `mapping` if the delimiter or the quote isn't a single
  ///   ASCII character.
  public func format() throws(InterchangeError) -> CSVFormat {
    let names = ["tab": "\t", "\\t": "\t", "semicolon": ";", "comma": ",", "pipe": "|"]
    let text = names[delimiter] ?? delimiter
    guard text.utf8.count == 1, let delimiter = text.utf8.first, delimiter < 0x80,
      delimiter != 0x0A, delimiter != 0x0D, delimiter != 0
    else {
      throw InterchangeError(
        .mapping, "The delimiter \"\(self.delimiter)\" isn't a single ASCII character.",
        remedy: "Use a delimiter such as , or ; or tab.")
    }
    var format = CSVFormat(delimiter: delimiter, quote: nil)
    format.readsFormulas = true
    if quote.isEmpty || quote == "none" { return format }
    guard quote.utf8.count == 1, let mark = quote.utf8.first, mark < 0x80, mark != delimiter else {
      throw InterchangeError(
        .mapping,
        "The quote \"\(quote)\" must be a single ASCII character other than the delimiter.",
        remedy: "Use a quote such as \" or ', or none.")
    }
    format.quote = mark
    return format
  }
}
