public import Entities

/// An entry with its place in the log.
public struct PlacedEntry: Hashable, Sendable {
  /// Its place: gap-free from 1.
  public var position: UInt64
  /// When the relay took it, in microseconds since 1970; it never goes back.
  public var received: Int64
  /// The entry.
  public var entry: SealedEntry

  /// An entry with its place.
  public init(position: UInt64, received: Int64, entry: SealedEntry) {
    self.position = position
    self.received = received
    self.entry = entry
  }
}

/// The end of a log: its head, the link there, and the time of the last entry.
public struct LogEnd: Hashable, Sendable, Codable {
  /// The position of the last entry; 0 where there is none.
  public var position: UInt64
  /// The chain's link there.
  public var link: Hash256
  /// When the relay took the last entry, in microseconds since 1970.
  public var received: Int64

  /// An end.
  public init(position: UInt64, link: Hash256, received: Int64) {
    self.position = position
    self.link = link
    self.received = received
  }

  /// The end of a ledger's log in which nothing is yet: SHA-256("daybook log", ledger).
  public init(startOf ledger: EntityID) {
    var writer = ByteWriter(reserving: 32)
    writer.raw("daybook log".utf8)
    writer.id(ledger)
    self.init(position: 0, link: Hash256(hashing: writer.bytes), received: 0)
  }

  /// The end behind one more entry.
  ///
  /// link = SHA-256(link before, position, replica, push number, received, digest)
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
