import ArgumentParser
import Daybook
import DaybookFoundation
import Foundation

/// `daybook backup`: makes a consistent copy of the ledger.
struct BackupCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the ledger consistently to a new folder.",
    discussion: """
      Other processes can keep reading and writing. The copy contains the journal; everything else \
      is rebuilt from it when the copy is opened. Attached files are copied to a folder next to it. \
      Copying an open ledger's folder by hand doesn't give a reliable backup.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The folder to create.", completion: .directory)
  var folder: String

  func execute() async throws {
    let (sequence, attachments) = try await ledger.withLedger { opened in
      if FileSystem.exists(folder) {
        throw CommandFailure(
          .cannotCreate, code: "exists", "Couldn't back up to \(folder): it already exists.",
          remedy: "Choose a folder that doesn't exist yet.")
      }
      try await opened.backup(to: folder)
      return (
        try opened.token.sequence,
        try opened.attachments.copy(
          of: opened, to: AttachmentFolder(ofLedgerAt: URL(filePath: folder)))
      )
    }
    try ledger.answer(
      JSONAnswer(
        LedgerPlace(
          path: folder, sequence: sequence, attachments: attachments == 0 ? nil : attachments)),
      "Backed up \(ledger.path) to \(folder), through commit \(Figures.count(sequence))"
        + attachments.withAttachments + ".")
  }
}

/// The path of a new ledger or backup, its last commit, and the number of attached files copied.
struct LedgerPlace: Encodable, Sendable {
  var path: String
  var sequence: UInt64
  var attachments: Int?
}

extension AttachmentFolder {
  /// Copies the files that a ledger's transactions have to another folder, and returns their number.
  func copy(of ledger: Ledger, to other: AttachmentFolder) throws -> Int {
    let rows = try ledger.read { try $0.transactionsWithAttachments() }
    return try other.copy(rows.flatMap(\.attachments), from: self)
  }
}

extension Int {
  /// The end of a sentence about copied attachments; empty if there are none.
  var withAttachments: String {
    self == 0 ? "" : ", with \(Figures.counted(self, "attachment"))"
  }
}
