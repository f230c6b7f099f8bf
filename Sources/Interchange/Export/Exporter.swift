public import Daybook
import Foundation

/// What an export is written as.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// CSV with a line for each posting; imports again with `PostingsImporter`.
  case csv
  /// A plain-text journal that `hledger` and `ledger` read.
  case journal
  /// A file of beancount.
  case beancount
  /// A JSON object on each line; imports again to an equal ledger with `LedgerRestorer`.
  case jsonLines = "jsonl"
  /// OFX 2, with a statement for each account; rows and balances only.
  case ofx
  /// QIF, with the rows of each account, their categories, parts and transfers.
  case qif
}

/// Writes a ledger in a format that others read.
///
/// An export is of one snapshot. It is written piece by piece: memory does not grow with the
/// number of transactions.
public enum Exporter {
  /// Gives the text of an export to `sink`, in pieces of about 64 KiB.
  ///
  /// - Parameters:
  ///   - progress: called now and then with the number of transactions written, and of all; for OFX and QIF
  ///     with those of accounts.
  /// - Throws: what `sink` throws, and `DaybookError`.
  /// - Complexity: O(transactions).
  public static func export(
    _ ledger: Ledger, as format: ExportFormat, progress: ((Int, Int) -> Void)? = nil,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    try ledger.read { snapshot in try export(snapshot, as: format, progress: progress, to: sink) }
  }

  /// Gives the text of an export of a snapshot, such as one of the past, to `sink`; see
  /// ``export(_:as:progress:to:)``.
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

  /// Writes an export to a file, which appears when it is complete.
  /// - Throws: `InterchangeError` of code `notMade` or `notWritten`, and `DaybookError`.
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
  /// Gives every transaction to `body`, oldest day first.
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
