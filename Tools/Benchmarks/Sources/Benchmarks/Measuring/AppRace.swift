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
      try await filteredPages() + sums() + searches() + insights() + rebuild() + suspension()
      + pager()
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

  /// Suspends the ledger after an append, and resumes it until the first answer.
  private func suspension() async throws -> [Row] {
    let ledger = try await Ledger.open(at: path)
    var (suspensions, resumptions) = ([Double](), [Double]())
    for index in 0..<Self.suspensionCount {
      try await ledger.append(
        .createCategory(NewCategory(name: "suspension \(index)", kind: .expense)))
      suspensions.append(try await measure { try await ledger.suspend() }.wall)
      resumptions.append(
        try await measure {
          try await ledger.resume()
          _ = try ledger.read { try $0.accounts() }
        }.wall)
    }
    try await ledger.close()
    let resumption = median(resumptions) / 1_000
    return [
      Row(
        measure: "suspend after an append, ms",
        value: Report.number(median(suspensions) / 1_000)),
      Row(
        measure: "resume to first answer, ms", value: Report.number(resumption), bar: "5",
        isMet: resumption <= 5),
    ]
  }

  private static let suspensionCount = 25
}
