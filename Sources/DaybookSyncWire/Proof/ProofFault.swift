/// An inconsistency in a relay's log.
public enum ProofFault: Error, Hashable, Sendable {
  /// An entry is missing, repeated, or out of order.
  case gap(expected: UInt64, found: UInt64)
  /// An entry was received before the entry that precedes it.
  case timeGoesBack(position: UInt64)
  /// A replica's entry is missing, repeated, or out of order.
  case numberGap(position: UInt64, replica: UInt64, expected: UInt64, found: UInt64)
  /// A base isn't below its entry's position, or lies below the floor.
  case invalidBase(position: UInt64, base: UInt64)
  /// The relay's link differs from the link computed from the returned entries: the page was
  /// changed in transit.
  case wrongLink(position: UInt64)
  /// The relay's log ends before a position that was already seen, or before entries that the relay
  /// returned.
  ///
  /// The log was rolled back, or restored from a copy.
  case rolledBack(seen: UInt64, head: UInt64)
  /// The relay reports that the log extends to `head`, but returns no entries after `position`.
  case withheld(position: UInt64, head: UInt64)
  /// The relay's floor differs from the floor in the log.
  case wrongFloor(expected: UInt64, found: UInt64)
  /// Another device saw a different log up to this position: the relay showed two different logs.
  case forked(position: UInt64, replica: UInt64)
}

extension ProofFault: CustomStringConvertible {
  /// The finding about the relay's log or response, as a clause.
  public var description: String {
    switch self {
    case .gap(let expected, let found):
      "the relay returned entry \(found) where entry \(expected) should be, so entries are missing, "
        + "repeated or out of order"
    case .timeGoesBack(let position):
      "entry \(position) was received before the entry that precedes it, so a time was changed or "
        + "entries are out of order"
    case .numberGap(let position, _, let expected, let found):
      "entry \(position) is number \(found) of its device, but number \(expected) should be next, so "
        + "entries of that device are missing, repeated or out of order"
    case .invalidBase(let position, let base):
      "entry \(position) claims to follow entry \(base), which can't be: that entry is not before it, "
        + "or had already been deleted"
    case .wrongLink(let position):
      "up to entry \(position), it isn't the log that this device has seen"
    case .rolledBack(let seen, let head):
      "it ends at entry \(head), but \(seen) entries were seen"
    case .withheld(let position, let head):
      "it has \(head) entries, but the relay returns none after entry \(position)"
    case .wrongFloor(let expected, let found):
      "the relay says that entries up to \(found) may be deleted, but the devices have only agreed on "
        + "\(expected)"
    case .forked(let position, _):
      "another device has seen a different log up to entry \(position)"
    }
  }
}
