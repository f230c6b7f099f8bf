import ArgumentParser
import Daybook

/// `daybook backup`: makes a consistent copy of the ledger.
struct BackupCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the ledger consistently to a new folder.",
    discussion: """
      Other processes can keep reading and writing. The copy contains the journal; everything else \
      is rebuilt from it when the copy is opened. Copying an open ledger's folder by hand doesn't \
      give a reliable backup.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The folder to create.", completion: .directory)
  var folder: String

  func execute() async throws {
    let sequence = try await ledger.withLedger { opened in
      if FileSystem.exists(folder) {
        throw CommandFailure(
          .cannotCreate, code: "exists", "Couldn't back up to \(folder): it already exists.",
          remedy: "Choose a folder that doesn't exist yet.")
      }
      try await opened.backup(to: folder)
      return try opened.token.sequence
    }
    try ledger.answer(
      JSONAnswer(LedgerPlace(path: folder, sequence: sequence)),
      "Backed up \(ledger.path) to \(folder), through commit \(Figures.count(sequence)).")
  }
}

/// The path of a new ledger or backup, and its last commit.
struct LedgerPlace: Encodable, Sendable {
  var path: String
  var sequence: UInt64
}
