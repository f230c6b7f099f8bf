import ArgumentParser
import Daybook

/// `daybook compact`: returns the space that purging has freed.
struct CompactCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Give the journal's free room back to the file system.",
    discussion: """
      Makes the journal anew without free pages, beside the old one, and changes nothing else. Others \
      may go on reading and writing; the room is back when the last of them has let go of the old one.
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
      "Compacted the journal up to commit \(Figures.count(report.sequence)): \(before) before, "
        + "\(after) now.")
  }
}
