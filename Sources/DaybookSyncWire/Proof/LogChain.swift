public import DaybookEntities

/// Checks that the entries from a relay belong to one consistent log, reading them in order.
///
/// The links above the floor are kept, to compare them with the links that other devices saw.
public struct LogChain: Hashable, Sendable {
  /// The reader's position, link and time.
  public private(set) var end: LogEnd
  /// The floor, according to the entries read so far.
  public private(set) var floor: UInt64
  /// Each replica's last push number.
  public private(set) var numbers: [UInt64: UInt64]
  /// The links from `linksStart` to the reader's position, one for each position.
  private var links: [Hash256]
  private var linksStart: UInt64

  /// Creates a reader at the start of a ledger's log.
  public init(ledger: EntityID) { self.init(from: LogEnd(startOf: ledger)) }

  /// Creates a reader that continues from a known end, such as that of a snapshot.
  ///
  /// - Parameters:
  ///   - end: The known end of the log.
  ///   - floor: The floor at the known end.
  ///   - numbers: Each replica's last push number.
  public init(from end: LogEnd, floor: UInt64 = 0, numbers: [UInt64: UInt64] = [:]) {
    self.end = end
    self.floor = floor
    self.numbers = numbers
    links = [end.link]
    linksStart = end.position
  }

  /// Returns the link at a position between the floor and the reader's position, or `nil` at any
  /// other position.
  public func link(at position: UInt64) -> Hash256? {
    position >= max(linksStart, floor) && position <= end.position
      ? links[Int(position - linksStart)] : nil
  }

  /// Checks the next entry and advances.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``ProofFault``, without advancing.
  public mutating func append(_ placed: PlacedEntry) throws(ProofFault) {
    var step = Step(end: end, floor: floor)
    try step.take(placed, after: numbers)
    take(step)
  }

  /// Checks a page, including its link and floor, and advances.
  ///
  /// - Complexity: O(*n*) for the *n* entries of the page, regardless of the log's length.
  /// - Throws: ``ProofFault``, without advancing.
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
    // Entries between the end of the page and the head may raise the floor further.
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
    // Links below the floor are removed only once they are half of all links, so that each link is
    // moved once on average.
    let gone = floor > linksStart ? min(Int(floor - linksStart), links.count) : 0
    if gone * 2 >= links.count {
      links.removeFirst(gone)
      linksStart += UInt64(gone)
    }
  }

  /// Compares a link that another device saw with this reader's link.
  ///
  /// - Returns: Whether the links could be compared; `false` if the position is below the floor or
  ///   beyond the reader's position.
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

/// The effect of several entries on a chain, which is applied only if all of the entries are valid.
private struct Step {
  var end: LogEnd
  var floor: UInt64
  var links: [Hash256] = []
  var numbers: [UInt64: UInt64] = [:]

  init(end: LogEnd, floor: UInt64) {
    self.end = end
    self.floor = floor
  }

  /// Checks the next entry and adds it to the step.
  ///
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
