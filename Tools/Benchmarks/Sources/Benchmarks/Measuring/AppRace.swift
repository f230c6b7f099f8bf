import Daybook
import Foundation

/// Operations of an app and their cost.
///
/// Only Daybook takes part, because the other engines have no live lists.
struct AppRace {
  var events: Int
  var scratch: String

  /// One line of the table.
  struct Row {
    var measure: String
    var value: String
    var bar = ""
    var isMet: Bool?
  }

  var path: String { scratch + "/app/work.daybook" }

  /// Runs the measures and returns a Markdown table.
  func run() async throws -> String {
    let folder = scratch + "/app"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let contender = EngineContender<DaybookEngine>(folder: folder, size: events)
    note("growing Daybook to \(events)")
    try await contender.open()
    _ = try await contender.grow(events, batch: 10_000)
    try await contender.close()
    let rows =
      try await filteredPages() + searches() + insights() + rebuild() + pager()
      + budgets(in: folder)
    var lines = ["| measure, \(events) events | Daybook | bar | |", "|---|---:|---|---|"]
    for row in rows {
      let met = row.isMet.map { $0 ? "met" : "**not met**" } ?? ""
      lines.append("| \(row.measure) | \(row.value) | \(row.bar) | \(met) |")
    }
    return lines.joined(separator: "\n")
  }

  private func rebuild() async throws -> [Row] {
    let ledger = try await Ledger.open(at: path)
    let rebuild = try await measure { try await ledger.rebuild() }
    try await ledger.close()
    let each = rebuild.wall / Double(events)
    return [Row(measure: "rebuild, µs an event", value: Report.number(each))]
  }
}
