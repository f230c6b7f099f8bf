public import Daybook

/// Imports the euro reference rates of the European Central Bank.
///
/// The supported files are `eurofxref-hist.csv` and `eurofxref.csv` from
/// https://www.ecb.europa.eu/stats/eurofxref/. They have a column for each currency and a row for
/// each day, with `N/A` for missing rates and a comma at the end of each line.
public enum RateImporter {
  /// The result of an import of exchange rates.
  public struct Summary: Sendable {
    /// The number of recorded rates.
    public var importedCount = 0
    /// The number of days in the file.
    public var dayCount = 0
    /// The number of fields without a rate.
    public var absentCount = 0
    /// The range from the first to the last day.
    public var span: ClosedRange<Day>?
  }

  /// Reads a file and records its rates in one commit.
  ///
  /// A rate that is already recorded for a day is replaced if its value differs.
  /// - Throws: `InterchangeError` with code `badLines` and all bad lines, or `mapping` if the
  ///   header isn't the ECB's. In these cases, nothing was recorded.
  /// - Complexity: O(*days* × *currencies*).
  @discardableResult
  @concurrent
  public static func importECB(
    _ file: CSVFile, into ledger: Ledger, author: String? = nil, since: Day? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> Summary {
    var summary = Summary()
    let rates = try read(file, since: since, &summary)
    progress?(0.5)
    let commands = rates.map(Command.setRate)
    if !commands.isEmpty { try await ledger.append(whole: commands, author: author) }
    summary.importedCount = rates.count
    progress?(1)
    return summary
  }

  /// Returns the rates of a file, oldest day first.
  static func read(
    _ file: CSVFile, since: Day? = nil, _ summary: inout Summary
  ) throws -> [ExchangeRate] {
    guard let euro = Currency.iso("EUR") else { return [] }
    var currencies: [Currency?] = []
    var rates: [ExchangeRate] = []
    var bad: [BadLine] = []
    var isHeader = true
    var low: Day?
    var high: Day?
    let formats = [DatePattern("yyyy-MM-dd"), DatePattern("d MMM yyyy")].compactMap { $0 }
    try file.forEachRecord { record, bytes in
      if isHeader {
        currencies = try header(record, in: bytes, path: file.path)
        isHeader = false
        return true
      }
      let range = record.trimmedRange(0, in: bytes)
      var parts: (year: Int, month: Int, day: Int)?
      for format in formats where parts == nil { parts = format.parse(range, in: bytes) }
      guard let parts, let day = Day(year: parts.year, month: parts.month, day: parts.day) else {
        bad.append(
          BadLine(
            line: record.line, column: 1, header: "Date", code: .date,
            reason: "\"\(record.trimmedText(0, in: bytes))\" isn't a day.",
            remedy: "Download the file again."))
        return true
      }
      if let since, day < since { return true }
      guard record.count == currencies.count else {
        bad.append(
          BadLine(
            line: record.line, code: .ragged,
            reason: "The row has \(record.count) columns, not \(currencies.count).",
            remedy: "Download the file again."))
        return true
      }
      summary.dayCount += 1
      low = min(low ?? day, day)
      high = max(high ?? day, day)
      for index in 1..<record.count {
        guard let currency = currencies[index] else { continue }
        let text = record.trimmedText(index, in: bytes)
        if text.isEmpty || text == "N/A" {
          summary.absentCount += 1
          continue
        }
        do {
          let quote = try Quote(text)
          rates.append(ExchangeRate(base: euro, quoted: currency, day: day, quote: quote))
        } catch {
          bad.append(
            BadLine(
              line: record.line, column: index + 1, header: currency.code, code: .amount,
              reason: "\"\(text)\" isn't a rate.", remedy: "Download the file again."))
        }
      }
      return true
    }
    guard bad.isEmpty else {
      throw InterchangeError(
        .badLines,
        "\(bad.count) rate\(bad.count == 1 ? "" : "s") can't be read. Nothing was recorded.",
        remedy: "Download the file again.", path: file.path, line: bad.first?.line, badLines: bad)
    }
    if let low, let high { summary.span = low...high }
    return rates.reversed()
  }

  private static func header(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>, path: String?
  ) throws(InterchangeError) -> [Currency?] {
    var currencies: [Currency?] = []
    for index in 0..<record.count {
      let name = record.trimmedText(index, in: bytes)
      if index == 0 ? name == "Date" : name.isEmpty {
        currencies.append(nil)
      } else if index > 0, let currency = Currency.iso(name) {
        currencies.append(currency)
      } else {
        throw InterchangeError(
          .mapping,
          "The file isn't one of the ECB's: its header has \"\(name)\" in place of Date or a "
            + "currency code.",
          remedy: "Import the ECB's eurofxref-hist.csv.", path: path, line: record.line)
      }
    }
    return currencies
  }
}
