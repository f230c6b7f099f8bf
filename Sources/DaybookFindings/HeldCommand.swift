import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

/// Creates the command that records a deferred change again.
struct HeldCommand {
  let ledger: Ledger
  /// The day on which to record the change, if not the change's own day.
  let day: Day?

  /// Returns the command that applies the change; `nil` if no command is needed.
  func command(_ change: HeldChange) throws -> Command? {
    let id = change.id.key.id
    if change.id.key.kind == .account {
      return try change.after.flatMap { try opening(AccountID(id), $0) }
    }
    let row = TransactionID(id)
    let standing = try ledger.read { try $0.transaction(row) }
    guard let after = try change.after.map({ try Transaction(record: $0, id: id, number: 0) })
    else { return standing.map { .delete($0.id) } }
    guard standing != nil else { return .record(try draft(after)) }
    let before = try change.before.map { try Transaction(record: $0, id: id, number: 0) }
    return .amend(row, Amendment(from: before, to: after, on: day))
  }

  /// Returns the command that sets the deferred opening balance.
  ///
  /// The record may not contain the account's other properties.
  private func opening(_ id: AccountID, _ record: Record) throws -> Command? {
    guard let account = try ledger.read({ try $0.account(id) }) else { return nil }
    var properties: [UInt8: [UInt8]] = [:]
    for (part, isHeld) in [(account.record(), false), (record, true)] {
      var reader = RecordReader(part.bytes.span.bytes)
      while let property = try reader.next() {
        guard Self.openingTags.contains(property.tag) == isHeld else { continue }
        properties[property.tag] = property.value.copied()
      }
    }
    var writer = RecordWriter()
    for (tag, value) in properties.sorted(by: { $0.key < $1.key }) {
      writer.put(tag) { $0.raw(value) }
    }
    let wanted = try Account(record: writer.record, id: id.rawValue, number: 0)
    return .setOpening(id, wanted.opening, day ?? wanted.openingDay)
  }

  private static let openingTags =
    KindDescription.of(.account)?.properties.filter { $0.name.hasPrefix("opening") }.map(\.tag)
    ?? []

  /// Returns the draft that records the transaction again under its id, but without the recurring
  /// transaction or rule if these were deleted in the meantime.
  private func draft(_ row: Transaction) throws -> Draft {
    var draft = Draft(
      .postings(Array(row.postings)), on: day ?? row.day, id: row.id, details: row.details)
    if draft.status == .reconciled { draft.status = .cleared }
    draft.importIdentity = row.importIdentity
    draft.isConverted = row.isConverted
    try ledger.read { snapshot in
      if let series = row.series, let due = row.occurrence,
        try snapshot.series(series) != nil
          || snapshot.terms().contains(where: { $0.entityID == series.rawValue })
      {
        draft.series = SeriesLink(series, due: due)
      }
      if let rule = row.categorizedBy, try snapshot.rules().contains(where: { $0.id == rule }) {
        draft.categorizedBy = rule
      }
    }
    return draft
  }
}

extension Amendment {
  /// Creates the amendment that turns one transaction into the other.
  fileprivate init(from before: Transaction?, to after: Transaction, on day: Day?) {
    func new<Value: Equatable>(_ property: KeyPath<Transaction, Value>) -> Value? {
      before?[keyPath: property] == after[keyPath: property] ? nil : after[keyPath: property]
    }
    self.init(day: day ?? new(\.day), postings: new(\.postings).map { Array($0) })
    details = DetailsChange(from: before?.details, to: after.details)
    if self.status == .reconciled { self.status = nil }
    isConverted = shape != nil && after.isConverted
    // The new total was already accepted when the change was recorded.
    changesImportedTotal = shape != nil
  }
}
