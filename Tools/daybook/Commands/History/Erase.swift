import ArgumentParser
import Daybook
import Syncing

/// `daybook erase`: erases personal text from every file of the ledger.
struct EraseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Take the personal text of something out of every file.",
    discussion: """
      Description, payee, note and tags of a transaction, or the name and note of an account or \
      category: out of journal, history and views, so that no byte of it is left in the ledger's \
      folder. Amounts and days stay. It can't be taken back. Backups keep what they have. Of a shared \
      ledger the other devices do the same when they sync; the relay's log has the text, sealed, until all \
      of them have written again: `daybook sync status` says when that is done.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "A transaction's place, an account's or category's name, or an id, deleted or not.")
  var entity: String

  @Option(help: "What sort of thing an id is of, where that can't be told: transaction, account, …")
  var kind: String?

  @Flag(help: "Do it: without this, only what would be erased is said.")
  var yes = false

  private struct Wanted: Encodable, Sendable {
    var kind: EntityKind
    var entity: EntityID
  }

  func execute() async throws {
    let (receipt, wanted, title, names, isShared) = try await ledger.withLedger { opened in
      let id = try opened.read { try Lookup.entity(entity, in: $0) }
      let kind = try self.kind.map { try Lookup.kind($0) } ?? Self.kind(of: id, in: opened)
      let title = "\(kind.name) \(id)"
      let wanted = Wanted(kind: kind, entity: id)
      let isShared = try await opened.sync.isShared()
      guard yes else {
        return (ErasureReceipt?.none, wanted, title, try ledger.names(in: opened), isShared)
      }
      return (try await opened.erase(kind, id), wanted, title, nil, isShared)
    }
    guard let receipt else {
      return try ledger.answer(
        JSONAnswer(["wouldErase": wanted], names),
        "Would erase the text of \(title) for ever. Run it again with --yes.")
    }
    try ledger.answer(
      JSONAnswer(receipt),
      "Erased the text of \(title): \(Figures.count(receipt.changeCount)) changes in "
        + "\(Figures.count(receipt.commitCount)) commits.")
    if isShared, !ledger.json {
      try Output.remark(
        "Run `daybook sync` here and on the other devices: they have the text until then.")
    }
  }

  /// The kind of an entity, looked up in the ledger and then in its history.
  ///
  /// - Throws: `CommandFailure` if neither contains the entity.
  private static func kind(of id: EntityID, in opened: Ledger) throws -> EntityKind {
    let present = try opened.read { snapshot throws -> EntityKind? in
      if try snapshot.transaction(TransactionID(id)) != nil { return .transaction }
      if try snapshot.account(AccountID(id)) != nil { return .account }
      return try snapshot.category(CategoryID(id)) == nil ? nil : .category
    }
    if let present { return present }
    var filter = HistoryFilter()
    filter.entities = [id]
    var cursor = try opened.history(before: nil, matching: filter).cursor()
    if let change = try cursor.next()?.changes.last { return change.kind }
    throw CommandFailure.notFound(
      "History knows of nothing with the id \(id).",
      remedy: "Say what it is with --kind, if its history has been purged.")
  }
}
