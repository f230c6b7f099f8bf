import ArgumentParser
import Daybook
import DaybookTerminal

/// The dry run of a command that changes envelopes.
struct EnvelopeRehearsalOptions: ParsableArguments {
  @Flag(help: "Show which figures would change, without changing anything.")
  var dryRun = false
}

extension LedgerOptions {
  /// Decides commands without recording them, and prints the figures that would change.
  func rehearseEnvelopes(
    _ today: Day, _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws {
    try await withLedger { ledger in
      let commands = try ledger.read { snapshot in try commands(snapshot) }
      let rehearsal = try await ledger.figures(changedBy: commands, today: today)
      if json { return try Output.json(JSONAnswer(rehearsal, try names(in: ledger))) }
      let names = try ledger.read { snapshot in try Names(snapshot) }
      let lines = rehearsal.figures.map { "  \($0.shown(names))".printable }
      try Output.lines([lines.isEmpty ? "No figure would change." : "Would change:"] + lines)
    }
  }
}

extension FigureChange {
  /// The change in words, such as `Available in Food in 2026-02: 0.00 → 40.00 EUR`.
  fileprivate func shown(_ names: Names) -> String {
    let subject = self.subject.flatMap { names.name(of: $0) } ?? ""
    let title =
      switch figure {
      case .envelope: "Available in \(subject)"
      case .needed: "Needed for \(subject)"
      case .payment: "Available to pay \(subject)"
      case .readyToAssign: "Ready to assign"
      default: "\(figure) \(subject)"
      }
    let currency = (after ?? before)?.currency.code ?? ""
    let (old, new) = (before.map(Figures.text) ?? "none", after.map(Figures.text) ?? "none")
    return title + (month.map { " in \($0)" } ?? "") + ": \(old) → \(new) \(currency)"
  }
}
