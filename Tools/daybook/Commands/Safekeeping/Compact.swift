import ArgumentParser
import Daybook

/// `daybook compact`: returns the space freed by purging to the file system.
struct CompactCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Return the journal's free space to the file system.",
    discussion: """
      Writes a copy of the journal without free pages, then replaces the old one; nothing else \
      changes. Other processes can keep reading and writing. The space is free when the last of \
      them has closed the old journal.
      """)

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let bar = SharedProgress("Compacting")
    let report = try await ledger.withLedger { opened in
      try await opened.compact { bar.update($0) }
    }
    bar.finish()
    let before = Figures.bytes(report.byteCountBefore)
    let after = Figures.bytes(report.byteCountAfter)
    try ledger.answer(
      JSONAnswer(report),
      "Compacted the journal through commit \(Figures.count(report.sequence)) from \(before) to "
        + "\(after).")
  }
}
