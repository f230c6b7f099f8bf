/// An inconsistency in a relay's log.
public enum ProofFault: Error, Hashable, Sendable {
  /// An entry is missing, repeated, or out of order.
  case gap(expected: UInt64, found: UInt64)
  /// An entry was received before its predecessor.
  case timeGoesBack(position: UInt64)
  /// A replica's entry is missing, repeated, or out of order.
  case numberGap(position: UInt64, replica: UInt64, expected: UInt64, found: UInt64)
  /// A base isn't below its entry's position, or lies below the floor.
  case invalidBase(position: UInt64, base: UInt64)
  /// The relay's link differs from the link of the entries that it returned: the page was changed
  /// in transit.
  case wrongLink(position: UInt64)
  /// The relay's log ends before a position that was already seen, or before entries that it
  /// returned.
  ///
  /// It was rolled back, or restored from a copy.
  case rolledBack(seen: UInt64, head: UInt64)
  /// The relay reports a log up to `head`, but returns nothing after `position`.
  case withheld(position: UInt64, head: UInt64)
  /// The relay's floor differs from the floor in the log.
  case wrongFloor(expected: UInt64, found: UInt64)
  /// Another device saw a different log up to this position: the relay showed two different logs.
  case forked(position: UInt64, replica: UInt64)
}
