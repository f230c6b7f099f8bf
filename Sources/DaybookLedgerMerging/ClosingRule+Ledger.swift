import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

extension ClosingRule {
  /// The rule for closing the period up to a day.
  ///
  /// It protects the days, accounts, categories and amounts of transactions, and the opening
  /// balances of accounts. Texts and tags can always be changed.
  static let ledger = ClosingRule(
    DaybookMerging.EntityKey(.settings, LedgerSettings.id),
    EntityKind.settings.register(of: "closedThrough"),
    extent: { bytes in
      let settings = try? LedgerSettings(
        record: Record(bytes: bytes), id: LedgerSettings.id, number: 0)
      return settings?.closedThrough.map { Int64($0.rawValue) } ?? .min
    },
    kinds: [
      .transaction: Part(
        registers: PostingParts.figures.union(
          ["day", "valueDay"].map { EntityKind.transaction.register(of: $0) }),
        isWhole: true,
        closed: { id, record, extent in
          guard let row = try? Transaction(record: record, id: id, number: 0) else { return nil }
          return row.closedFigures(through: extent)
        }),
      .account: Part(
        registers: [EntityKind.account.register(of: "openingBalance")], isWhole: false,
        closed: { id, record, extent in
          guard let account = try? Account(record: record, id: id, number: 0) else { return nil }
          return account.closedOpening(through: extent)
        }),
    ])
}

extension Transaction {
  /// The days that count on the transaction's accounts, followed by its postings without their
  /// notes; `nil` if none of the days is closed.
  fileprivate func closedFigures(through extent: Int64) -> [UInt8]? {
    let arrival = arrivalDay ?? day
    guard Int64(min(day, arrival).rawValue) <= extent else { return nil }
    var writer = ByteWriter(reserving: 16 + 32 * postings.count)
    writer.zigzag(Int64(day.rawValue))
    writer.zigzag(Int64(arrival.rawValue))
    for posting in postings {
      let (code, id) = posting.account.coded
      writer.u8(code.rawValue)
      writer.id(id)
      writer.zigzag(posting.amount.minorUnits)
      writer.currency(posting.amount.currency)
    }
    return writer.bytes
  }
}

extension Account {
  /// Returns the account's opening balance and its day, if the day is closed.
  fileprivate func closedOpening(through extent: Int64) -> [UInt8]? {
    guard opening.minorUnits != 0, openingDay.map({ Int64($0.rawValue) <= extent }) ?? true,
      extent > .min
    else { return nil }
    var writer = ByteWriter(reserving: 20)
    writer.zigzag(opening.minorUnits)
    writer.zigzag(openingDay.map { Int64($0.rawValue) } ?? .min)
    return writer.bytes
  }
}
