import Bookkeeping
import Entities
import Merging

extension ClosingRule {
  /// The books are closed through a day.
  ///
  /// Of rows that closes day, accounts, categories and amounts, and of accounts their openings. Texts and tags are always free.
  static let ledger = ClosingRule(
    Merging.EntityKey(.settings, LedgerSettings.id),
    EntityKind.settings.register(of: "closedThrough"),
    extent: { bytes in
      let settings = try? LedgerSettings(
        record: Record(bytes: bytes), id: LedgerSettings.id, number: 0)
      return settings?.closedThrough.map { Int64($0.rawValue) } ?? .min
    },
    kinds: [
      .transaction: Part(
        registers: PostingParts.figures.union([EntityKind.transaction.register(of: "day")]),
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
  /// Its day, and its postings without their notes, where that day is closed.
  fileprivate func closedFigures(through extent: Int64) -> [UInt8]? {
    guard Int64(day.rawValue) <= extent else { return nil }
    var writer = ByteWriter(reserving: 8 + 32 * postings.count)
    writer.zigzag(Int64(day.rawValue))
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
  /// Its opening and the opening's day, where it counts on a closed day.
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
