import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal

/// `daybook erase`: erases personal text from every file of the ledger.
struct EraseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Erase personal text from every file.",
    discussion: """
      Erases a transaction's description, payee, note and tags, or the name and note of an account \
      or category, from the journal, history and views, so that no byte of it remains in the \
      ledger's folder. Amounts and days are kept. This can't be undone, and existing backups still \
      contain the text. Other devices of a shared ledger erase it when they sync. The relay's log \
      contains the text, encrypted, until all devices have rewritten their commits; `daybook sync \
      status` shows when that is done.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help:
      "A transaction's place, an account's or category's name, or an id, even of a deleted entity."
  )
  var entity: String

  @Option(help: "The kind of the id, if it can't be determined: transaction, account, …")
  var kind: String?

  @Flag(help: "Erase the text. Without this flag, only show what would be erased.")
  var yes = false

  private struct Wanted: Encodable, Sendable {
    var kind: EntityKind
    var entity: EntityID
  }

  func execute() async throws {
    let (receipt, wanted, title, names, isShared) = try await ledger.withLedger { opened in
      let id = try opened.read { try Lookup.entity(entity, in: $0) }
      let kind = try self.kind.map { try Lookup.kind($0) } ?? Self.kind(of: id, in: opened)
      let title = "\(kind.noun) \(entity)".printable
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
        "Would permanently erase the text of \(title). To erase it, add --yes.")
    }
    try ledger.answer(
      JSONAnswer(receipt),
      "Erased the text of \(title) from \(Figures.counted(receipt.changeCount, "change")) in "
        + "\(Figures.counted(receipt.commitCount, "commit")).")
    if isShared, !ledger.json {
      try Output.remark(
        "The other devices still have the text. Run `daybook sync` here and on each of them.")
    }
  }

  /// Returns the kind of an entity, which is looked up first in the ledger and then in its history.
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
      "Couldn't erase \(id): the history has no entity with this id.",
      remedy: "If its history was purged, add --kind with the kind of entity.")
  }
}
