public import Entities

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
  /// The links from `linksStart` to where the reader is, one a position.
  private var links: [Hash256]
  private var linksStart: UInt64

  /// A reader at the start of a ledger's log.
  public init(ledger: EntityID) { self.init(from: LogEnd(startOf: ledger)) }

  /// A reader that goes on from what is known, as from a snapshot or a pairing.
  ///
  /// - Parameters:
  ///   - floor: The floor that the log had set by then.
  ///   - numbers: Each replica's last push number.
  public init(from end: LogEnd, floor: UInt64 = 0, numbers: [UInt64: UInt64] = [:]) {
    self.end = end
    self.floor = floor
    self.numbers = numbers
    links = [end.link]
    linksStart = end.position
  }

  /// The link at a position between the floor and where the reader is.
  public func link(at position: UInt64) -> Hash256? {
    position >= max(linksStart, floor) && position <= end.position
      ? links[Int(position - linksStart)] : nil
  }

  /// Goes over the next entry.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``ProofFault``; the reader stays where it is.
  public mutating func append(_ placed: PlacedEntry) throws(ProofFault) {
    var step = Step(end: end, floor: floor)
    try step.take(placed, after: numbers)
    take(step)
  }

  /// Goes over a page, and compares its end.
  ///
  /// - Complexity: O(*n*) for *n* entries of the page, however long the log is.
  /// - Throws: ``ProofFault``; the reader stays where it is.
  public mutating func append(_ page: PullPage) throws(ProofFault) {
    let last = page.entries.last?.position ?? end.position
    guard page.head >= max(last, end.position) else {
      throw .rolledBack(seen: max(last, end.position), head: page.head)
    }
    guard !page.entries.isEmpty || page.head == end.position else {
      throw .withheld(position: end.position, head: page.head)
    }
    var step = Step(end: end, floor: floor)
    for placed in page.entries { try step.take(placed, after: numbers) }
    guard step.end.link == page.link else { throw .wrongLink(position: step.end.position) }
    // Entries between the page and the head may raise the floor further.
    let isFloor =
      step.end.position == page.head
      ? page.floor == step.floor : page.floor >= step.floor && page.floor <= page.head
    guard isFloor else { throw .wrongFloor(expected: step.floor, found: page.floor) }
    take(step)
  }

  private mutating func take(_ step: Step) {
    end = step.end
    links += step.links
    numbers.merge(step.numbers) { $1 }
    guard step.floor > floor else { return }
    floor = step.floor
    // What lies below the floor goes only when it is half of all: each link is moved once on average.
    let gone = floor > linksStart ? min(Int(floor - linksStart), links.count) : 0
    if gone * 2 >= links.count {
      links.removeFirst(gone)
      linksStart += UInt64(gone)
    }
  }

  /// Compares what a device says it saw with what this reader saw.
  ///
  /// - Returns: Whether it could be compared: not below the floor.
  /// - Throws: ``ProofFault/forked(position:replica:)``.
  @discardableResult
  public func compare(
    _ link: Hash256, at position: UInt64, by replica: UInt64
  ) throws(ProofFault) -> Bool {
    guard let seen = self.link(at: position) else { return false }
    guard seen == link else { throw .forked(position: position, replica: replica) }
    return true
  }
}

/// What entries add to a chain: taken over only when all of them are sound.
private struct Step {
  var end: LogEnd
  var floor: UInt64
  var links: [Hash256] = []
  var numbers: [UInt64: UInt64] = [:]

  init(end: LogEnd, floor: UInt64) {
    self.end = end
    self.floor = floor
  }

  /// - Parameter known: Each replica's last push number before the step.
  mutating func take(
    _ placed: PlacedEntry, after known: [UInt64: UInt64]
  ) throws(ProofFault) {
    let header = placed.entry.header
    guard end.position < .max, placed.position == end.position + 1 else {
      throw .gap(expected: end.position &+ 1, found: placed.position)
    }
    guard placed.received >= end.received else { throw .timeGoesBack(position: placed.position) }
    let number = (numbers[header.replica] ?? known[header.replica] ?? 0) &+ 1
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
    links.append(end.link)
    if header.kind == .floor { floor = max(floor, header.floor) }
  }
}
