public import Daybook

/// Imports a bank's CSV file into a ledger.
///
/// A file lands whole or not at all: accounts, categories and all rows are one commit. One bad line
/// refuses the file, and the error names every bad line, unless `ImportSettings.skipsBadRows`.
///
/// ```swift
/// let mapping = try ImportMapping(path: "bank.json")
/// let summary = try await CSVImporter().run(
///   CSVFile(path: "bank.csv"), mapping: mapping, into: ledger)
/// ```
public struct CSVImporter: Sendable {
  /// How rows are imported.
  public var settings: ImportSettings

  /// An importer.
  public init(settings: ImportSettings = ImportSettings()) { self.settings = settings }

  /// Reads a file and records its rows.
  ///
  /// - Parameters:
  ///   - progress: called now and then, on the thread of the import.
  /// - Throws: `InterchangeError`: `mapping` where the mapping does not fit, `badLines` with every
  ///   bad line, `missing` with the names that may not be created, `refused` for other refusals.
  ///   Nothing was recorded then. Errors of the ledger's files arrive as `DaybookError`.
  /// - Complexity: O(rows) time and memory; at most `Limits.importRowCountMax` rows.
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
    summary.statedBalanceMismatches = mapped.mismatches
    summary.impliedOpenings = mapped.impliedOpenings
    return summary
  }
}

extension Ledger {
  /// The currencies that the ledger defines beside those of ISO 4217, by code.
  func definedCurrencies() throws -> [String: Currency] {
    try read { snapshot in
      Dictionary(
        try snapshot.currencyDefinitions().map { ($0.currency.code, $0.currency) },
        uniquingKeysWith: { $1 })
    }
  }
}

extension Snapshot {
  /// The currencies of the accounts, by the keys of their names.
  public func accountCurrencies() throws -> [String: Currency] {
    Dictionary(
      try accounts().map { (Folding.key($0.name), $0.currency) },
      uniquingKeysWith: { first, _ in first })
  }
}
