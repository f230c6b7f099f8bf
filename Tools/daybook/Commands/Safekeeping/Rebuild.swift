import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook rebuild`: rebuilds all views from the journal.
struct RebuildCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Rebuild all views from the journal.",
    discussion: """
      Nothing is lost: views are derived from the journal. The old views aren't read, so damaged ones \
      are replaced too. Other processes can keep reading and writing. With --in-place-check, exits \
      with 2 if the old views differed or were damaged.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Flag(help: "Compare the old views with the new ones before replacing them.")
  var inPlaceCheck = false

  func execute() async throws {
    let bar = SharedProgress("Rebuilding")
    let started = ContinuousClock.now
    let report = try await Ledger.rebuild(
      at: ledger.path, options: ledger.options(), comparing: inPlaceCheck
    ) { bar.update($0) }
    bar.finish()
    let elapsed = ContinuousClock.now - started
    if ledger.json {
      try Output.json(JSONAnswer(report))
    } else {
      try tell(report, elapsed)
    }
    if inPlaceCheck, !report.findings.isEmpty { throw ExitStatus.damaged.exitCode }
  }

  private func tell(_ report: RebuildReport, _ elapsed: Duration) throws {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let tenths = Int((seconds * 10).rounded())
    try Output.line(
      "Rebuilt the views through commit \(Figures.count(report.sequence)) in "
        + "\(tenths / 10).\(tenths % 10) s.")
    if inPlaceCheck {
      try Output.line("Compared \(Figures.count(report.rowCount)) rows of the old views.")
      if report.findings.isEmpty { try Output.line("No differences found.") }
    }
    for finding in report.findings { try Output.line("DIFFERED: \(finding.message.printable)") }
  }
}
