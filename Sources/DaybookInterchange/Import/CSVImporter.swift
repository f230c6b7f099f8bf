public import Daybook

/// Imports a bank's CSV file into a ledger.
///
/// The whole file is recorded as one commit, including new accounts and categories. A single bad
/// line makes the import fail with an error that lists all bad lines, and nothing is recorded,
/// unless `ImportSettings.skipsBadRows` is set.
///
/// ```swift
/// let mapping = try ImportMapping(path: "bank.json")
/// let summary = try await CSVImporter().run(
///   CSVFile(path: "bank.csv"), mapping: mapping, into: ledger)
/// ```
public struct CSVImporter: Sendable {
  /// The import settings.
  public var settings: ImportSettings

  /// Creates an importer.
  public init(settings: ImportSettings = ImportSettings()) { self.settings = settings }

  /// Reads a file and records its rows.
  ///
  /// - Parameters:
  ///   - progress: Called periodically, on the import's thread.
  /// - Throws: `InterchangeError`, `CancellationError`, or `DaybookError` for errors of the
  ///   ledger's files. In these cases, nothing was recorded. The code of `InterchangeError` is
  ///   `mapping` if the mapping doesn't fit the file, `badLines` with all bad lines, `missing` with
  ///   the names that may not be created, or `refused`.
  /// - Complexity: O(*n*) time and memory in the number of rows, which is limited to
  ///   `Limits.importRowCountMax`.
  @discardableResult
  @concurrent
  public func run(
    _ file: CSVFile, mapping: ImportMapping, into ledger: Ledger,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    let mapped = try MappedFile(
      file, mapping: mapping, currencies: try ledger.definedCurrencies(),
      accountCurrencies: try ledger.read { try $0.accountCurrencies() }
    ) {
      progress?(.reading($0))
    }
    try Task.checkCancellation()
    var batch = ImportBatch(settings: settings, path: file.path)
    batch.badLines = mapped.badLines
    batch.badLineCount = mapped.badLineCount
    batch.hasMatches = true
    var resolver = try ledger.read { try NameResolver($0) }
    batch.rows.reserveCapacity(mapped.rows.count)
    for row in mapped.rows {
      do {
        try row.addImportRows(to: &batch.rows, &resolver)
      } catch {
        batch.badLines.append(error)
        batch.badLineCount += 1
      }
    }
    batch.resolver = resolver
    var summary = try await batch.land(in: ledger, progress)
    summary.leftOut = mapped.skippedCount
    summary.notices = mapped.notices
    summary.statedBalanceMismatches = mapped.mismatches
    summary.impliedOpenings = mapped.impliedOpenings
    return summary
  }
}

extension Ledger {
  /// Returns the currencies that the ledger defines in addition to ISO 4217, by code.
  func definedCurrencies() throws -> [String: Currency] {
    try read { snapshot in
      Dictionary(
        try snapshot.currencyDefinitions().map { ($0.currency.code, $0.currency) },
        uniquingKeysWith: { $1 })
    }
  }
}

extension Snapshot {
  /// Returns the currencies of accounts, by the keys of their names.
  public func accountCurrencies() throws -> [String: Currency] {
    Dictionary(
      try accounts().map { (Folding.key($0.name), $0.currency) },
      uniquingKeysWith: { first, _ in first })
  }
}
