import ArgumentParser
import Daybook

/// `daybook backup`: makes a consistent copy of the ledger.
struct BackupCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Make a consistent copy of the ledger in a new folder.",
    discussion: """
      Others may go on reading and writing. The copy holds the journal, which is everything; what is \
      derived is made anew when it is opened. Copying an open ledger's folder by hand is no backup.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The folder to make.", completion: .directory)
  var folder: String

  func execute() async throws {
    let sequence = try await ledger.withLedger { opened in
      if FileSystem.exists(folder) {
        throw CommandFailure(
          .cannotCreate, code: "exists", "There is something at \(folder) already.",
          remedy: "Give a folder that does not exist yet.")
      }
      try await opened.backup(to: folder)
      return try opened.token.sequence
    }
    try ledger.answer(
      JSONAnswer(LedgerPlace(path: folder, sequence: sequence)),
      "Copied \(ledger.path) to \(folder), up to commit \(Figures.count(sequence)).")
  }
}

/// The path of a new ledger or backup, and its last commit.
struct LedgerPlace: Encodable, Sendable {
  var path: String
  var sequence: UInt64
}
