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
  public var link: WireHash
  /// When the relay took the last entry, in microseconds since 1970.
  public var received: Int64

  /// An end.
  public init(position: UInt64, link: WireHash, received: Int64) {
    self.position = position
    self.link = link
    self.received = received
  }

  /// The end of a ledger's log in which nothing is yet: SHA-256("daybook log", ledger).
  public init(startOf ledger: EntityID) {
    var writer = ByteWriter(reserving: 32)
    writer.raw("daybook log".utf8)
    writer.id(ledger)
    self.init(position: 0, link: WireHash(hashing: writer.bytes), received: 0)
  }

  /// The end behind one more entry.
  ///
  /// link = SHA-256(link before, position, replica, push number, received, digest)
  public func appending(
    replica: UInt64, number: UInt64, received: Int64, digest: WireHash
  ) -> LogEnd {
    var writer = ByteWriter(reserving: 96)
    writer.hash(link)
    writer.u64be(position + 1)
    writer.u64be(replica)
    writer.u64be(number)
    writer.i64be(received)
    writer.hash(digest)
    return LogEnd(
      position: position + 1, link: WireHash(hashing: writer.bytes), received: received)
  }
}

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
  /// The relay's log ends before what was seen of it: it was rolled back, or restored from a copy.
  case rolledBack(seen: UInt64, head: UInt64)
  /// A device saw another log up to here than we did: the relay showed two of them.
  case forked(position: UInt64, replica: UInt64)
}

/// Checks that a relay's log is one log, for a reader who goes through it in order.
///
/// It remembers the links above the floor, so that what other devices say they saw can be compared.
public struct LogChain: Hashable, Sendable {
  /// Where the reader is.
  public private(set) var end: LogEnd
  /// The floor that the log has set.
  public private(set) var floor: UInt64
  /// Each replica's last push number.
  public private(set) var numbers: [UInt64: UInt64]
  private var links: [UInt64: WireHash]

  /// A reader at the start of a ledger's log.
  public init(ledger: EntityID) { self.init(from: LogEnd(startOf: ledger)) }

  /// A reader that goes on from what is known, as from a snapshot or a pairing.
  ///
  /// - Parameter numbers: Each replica's last push number.
  public init(from end: LogEnd, floor: UInt64 = 0, numbers: [UInt64: UInt64] = [:]) {
    self.end = end
    self.floor = floor
    self.numbers = numbers
    links = [end.position: end.link]
  }

  /// The link at a position between the floor and where the reader is.
  public func link(at position: UInt64) -> WireHash? { links[position] }

  /// Goes over the next entry.
  ///
  /// - Throws: ``ProofFault``; the reader stays where it is.
  public mutating func append(_ placed: PlacedEntry) throws(ProofFault) {
    let header = placed.entry.header
    guard end.position < .max, placed.position == end.position + 1 else {
      throw .gap(expected: end.position &+ 1, found: placed.position)
    }
    guard placed.received >= end.received else { throw .timeGoesBack(position: placed.position) }
    let number = (numbers[header.replica] ?? 0) &+ 1
    guard header.number == number else {
      throw .numberGap(
        position: placed.position, replica: header.replica, expected: number,
        found: header.number)
    }
    guard header.base < placed.position, header.base >= floor else {
      throw .invalidBase(position: placed.position, base: header.base)
    }
    end = end.appending(
      replica: header.replica, number: header.number, received: placed.received,
      digest: placed.entry.digest)
    numbers[header.replica] = number
    links[end.position] = end.link
    if header.kind == .floor, header.floor > floor {
      floor = header.floor
      links = links.filter { $0.key >= floor }
    }
  }

  /// Goes over a page, and compares its end.
  ///
  /// - Throws: ``ProofFault``; the reader stays where it is.
  public mutating func append(_ page: PullPage) throws(ProofFault) {
    guard page.head >= end.position else {
      throw .rolledBack(seen: end.position, head: page.head)
    }
    var next = self
    for placed in page.entries { try next.append(placed) }
    guard next.end.link == page.link else { throw .wrongLink(position: next.end.position) }
    self = next
  }

  /// Compares what a device says it saw with what this reader saw.
  ///
  /// - Returns: Whether it could be compared: not below the floor.
  /// - Throws: ``ProofFault/forked(position:replica:)``.
  @discardableResult
  public func compare(
    _ link: WireHash, at position: UInt64, by replica: UInt64
  ) throws(ProofFault) -> Bool {
    guard let seen = links[position] else { return false }
    guard seen == link else { throw .forked(position: position, replica: replica) }
    return true
  }
}
