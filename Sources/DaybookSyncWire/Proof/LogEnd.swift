public import DaybookEntities

/// An entry and its position in the log.
public struct PlacedEntry: Hashable, Sendable {
  /// The position; positions start at 1 and have no gaps.
  public var position: UInt64
  /// When the relay received the entry, in microseconds since 1970; never decreases along the log.
  public var received: Int64
  /// The entry.
  public var entry: SealedEntry

  /// Creates a placed entry.
  public init(position: UInt64, received: Int64, entry: SealedEntry) {
    self.position = position
    self.received = received
    self.entry = entry
  }
}

/// The end of a log: the last position, its link, and the time of the last entry.
public struct LogEnd: Hashable, Sendable, Codable {
  /// The position of the last entry; 0 if there is none.
  public var position: UInt64
  /// The chain's link at ``position``.
  public var link: Hash256
  /// When the relay received the last entry, in microseconds since 1970.
  public var received: Int64

  /// Creates an end.
  public init(position: UInt64, link: Hash256, received: Int64) {
    self.position = position
    self.link = link
    self.received = received
  }

  /// Creates the end of a ledger's empty log: SHA-256("daybook log", ledger).
  public init(startOf ledger: EntityID) {
    var writer = ByteWriter(reserving: 32)
    writer.raw("daybook log".utf8)
    writer.id(ledger)
    self.init(position: 0, link: Hash256(hashing: writer.bytes), received: 0)
  }

  /// Returns the end after one more entry.
  ///
  /// link = SHA-256(previous link, position, replica, push number, received, digest)
  public func appending(
    replica: UInt64, number: UInt64, received: Int64, digest: Hash256
  ) -> LogEnd {
    var writer = ByteWriter(reserving: 96)
    writer.hash(link)
    writer.u64be(position + 1)
    writer.u64be(replica)
    writer.u64be(number)
    writer.i64be(received)
    writer.hash(digest)
    return LogEnd(
      position: position + 1, link: Hash256(hashing: writer.bytes), received: received)
  }
}
