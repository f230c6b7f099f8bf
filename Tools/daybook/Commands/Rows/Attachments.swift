import ArgumentParser
import Daybook
import DaybookFoundation
import DaybookTerminal
import Foundation

/// `daybook attachments`: attaches files, such as receipts, to transactions.
struct AttachmentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attachments", abstract: "Attach files, such as receipts, to transactions.",
    discussion: """
      The files are copied to a folder next to the ledger: Household.attachments for \
      Household.daybook. The ledger has their names and SHA-256 hashes. Sync doesn't send the files \
      to other devices.
      """,
    subcommands: [
      AttachmentsListCommand.self, AttachmentsAddCommand.self, AttachmentsSaveCommand.self,
      AttachmentsRemoveCommand.self, AttachmentsTidyCommand.self,
    ], defaultSubcommand: AttachmentsListCommand.self)
}

extension LedgerOptions {
  /// The files attached to the ledger's transactions.
  fileprivate var attachments: AttachmentFolder {
    AttachmentFolder(ofLedgerAt: URL(filePath: path))
  }
}

/// `daybook attachments list`: lists attached files, and whether they are on this device.
struct AttachmentsListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the attached files, and check that they are there.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123 (default: all).")
  var transaction: String?

  @Flag(help: "Read each file and compare it with its hash.")
  var check = false

  private struct File: Encodable, Sendable {
    var transaction: TransactionID
    var attachment: Attachment
    var state: String
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let folder = ledger.attachments
    let rows =
      try transaction.map { [try Lookup.transaction($0, in: snapshot)] }
      ?? snapshot.transactionsWithAttachments()
    let files = rows.flatMap { row in
      row.attachments.map { attachment in
        (
          row,
          File(transaction: row.id, attachment: attachment, state: state(of: attachment, folder))
        )
      }
    }
    var report = Report(
      [
        .fixed("transaction", "Transaction"), .text("title", "Payee", yielding: .below(1)),
        .text("file", "File", yielding: .never), .fixed("size", "Size"), .fixed("state", "State"),
      ], ifEmpty: "No attachments. Add one with `daybook attachments add`.",
      json: JSONAnswer(["attachments": files.map(\.1)], try Names(snapshot)))
    for (row, file) in files {
      report.add([
        .init(row.place), .init(row.payee.isEmpty ? row.description : row.payee),
        .init(file.attachment.name), size(of: file.attachment),
        .init(file.state, file.state == "here" ? .plain : .red),
      ])
    }
    return report
  }

  private func size(of attachment: Attachment) -> Report.Cell {
    .init(
      data: "\(attachment.byteCount)",
      .init(Figures.bytes(UInt64(max(0, attachment.byteCount)))))
  }

  private func state(of attachment: Attachment, _ folder: AttachmentFolder) -> String {
    guard folder.contains(attachment) else { return "not here" }
    if check, (try? folder.contents(of: attachment)) == nil { return "changed" }
    return "here"
  }
}

