import Daybook
import Foundation

/// What an app asks of a ledger beside lists and totals, and what it costs to keep that ready.
///
/// Daybook alone. Each part is in a file of its own and adds its rows.
struct AppRace {
  var events: Int
  var scratch: String

  struct Row {
    var measure: String
    var value: String
    var bar = ""
    var isMet: Bool?
  }

  /// A table in Markdown.
  func run() async throws -> String {
    let folder = scratch + "/app"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let rows = try await budgets(in: folder)
    var lines = ["| measure, \(events) events | Daybook | bar | |", "|---|---:|---|---|"]
    for row in rows {
      let met = row.isMet.map { $0 ? "met" : "**not met**" } ?? ""
      lines.append("| \(row.measure) | \(row.value) | \(row.bar) | \(met) |")
    }
    return lines.joined(separator: "\n")
  }
}
