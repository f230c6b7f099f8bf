import Daybook
import Foundation

/// What looking after history costs, and what it costs those who append meanwhile.
///
/// Daybook alone: the others keep no history to look after. The ledger has as many commits as events, so
/// that a purge has that many to fold.
struct HistoryRace {
  var commits: Int
  var scratch: String

  private struct Row {
    var measure: String
    var value: String
    var bar = ""
    var isMet: Bool?
  }

  /// A table in Markdown.
  func run() async throws -> String {
    let folder = scratch + "/history"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let engine = try await DaybookEngine(opening: folder)
    var generator = WorkGenerator(size: commits)
    note("appending \(commits) commits")
    try await fill(engine, &generator)
    try await engine.close()
    let path = folder + "/work.daybook"
    let ledger = try await Ledger.open(at: path, options: .init(author: "benchmark"))
    var rows: [Row] = []

    note("verifying")
    let verify = try await measure { _ = try await ledger.verify() }
    let rate = Double(commits) / verify.wall * 1e6
    rows.append(
      Row(
        measure: "verify in full, events/s", value: Report.number(rate), bar: "≥ 300000",
        isMet: rate >= 300_000))

    note("reading history")
    let read = try await measure {
      var cursor = try ledger.history().cursor()
      while try cursor.next() != nil {}
    }
    rows.append(
      Row(
        measure: "history read, commits/s", value: Report.number(Double(commits) / read.wall * 1e6))
    )

    note("purging")
    let alone = try await latencies(ledger, count: 300)
    let purging = Task { try await measure { try await purgeAll(ledger) } }
    var during: [Double] = []
    let isDone = Flag()
    Task {
      _ = try? await purging.value
      isDone.set()
    }
    while !isDone.isSet { during += try await latencies(ledger, count: 20) }
    let purge = try await purging.value
    rows.append(
      Row(
        measure: "purge, commits/s, with an appender beside it",
        value: Report.number(Double(commits) / purge.wall * 1e6)))
    rows.append(
      Row(measure: "append alone, median µs", value: Report.number(median(alone))))
    let wait = median(during) - median(alone)
    rows.append(
      Row(
        measure: "append during the purge, median µs more", value: Report.number(wait),
        bar: "≤ 10000", isMet: wait <= 10_000))
    rows.append(
      Row(
        measure: "append during the purge, 99 of 100 within µs",
        value: Report.number(during.sorted()[during.count * 99 / 100])))
    try await ledger.close()
    return table(rows)
  }

  private func fill(_ engine: DaybookEngine, _ generator: inout WorkGenerator) async throws {
    var left = commits
    while left > 0 {
      // Records alone can go in any order.
      var events: [[WorkEvent]] = Array(repeating: [], count: 64)
      let count = min(left, 64 * 256)
      for index in 0..<count {
        var event = generator.next()
        while true {
          if case .record = event { break }
          event = generator.next()
        }
        events[index % 64].append(event)
      }
      try await engine.appendConcurrently(events)
      left -= count
    }
  }

  private func purgeAll(_ ledger: Ledger) async throws {
    var options = PurgeOptions()
    options.policy = .count(0)
    try await ledger.purge(options)
  }

  /// Microseconds of appends, one after the other.
  private func latencies(_ ledger: Ledger, count: Int) async throws -> [Double] {
    guard let account = try ledger.read({ try $0.accounts().first }) else { return [] }
    var times: [Double] = []
    for _ in 0..<count {
      let draft = Draft.expense(
        Money(100, account.currency), from: account.id,
        on: Day(rawValue: Int32(WorkGenerator.lastDay)))
      times.append(try await measure { try await ledger.append(.record(draft)) }.wall)
    }
    return times
  }

  private func table(_ rows: [Row]) -> String {
    var lines = ["| measure, \(commits) commits | Daybook | bar | |", "|---|---:|---|---|"]
    for row in rows {
      let met = row.isMet.map { $0 ? "met" : "**not met**" } ?? ""
      lines.append("| \(row.measure) | \(row.value) | \(row.bar) | \(met) |")
    }
    return lines.joined(separator: "\n")
  }
}

/// Something that has happened, told from one task to another.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
