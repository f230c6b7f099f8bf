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
    let currencies = try ledger.definedCurrencies()
    let mapped = try MappedFile(file, mapping: mapping, currencies: currencies) {
      progress?(.reading($0))
    }
    var batch = ImportBatch(settings: settings, path: file.path)
    batch.badLines = mapped.badLines
    batch.badLineCount = mapped.badLineCount
    var resolver = try ledger.read { try NameResolver($0) }
    batch.rows.reserveCapacity(mapped.rows.count)
    for row in mapped.rows {
      do {
        batch.rows.append(try Self.importRow(row, &resolver))
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

  private static func importRow(
    _ row: MappedRow, _ resolver: inout NameResolver
  ) throws(BadLine) -> ImportRow {
    let account = resolver.account(row.account, currency: row.amount.currency)
    guard row.amount.minorUnits != .min else {
      throw BadLine(
        line: row.line, code: .amount, reason: "The amount is larger than an amount can be.",
        remedy: "Amounts are 64-bit numbers of minor units; correct or split the row.")
    }
    let size = Money(abs(row.amount.minorUnits), row.amount.currency)
    var shape: Draft.Shape
    if let name = row.target {
      let other = resolver.account(name, currency: row.targetAmount?.currency ?? size.currency)
      shape =
        row.isInflow
        ? .transfer(
          .init(row.targetAmount ?? size, from: other, to: account, targetAmount: size))
        : .transfer(.init(size, from: account, to: other, targetAmount: row.targetAmount))
    } else {
      let category = resolver.category(row.category, kind: row.isInflow ? .income : .expense)
      shape = .entry(
        .init(row.isInflow ? .income : .expense, size, account: account, category: category))
    }
    return ImportRow(
      Draft(
        shape, on: row.day, description: row.description, payee: row.payee, note: row.note,
        tags: row.tags),
      line: row.line)
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
