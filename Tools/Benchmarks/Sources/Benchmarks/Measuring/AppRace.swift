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
    defer {
      for place in [folder, scratch + "/copy"] {
        try? FileManager.default.removeItem(atPath: place)
      }
    }
    let contender = EngineContender<DaybookEngine>(folder: folder, size: events)
    note("growing Daybook to \(events)")
    try await contender.open()
    _ = try await contender.grow(events, batch: 10_000)
    try await contender.close()
    let rows =
      try await filteredPages() + sums() + searches() + insights() + rebuild() + suspension()
      + copying() + pager() + budgets(in: folder)
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

  /// Copies the ledger for reading, again after an append, and opens the copy in another process.
  private func copying() async throws -> [Row] {
    let copy = scratch + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    let ledger = try await Ledger.open(at: path)
    let first = try await measure { try await ledger.snapshotCopy(to: copy + "/work.daybook") }
    try await ledger.append(.createCategory(NewCategory(name: "copy", kind: .expense)))
    let next = try await measure { try await ledger.snapshotCopy(to: copy + "/work.daybook") }
    try await ledger.close()
    let probe = try await Probe.run(.open, DaybookEngine.name, copy)
    let megabytes = Double(probe.kilobytes) / 1_024
    return [
      Row(measure: "copy for reading, ms", value: Report.number(first.wall / 1_000)),
      Row(measure: "… again after an append, ms", value: Report.number(next.wall / 1_000)),
      Row(
        measure: "open the copy and read a page, ms",
        value: Report.number(probe.microseconds / 1_000)),
      Row(
        measure: "… anonymous memory, MB", value: Report.number(megabytes), bar: "30",
        isMet: megabytes <= 30),
    ]
  }
}
