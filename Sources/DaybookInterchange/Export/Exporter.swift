public import Daybook
import Foundation

/// A file format for exports.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// CSV with one line per posting. `PostingsImporter` can import it again.
  case csv
  /// A plain-text journal for `hledger` and `ledger`.
  case journal
  /// A Beancount file.
  case beancount
  /// One JSON object per line. `LedgerRestorer` recreates the ledger's entities from it.
  case jsonLines = "jsonl"
  /// OFX 2 with one statement per account, which contains only rows and balances.
  case ofx
  /// QIF with the rows of each account, including categories, splits and transfers.
  case qif
}

/// Exports a ledger to a format that other programs can read.
///
/// An export reads a single snapshot. It is written in pieces, so that memory use doesn't grow with
/// the number of transactions.
public enum Exporter {
  /// Writes an export to `sink`, in pieces of about 64 KiB.
  ///
  /// - Parameters:
  ///   - progress: Called periodically with the number of exported transactions and their total.
  ///     For OFX and QIF, accounts are counted instead.
  /// - Throws: Any error that `sink` throws; `DaybookError`.
  /// - Complexity: O(*n*) in the number of transactions.
  public static func export(
    _ ledger: Ledger, as format: ExportFormat, progress: ((Int, Int) -> Void)? = nil,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    try ledger.read { snapshot in try export(snapshot, as: format, progress: progress, to: sink) }
  }

  /// Writes an export of a snapshot, which may be of a past state, to `sink`.
  ///
  /// See ``export(_:as:progress:to:)``.
  public static func export(
    _ snapshot: borrowing Snapshot, as format: ExportFormat,
    progress: ((Int, Int) -> Void)? = nil, to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    var text = ExportText(sink)
    switch format {
    case .csv: try PostingsExport.write(snapshot, to: &text, progress)
    case .journal: try JournalExport.write(snapshot, to: &text, progress)
    case .beancount: try BeancountExport.write(snapshot, to: &text, progress)
    case .jsonLines: try LinesExport.write(snapshot, to: &text, progress)
    case .ofx: try OFXExport.write(snapshot, to: &text, progress)
    case .qif: try QIFExport.write(snapshot, to: &text, progress)
    }
    try text.flush()
  }

  /// Writes an export to a file, which appears only when it is complete.
  /// - Throws: `InterchangeError` with code `notMade` or `notWritten`, and `DaybookError`.
  @concurrent
  public static func export(
    _ ledger: Ledger, as format: ExportFormat, toFile path: String,
    progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws {
    let file = try WholeFile(path)
    do {
      try export(ledger, as: format, progress: progress) { try file.write($0) }
      try file.finish()
    } catch {
      file.abandon()
      throw error
    }
  }
}

extension Snapshot {
  /// Calls `body` for every transaction, oldest day first.
  func forEachTransaction(
    _ progress: ((Int, Int) -> Void)?, _ body: (Transaction) throws -> Void
  ) throws {
    let count = progress == nil ? 0 : try self.count()
    var done = 0
    try forEach(Transaction.self) { transaction in
      try body(transaction)
      done += 1
      if let progress, done % 1_000 == 0 || done == count { progress(done, count) }
    }
  }
}
