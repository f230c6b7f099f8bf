import ArgumentParser
import Daybook
import DaybookFoundation
import Foundation

/// `daybook restore`: restores a ledger from a backup.
struct RestoreCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a backup to a new folder.",
    discussion: """
      The backup is verified first. The restored ledger starts a new lineage, so that tokens from \
      after the backup are recognised as invalid. If --ledger already exists, nothing happens; \
      move it away first.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The backup's folder.", completion: .directory)
  var backup: String

  func execute() async throws {
    let path = ledger.path
    guard !FileSystem.exists(path) else {
      throw CommandFailure(
        .cannotCreate, code: "exists", "Couldn't restore to \(path): it already exists.",
        remedy: "Move it away, or choose another --ledger.")
    }
    try await Ledger.restore(from: backup, to: path)
    let (sequence, attachments) = try await ledger.withLedger { opened in
      let saved = AttachmentFolder(ofLedgerAt: URL(filePath: backup))
      return (try opened.token.sequence, try saved.copy(of: opened, to: opened.attachments))
    }
    try ledger.answer(
      JSONAnswer(
        LedgerPlace(
          path: path, sequence: sequence, attachments: attachments == 0 ? nil : attachments)),
      "Restored \(path) from \(backup), through commit \(Figures.count(sequence))"
        + attachments.withAttachments + ".")
  }
}
