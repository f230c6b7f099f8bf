public import Daybook
import Foundation

/// Restores a ledger's JSON export into an empty ledger.
///
/// Accounts, categories, transactions, exchange rates, settings, budgets, recurring transactions,
/// rules, mappings, assertions and the fingerprints of imported rows keep their ids, recording
/// numbers and marks. The history isn't restored: all entities are recorded in one commit.
public enum LedgerRestorer {
  /// The result of a restore.
  public struct Summary: Sendable {
    /// The number of restored entities by kind, such as `transaction` and `account`.
    public var counts: [String: Int] = [:]
  }

  /// Returns whether a file begins like a JSON export.
  public static func canRead(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("{\"daybook\":".utf8))
  }

  /// Reads and restores a file.
  ///
  /// - Throws: `InterchangeError` with code `badLines` and all lines that are malformed, are
  ///   unbalanced, or refer to missing entities; `format` if the file isn't a JSON export;
  ///   `refused` if the ledger isn't empty. In these cases, nothing was recorded.
  /// - Complexity: O(*n*) time and memory in the number of lines.
  @discardableResult
  @concurrent
  public static func run(
    path: String, into ledger: Ledger, author: String? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> Summary {
    let bytes = try CSVFile.read(path)
    return try await run(bytes, path: path, into: ledger, author: author, progress: progress)
  }

  /// Restores an export in memory.
  ///
  /// If a key is given, the export is restored only once.
  /// - Throws: The same errors as `run(path:into:author:progress:)`.
  @discardableResult
  @concurrent
  public static func run(
    _ bytes: [UInt8], path: String? = nil, into ledger: Ledger, author: String? = nil,
    key: RequestKey? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> Summary {
    let reading = try read(bytes, path, progress)
    progress?(.recording(reading.changes.count))
    try await record(reading.changes, in: ledger, author, key, path)
    return Summary(counts: reading.counts)
  }

  /// Returns the result of restoring an export and the figures that it would change, without
  /// recording anything.
  /// - Throws: The same errors as `run(path:into:author:progress:)`.
  @concurrent
  public static func rehearse(
    _ bytes: [UInt8], path: String? = nil, into ledger: Ledger, today: Day
  ) async throws -> (Summary, Rehearsal) {
    let reading = try read(bytes, path, nil)
    do {
      let rehearsal = try await ledger.figures(changedByTaking: reading.changes, today: today)
      return (Summary(counts: reading.counts), rehearsal)
    } catch {
      throw refusal(error, path)
    }
  }

  private static func read(
    _ bytes: [UInt8], _ path: String?, _ progress: (@Sendable (ImportProgress) -> Void)?
  ) throws(InterchangeError) -> RestoreReading {
    guard canRead(bytes) else {
      throw InterchangeError(
        .format, "The file isn't a Daybook JSON Lines export.",
        remedy: "Choose a .jsonl file that Daybook exported.", path: path, line: 1)
    }
    let reading = RestoreReading(bytes, progress)
    try reading.checkLines(path)
    return reading
  }

  private static func refusal(_ error: DaybookError, _ path: String?) -> any Error {
    guard error.code == .refused else { return error }
    return InterchangeError(
      .refused, error.message, remedy: error.remedy, path: path, cause: error)
  }

  private static func record(
    _ changes: [Change], in ledger: Ledger, _ author: String?, _ key: RequestKey?,
    _ path: String?
  ) async throws {
    do {
      _ = try await ledger.restore(changes, author: author, key: key)
    } catch {
      throw refusal(error, path)
    }
  }
}

/// Parses the lines, checks that they are consistent, and converts them to changes.
struct RestoreReading {
  var changes: [Change] = []
  var counts: [String: Int] = [:]
  var badLines: [BadLine] = []
  private var check = RestoreCheck()
  private let decoder = JSONDecoder()

  init(_ bytes: [UInt8], _ progress: (@Sendable (ImportProgress) -> Void)?) {
    read(bytes, progress)
  }

  func checkLines(_ path: String?) throws(InterchangeError) {
    guard let first = badLines.first else { return }
    throw InterchangeError(
      .badLines,
      "\(badLines.count) line\(badLines.count == 1 ? "" : "s") can't be restored. Nothing was "
        + "recorded.",
      remedy: "Correct the lines, or export the ledger again.", path: path, line: first.line,
      badLines: badLines)
  }

  private mutating func read(_ bytes: [UInt8], _ progress: (@Sendable (ImportProgress) -> Void)?) {
    var start = 0
    var line = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      line += 1
      if end > start { take(Data(bytes[start..<end]), line) }
      start = end + 1
      if line % 4_096 == 0 { progress?(.reading(Double(start) / Double(bytes.count))) }
    }
    badLines.append(contentsOf: check.finish())
    badLines.sort { $0.line < $1.line }
  }

  private mutating func take(_ data: Data, _ line: Int) {
    do {
      switch try decoder.decode(RestoredLine.self, from: data) {
      case .head(let version):
        guard line == 1, version == LinesExport.version else {
          throw RestoreFault("format version \(version) isn't supported; update Daybook")
        }
      case .entity(let entity):
        try add(entity, line)
        counts[type(of: entity).kind.name, default: 0] += 1
      }
    } catch let fault as RestoreFault {
      note(line, fault.reason)
    } catch {
      note(line, "the line is invalid: \(RestoreFault.words(error))")
    }
  }

  private mutating func note(_ line: Int, _ reason: String) {
    guard badLines.count < MappedFile.badLineCountMax else { return }
    badLines.append(
      BadLine(
        line: line, code: .refused, reason: reason.asSentence,
        remedy: "Correct the line, or export the ledger again."))
  }

  private mutating func add(_ entity: some LedgerEntity, _ line: Int) throws {
    let entity = try check.take(entity, line)
    changes.append(
      Change(
        kind: type(of: entity).kind, id: entity.entityID, number: entity.number, before: nil,
        after: entity.record()))
  }
}
