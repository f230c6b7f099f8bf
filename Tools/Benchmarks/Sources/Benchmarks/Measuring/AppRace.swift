import Daybook
import Foundation

/// What an app waits for while somebody uses it; Daybook alone, in one process.
struct AppRace {
  var rows: Int
  var scratch: String

  struct Row {
    var measure: String
    var microseconds: Double
    /// The most it may take, in microseconds.
    var bar: Double?
  }

  /// A table in Markdown.
  func run() async throws -> String {
    let folder = scratch + "/app"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let engine = try await DaybookEngine(opening: folder)
    var generator = WorkGenerator(size: rows)
    note("appending \(rows) events")
    var left = rows
    let filling = try await measure {
      while left > 0 {
        let events = generator.next(min(left, 1_000))
        try await engine.append(events[...])
        left -= events.count
      }
    }
    try await engine.close()
    let ledger = try await Ledger.open(
      at: folder + "/work.daybook", options: .init(author: "benchmark"))
    var rows = [
      Row(
        measure: "append, 1,000 events a commit, per event (processor)",
        microseconds: filling.processor / Double(self.rows))
    ]
    rows += try searches(in: ledger)
    rows.append(try await rebuild(ledger))
    try await ledger.close()
    return table(rows)
  }

  private func rebuild(_ ledger: Ledger) async throws -> Row {
    let rebuild = try await measure { try await ledger.rebuild() }
    return Row(measure: "rebuild, per event", microseconds: rebuild.wall / Double(rows))
  }

  private func table(_ found: [Row]) -> String {
    var lines = ["| measure, \(rows) rows | µs | bar | |", "|---|---:|---|---|"]
    for row in found {
      let met = row.bar.map { row.microseconds <= $0 ? "met" : "**not met**" } ?? ""
      let bar = row.bar.map { "≤ \(Report.number($0))" } ?? ""
      lines.append("| \(row.measure) | \(Report.number(row.microseconds)) | \(bar) | \(met) |")
    }
    return lines.joined(separator: "\n")
  }
}
