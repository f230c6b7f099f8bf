/// How a relay was caught.
public enum ProofFault: Error, Hashable, Sendable {
  /// An entry is missing, repeated, or out of its order.
  case gap(expected: UInt64, found: UInt64)
  /// An entry was received before the one before it.
  case timeGoesBack(position: UInt64)
  /// An entry of a replica is missing, repeated, or out of its order.
  case numberGap(position: UInt64, replica: UInt64, expected: UInt64, found: UInt64)
  /// A device had seen more than there was, or less than everybody has.
  case invalidBase(position: UInt64, base: UInt64)
  /// The relay's link is not that of the entries it gave: something was changed on its way.
  case wrongLink(position: UInt64)
  /// The relay's log ends before what was seen of it: it was rolled back, or restored from a copy;
  /// or it gave entries behind the head that it states.
  case rolledBack(seen: UInt64, head: UInt64)
  /// The relay says that the log goes on to `head`, and gives nothing behind `position`.
  case withheld(position: UInt64, head: UInt64)
  /// The relay's floor is not the one that the log has set.
  case wrongFloor(expected: UInt64, found: UInt64)
  /// A device saw another log up to here than we did: the relay showed two of them.
  case forked(position: UInt64, replica: UInt64)
}
