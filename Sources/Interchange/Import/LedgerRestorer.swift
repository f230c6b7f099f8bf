public import Daybook
import Foundation

/// Makes an empty ledger equal to the one whose JSON lines are read.
///
/// Accounts, categories, transactions, rates, settings, budgets, series, rules, mappings, assertions and the
/// fingerprints of imported rows come back with their ids, recording numbers and marks. The history
/// does not: everything is one commit.
public enum LedgerRestorer {
  /// What was restored: how many entities of each type.
  public struct Summary: Sendable {
    /// How many lines of each type: `transaction`, `account` and so on.
    public var counts: [String: Int] = [:]
  }

  /// Whether a file begins like such an export.
  public static func canRead(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("{\"type\":\"daybook\"".utf8))
  }

  /// Reads a file and restores it.
  ///
  /// - Throws: `InterchangeError` of code `badLines` with every line that is malformed, unbalanced or
  ///   names what is not there; `format` where the file is no such export; `refused` where the
  ///   ledger is not empty. Nothing was recorded then.
  /// - Complexity: O(lines) time and memory.
  @discardableResult
  @concurrent
  public static func run(
    path: String, into ledger: Ledger, author: String? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> Summary {
    let bytes = try CSVFile.read(path)
    return try await run(bytes, path: path, into: ledger, author: author, progress: progress)
  }

  /// Restores an export that is in memory.
  /// - Throws: as `run(path:into:author:progress:)`.
  @discardableResult
  @concurrent
  public static func run(
    _ bytes: [UInt8], path: String? = nil, into ledger: Ledger, author: String? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> Summary {
    guard canRead(bytes) else {
      throw InterchangeError(
        .format, "The file is no JSON export of Daybook: it begins otherwise.",
        remedy: "Give the .jsonl file that an export has written.", path: path, line: 1)
    }
    let reading = RestoreReading(bytes, progress)
    try reading.checkLines(path)
    progress?(.recording(reading.changes.count))
    try await record(reading.changes, in: ledger, author, path)
    return Summary(counts: reading.counts)
  }

  private static func record(
    _ changes: [Change], in ledger: Ledger, _ author: String?, _ path: String?
  ) async throws {
    do {
      _ = try await ledger.restore(changes, author: author)
    } catch {
      guard error.code == .refused else { throw error }
      throw InterchangeError(
        .refused, error.message, remedy: error.remedy, path: path, cause: error)
    }
  }
}

/// Reads the lines, checks them against each other and makes changes of them.
private struct RestoreReading {
  var changes: [Change] = []
  var counts: [String: Int] = [:]
  var badLines: [BadLine] = []
  private var entities = RestoredEntities()
  private var check = RestoreCheck()
  private let decoder = JSONDecoder()

  init(_ bytes: [UInt8], _ progress: (@Sendable (ImportProgress) -> Void)?) {
    read(bytes, progress)
  }

  func checkLines(_ path: String?) throws(InterchangeError) {
    guard let first = badLines.first else { return }
    throw InterchangeError(
      .badLines, "\(badLines.count) lines cannot be restored; nothing was recorded.",
      remedy: "Correct them, or export the ledger again.", path: path, line: first.line,
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
      let kind = try decoder.decode(RestoredLines.Kind.self, from: data)
      if kind.type == "daybook" {
        guard line == 1, kind.version == LinesExport.version else {
          throw RestoredEntities.Fault(
            reason: "version \(kind.version ?? 0) of the format is not known to this program")
        }
        return
      }
      try take(kind.type, data, line)
      counts[kind.type, default: 0] += 1
    } catch let fault as RestoredEntities.Fault {
      note(line, fault.reason)
    } catch {
      note(line, "the line is not what it should be: \(error)")
    }
  }

  private mutating func note(_ line: Int, _ reason: String) {
    guard badLines.count < MappedFile.badLineCountMax else { return }
    badLines.append(
      BadLine(
        line: line, code: .refused, reason: reason.asSentence,
        remedy: "Correct the line, or export the ledger again."))
  }

  private mutating func take(_ type: String, _ data: Data, _ line: Int) throws {
    switch type {
    case "settings": try add(entities.settings(decode(RestoredLines.SettingsLine.self, data)), line)
    case "currency":
      try add(entities.definition(decode(RestoredLines.CurrencyLine.self, data)), line)
    case "account":
      let account = try entities.account(decode(RestoredLines.AccountLine.self, data))
      try check.take(account, line)
      try add(account, line)
    case "category":
      let category = try entities.category(decode(RestoredLines.CategoryLine.self, data))
      try check.take(category, line)
      try add(category, line)
    case "rate": try add(entities.rate(decode(RestoredLines.RateLine.self, data)), line)
    case "transaction":
      let written = try decode(RestoredLines.TransactionLine.self, data)
      let transaction = try entities.transaction(written, check.kinds)
      try check.take(transaction)
      try add(transaction, line)
    case "assertion":
      let assertion = entities.assertion(try decode(RestoredLines.AssertionLine.self, data))
      try check.require(.account(assertion.account))
      try add(assertion, line)
    case "fingerprint":
      let written = try decode(RestoredLines.FingerprintLine.self, data)
      try add(
        Fingerprint(
          id: written.id, number: written.number, changed: written.changed ?? 0,
          deleted: written.deleted ?? 0),
        line)
    case "budget":
      let budget = try entities.budget(decode(RestoredLines.BudgetLine.self, data))
      for category in budget.categories { try check.require(.category(category)) }
      try add(budget, line)
    case "series": try add(entities.series(decode(RestoredLines.SeriesLine.self, data)), line)
    case "rule": try add(entities.rule(decode(RestoredLines.RuleLine.self, data)), line)
    case "mapping":
      let mapping = try entities.mapping(decode(RestoredLines.MappingLine.self, data))
      if let account = mapping.account { try check.require(.account(account)) }
      try check.take(mapping)
      try add(mapping, line)
    default: throw RestoredEntities.Fault(reason: "the type \(type) is not known")
    }
  }

  private func decode<Line: Decodable>(_: Line.Type, _ data: Data) throws -> Line {
    try decoder.decode(Line.self, from: data)
  }

  private mutating func add<Entity: LedgerEntity>(_ entity: Entity, _ line: Int) throws {
    try check.takeIdentity(Entity.kind, entity.entityID, entity.number)
    changes.append(
      Change(
        kind: Entity.kind, id: entity.entityID, number: entity.number, before: nil,
        after: entity.record()))
  }
}