/// `daybook attachments add`: attaches files to a transaction.
struct AttachmentsAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Attach files to a transaction.",
    discussion: """
        daybook attachments add 2026-02-14#123 receipt.pdf

      The files are copied; the originals can be moved or deleted.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Argument(help: "The files.", completion: .file())
  var files: [String]

  func execute() async throws {
    let folder = ledger.attachments
    var added: [Attachment] = []
    var place = ""
    let recorded = try await ledger.record { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      place = row.place
      added = try files.map { try folder.add(read($0), named: URL(filePath: $0).lastPathComponent) }
        .filter { !row.attachments.contains($0) }
      if added.isEmpty { return [] }
      var amendment = Amendment(seen: row)
      amendment.attachments = row.attachments + added
      return [.amend(row.id, amendment)]
    }
    let names = added.map(\.name).joined(separator: ", ")
    try ledger.answer(
      recorded, with: ["attachments": added],
      added.isEmpty ? "Already attached to \(place)." : "Attached \(names) to \(place).")
  }

  private func read(_ path: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw CommandFailure(
        .noInput, code: "file", "Couldn't read \(path): \(error.localizedDescription)",
        remedy: "Check the path and its permissions.")
    }
  }
}

/// An attached file of a transaction.
struct AttachmentOptions: ParsableArguments {
  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Argument(help: "The name of the attached file (default: the only one).")
  var file: String?

  func find(_ snapshot: borrowing Snapshot) throws -> (row: Transaction, attachment: Attachment) {
    let row = try Lookup.transaction(transaction, in: snapshot)
    let found = row.attachments.filter { file == nil || $0.name == file }
    if let one = found.first, found.count == 1 { return (row, one) }
    guard !row.attachments.isEmpty else {
      throw CommandFailure.notFound(
        "\(row.place) has no attachments.", remedy: "List all with `daybook attachments`.")
    }
    let number = found.isEmpty ? "no attachment" : "several attachments"
    let names = row.attachments.map(\.name).joined(separator: ", ")
    throw CommandFailure.notFound(
      "\(row.place) has \(number)" + (file.map { " named “\($0)”." } ?? "."),
      remedy: "Its attachments are: \(names).")
  }
}

/// `daybook attachments save`: copies an attached file out of the ledger's folder.
struct AttachmentsSaveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a copy of an attached file.",
    discussion: """
        daybook attachments save 2026-02-14#123
        daybook attachments save 2026-02-14#123 receipt.pdf --output copy.pdf

      The contents are compared with the hash.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var chosen: AttachmentOptions

  @Option(help: "The file to create (default: the attachment's name).", completion: .file())
  var output: String?

  func execute() async throws {
    let attachment = try await ledger.withLedger { opened in
      try opened.read { try chosen.find($0).attachment }
    }
    let contents = try ledger.attachments.contents(of: attachment)
    let path = output ?? attachment.name.split(separator: "/").last.map(String.init) ?? "file"
    guard !FileSystem.exists(path) else {
      throw CommandFailure(
        .cannotCreate, code: "exists", "Couldn't save \(path): it already exists.",
        remedy: "Choose another file with --output.")
    }
    do {
      try contents.write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw CommandFailure(
        .cannotCreate, code: "file", "Couldn't save \(path): \(error.localizedDescription)",
        remedy: "Choose another file with --output.")
    }
    try ledger.answer(JSONAnswer(["path": path]), "Saved \(path).")
  }
}

/// `daybook attachments remove`: removes an attachment from a transaction.
struct AttachmentsRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an attachment from a transaction.",
    discussion: """
        daybook attachments remove 2026-02-14#123 receipt.pdf

      The file stays in the folder next to the ledger, so that you can undo this. To delete files \
      that no transaction has, run `daybook attachments tidy`.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var chosen: AttachmentOptions

  func execute() async throws {
    var done = ""
    let recorded = try await ledger.record { snapshot in
      let (row, attachment) = try chosen.find(snapshot)
      var amendment = Amendment(seen: row)
      amendment.attachments = row.attachments.filter { $0 != attachment }
      done = "Removed \(attachment.name) from \(row.place)."
      return [.amend(row.id, amendment)]
    }
    try ledger.answer(recorded, done)
  }
}

/// `daybook attachments tidy`: deletes files that no transaction has.
struct AttachmentsTidyCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "tidy", abstract: "Delete files that aren't attached to any transaction.",
    discussion: """
      This can't be undone. If you undo a change afterwards, a transaction can have an attachment \
      whose file is gone.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Flag(help: "Show what would be deleted, without deleting anything.")
  var dryRun = false

  func execute() async throws {
    let folder = ledger.attachments
    let kept = try await ledger.withLedger { opened in
      try opened.read { try $0.transactionsWithAttachments() }
    }
    let deleted = try folder.removeAll(except: kept.flatMap(\.attachments), dryRun: dryRun)
    try ledger.answer(
      JSONAnswer(["files": deleted]),
      deleted.isEmpty
        ? "Nothing to delete."
        : "\(dryRun ? "Would delete" : "Deleted") \(Figures.counted(deleted.count, "file")).")
  }
}
