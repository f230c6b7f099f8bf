import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal

/// `daybook sync findings`: lists and settles the findings of merges.
struct SyncFindings: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Show conflicting changes of two devices, and how they were resolved.",
    discussion: """
      If two devices set different values, one is used and the other is kept here until you \
      dismiss the finding. To use the other value, record it again (`daybook edit`), then dismiss \
      the finding with --dismiss. Changes to a period that another device had closed \
      aren't counted; --take records them, on another day (--on) or after the period is reopened.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "Dismiss a finding, by the first digits of its name, or all.", valueName: "name"))
  var dismiss: String?

  @Option(
    help: ArgumentHelp(
      "Record a finding's deferred change, by the first digits of its name, or all.",
      valueName: "name"))
  var take: String?

  @Option(help: ArgumentHelp("With --take: the day to record it on.", valueName: "day"))
  var on: DayArgument?

  @OptionGroup var today: TodayOptions

  private struct Answer: Encodable, Sendable {
    var findings: [SyncFinding.Form]
  }

  func validate() throws {
    if on != nil, take == nil { throw ValidationError("--on requires --take.") }
  }

  func execute() async throws {
    let (answer, lines, names) = try await ledger.withLedger { opened in
      if let dismiss { try await put(aside: dismiss, opened) }
      if let take { try await record(take, opened) }
      let findings = try await opened.sync.findings()
      let devices = try await opened.deviceNames()
      return try opened.read { snapshot in
        let names = try Names(snapshot)
        let answer = Answer(findings: try SyncFinding.forms(of: findings, in: snapshot))
        let lines = FindingLines(devices: devices, names: names, ledger: opened)
        return (
          answer,
          try zip(findings, answer.findings).flatMap { try lines.list($0, $1.text, snapshot) },
          names
        )
      }
    }
    if ledger.json { return try Output.json(JSONAnswer(answer, names)) }
    if lines.isEmpty { return try Output.line("No findings.") }
    try Output.lines(
      lines + [
        "",
        "Dismiss one with `daybook sync findings --dismiss` and the first digits of its name.",
      ])
  }

  private func put(aside text: String, _ opened: Ledger) async throws {
    let all = try await opened.sync.findings()
    for finding in text == "all" ? all : [try Self.one(text, of: all)] {
      try await opened.sync.dismiss(finding.id)
    }
  }

  private func record(_ text: String, _ opened: Ledger) async throws {
    let held = try await opened.sync.findings().filter { $0.rule == .held }
    for finding in text == "all" ? held : [try Self.one(text, of: held)] {
      try await opened.sync.take(finding.id, on: on?.day(today: today.day))
    }
  }

  private static func one(_ text: String, of all: [SyncFinding]) throws -> SyncFinding {
    let meant = all.filter { $0.id.hasPrefix(text.lowercased()) }
    guard meant.count == 1 else {
      throw CommandFailure.notFound(
        meant.isEmpty
          ? "No finding has a name starting with “\(text)”."
          : "\(meant.count) findings have names starting with “\(text)”.",
        remedy: "Give more digits; `daybook sync findings` lists all findings.")
    }
    return meant[0]
  }
}
