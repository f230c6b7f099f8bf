import ArgumentParser
import Daybook

/// `daybook restore`: restores a ledger from a backup.
struct RestoreCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a ledger of a backup, in a new folder.",
    discussion: """
      The backup's chain is verified first. The ledger begins a new lineage, so that tokens from \
      after the backup are recognised as no longer valid. Where --ledger is there already, nothing \
      happens: move it away first.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The folder of the backup.", completion: .directory)
  var backup: String

  func execute() async throws {
    let path = ledger.path
    guard !FileSystem.exists(path) else {
      throw CommandFailure(
        .cannotCreate, code: "exists", "There is something at \(path) already.",
        remedy: "Move it away, or choose another --ledger.")
    }
    try await Ledger.restore(from: backup, to: path)
    let sequence = try await ledger.withLedger { opened in try opened.token.sequence }
    try ledger.answer(
      JSONAnswer(LedgerPlace(path: path, sequence: sequence)),
      "Restored \(path) from \(backup), up to commit \(Figures.count(sequence)).")
  }
}
