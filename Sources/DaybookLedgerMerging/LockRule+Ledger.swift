import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

extension KindRules.Lock {
  /// The lock of a reconciled transaction, which protects its status, day, accounts and amounts;
  /// its category and texts can be changed.
  ///
  /// For a split, the lock also protects the lines, because a line consists of a category and its
  /// amount.
  static let reconciled = KindRules.Lock(
    EntityKind.transaction.register(of: "status"),
    locks: { bytes in
      Record(bytes: bytes)[Tag.Transaction.status] == [Status.reconciled.rawValue]
    },
    forbids: { register, from, to in
      switch register {
      case EntityKind.transaction.register(of: "status"),
        EntityKind.transaction.register(of: "day"):
        true
      case PostingParts.category, PostingParts.otherAccount:
        // A category may be replaced by another category; a category and an account can't replace
        // each other.
        register == PostingParts.otherAccount || from.isEmpty || to.isEmpty
      case PostingParts.whole: PostingParts.locked(from) != PostingParts.locked(to)
      case let register where register >= PostingParts.firstLine:
        SplitRow.line(from)?.line.units != SplitRow.line(to)?.line.units
      default: PostingParts.figures.contains(register)
      }
    })
}

extension PostingParts {
  /// Returns the parts of postings that a lock protects: accounts and amounts, without categories
  /// and notes.
  fileprivate static func locked(_ bytes: [UInt8]) -> [UInt8]? {
    guard let packed = Record(bytes: bytes)[Tag.Transaction.postings],
      let postings = try? PostingsCoding.apart(packed)
    else { return nil }
    var writer = ByteWriter(reserving: 32 * postings.count)
    for posting in postings {
      if case .account = posting.account {
        writer.id(posting.account.coded.id)
      } else {
        writer.u8(0)
      }
      writer.zigzag(posting.amount.minorUnits)
      writer.currency(posting.amount.currency)
    }
    return writer.bytes
  }
}
