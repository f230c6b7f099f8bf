import Daybook
import Foundation

/// The cost of maintaining history, and its effect on concurrent appends.
///
/// Only Daybook takes part, because the other engines have no such history. The ledger has one
/// commit for each event, so that a purge has that many commits to fold.
struct HistoryRace {
  var commits: Int
  var scratch: String

  private struct Row {
    var measure: String
    var value: String
    var bar = ""
    var isMet: Bool?
  }

  /// Runs the measures and returns a Markdown table.
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
        measure: "verify in full, events/s", value: Report.number(rate), bar: "≥ 100000",
        isMet: rate >= 100_000))

    note("reading history")
    let read = try await measure {
      var cursor = try ledger.history().cursor()
      while try cursor.next() != nil {}
    }
    rows.append(
      Row(
        measure: "history read, commits/s", value: Report.number(Double(commits) / read.wall * 1e6))
    )

    let alone = try await latencies(ledger, count: 300)
    rows.append(Row(measure: "append alone, median µs", value: Report.number(median(alone))))

    note("rebuilding beside an appender")
    let (rebuild, besideRebuild) = try await beside(ledger) { try await ledger.rebuild() }
    rows.append(
      Row(
        measure: "rebuild beside an appender, events/s",
        value: Report.number(Double(commits) / rebuild * 1e6)))
    let slowdown = median(besideRebuild) / median(alone)
    rows.append(
      Row(
        measure: "append during the rebuild, median, times that alone",
        value: Report.number(slowdown), bar: "≤ 2", isMet: slowdown <= 2))

    note("compacting")
    let file = try newest(in: path)
    let copied = try await measure { try copy(file, to: folder + "/copy") }
    let size = Double(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
    let compaction = try await measure { try await ledger.compact() }
    let speed = copied.wall / compaction.wall
    rows.append(
      Row(measure: "copying the journal's file, MB/s", value: Report.number(size / copied.wall)))
    rows.append(
      Row(
        measure: "compaction, the copy compared row by row, of the speed of copying",
        value: Report.number(speed), bar: "≥ 0.5", isMet: speed >= 0.5))

    note("purging beside an appender")
    let (purge, during) = try await beside(ledger) { try await purgeAll(ledger) }
    rows.append(
      Row(
        measure: "purge beside an appender, commits/s",
        value: Report.number(Double(commits) / purge * 1e6)))
    let wait = median(during) - median(alone)
    rows.append(
      Row(
        measure: "append during the purge, median µs more", value: Report.number(wait),
        bar: "≤ 10000", isMet: wait <= 10_000))
    rows.append(
      Row(
        measure: "append during the purge, 99 of 100 within µs",
        value: Report.number(during.sorted()[during.count * 99 / 100])))
    let before = try await ledger.info().journal.freeByteCount
    let report = try await ledger.compact()
    let given = Double(report.byteCountBefore) - Double(report.byteCountAfter)
    let share = given / Double(max(before, 1))
    rows.append(
      Row(
        measure: "free bytes that compaction gives back", value: Report.number(share),
        bar: "≥ 0.95", isMet: share >= 0.95))
    try await ledger.close()
    return table(rows)
  }

  private func fill(_ engine: DaybookEngine, _ generator: inout WorkGenerator) async throws {
    var left = commits
    while left > 0 {
      // Newly recorded rows can be appended in any order.
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

  /// Runs `body` while another task appends one by one.
  ///
  /// Returns the duration of `body` and of each append.
  private func beside(
    _ ledger: Ledger, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> (microseconds: Double, appends: [Double]) {
    let isDone = Flag()
    let work = Task {
      defer { isDone.set() }
      return try await measure { try await body() }
    }
    var appends: [Double] = []
    while !isDone.isSet { appends += try await latencies(ledger, count: 10) }
    return (try await work.value.wall, appends)
  }

  /// The path of the journal's data file.
  private func newest(in path: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    guard let name = names.last(where: { $0.hasPrefix("journal-") }) else {
      throw BenchmarkError("there is no journal in \(path)")
    }
    return path + "/" + name + "/data.mdb"
  }

  /// Copies a file and flushes the copy to disk.
  private func copy(_ file: String, to place: String) throws {
    try FileManager.default.copyItem(atPath: file, toPath: place)
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: place))
    try handle.synchronize()
    try handle.close()
    try FileManager.default.removeItem(atPath: place)
  }

  private func purgeAll(_ ledger: Ledger) async throws {
    var options = PurgeOptions()
    options.policy = .count(0)
    try await ledger.purge(options)
  }

  /// The durations of consecutive appends, in microseconds.
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

/// A flag that one task sets and another one reads.
///
/// `@unchecked Sendable`: `lock` protects `value`.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
