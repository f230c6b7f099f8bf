import ArgumentParser
import Daybook

/// `daybook rebuild`: makes everything derived anew.
struct RebuildCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Make all views anew from the journal.",
    discussion: "Loses nothing: what is derived can always be had again.")

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let bar = SharedProgress("Rebuilding")
    let started = ContinuousClock.now
    let sequence = try await ledger.withLedger { opened in
      try await opened.rebuild { bar.update($0) }
      return try opened.token.sequence
    }
    bar.finish()
    let elapsed = ContinuousClock.now - started
    if ledger.json {
      return try Output.json(.object([("sequence", .count(sequence))]))
    }
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let tenths = Int((seconds * 10).rounded())
    try Output.line(
      "Rebuilt the views up to commit \(Figures.count(sequence)) in \(tenths / 10).\(tenths % 10) s."
    )
  }
}
