/// The end and floor of a relay's log, and the rules by which it accepts and returns entries.
///
/// Every relay that is written in Swift uses these rules; PostgreSQL functions implement the same
/// rules.
public struct LogBounds: Hashable, Sendable {
  /// The log's end.
  public var end: LogEnd
  /// The log's floor.
  public var floor: UInt64

  /// Creates a log's bounds.
  public init(end: LogEnd, floor: UInt64) {
    self.end = end
    self.floor = floor
  }

  /// Checks the next entry, and moves the end past it.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - last: The last push number of the entry's replica.
  ///   - received: When the relay received the entry, in microseconds since 1970.
  /// - Throws: ``RelayRefusal`` with `gap`, `baseBeyondHead` or `baseBelowFloor`.
  public mutating func append(
    _ entry: SealedEntry, after last: UInt64, received: Int64
  ) throws(RelayRefusal) {
    let header = entry.header
    guard header.number == last + 1 else {
      throw RelayRefusal(
        .gap, "Push number \(header.number) came where \(last + 1) is due.", expected: last + 1)
    }
    guard header.base <= end.position else {
      throw RelayRefusal(
        .baseBeyondHead, "Base \(header.base) is beyond the head \(end.position).",
        expected: end.position)
    }
    guard header.base >= floor else {
      throw RelayRefusal(
        .baseBelowFloor, "Base \(header.base) is below the floor \(floor).", expected: floor)
    }
    end = end.appending(
      replica: header.replica, number: header.number, received: received, digest: entry.digest)
    if header.kind == .floor { floor = max(floor, header.floor) }
  }

  /// Checks that an entry that was pushed again equals the log's entry with the same push number.
  ///
  /// - Parameters:
  ///   - entry: The pushed entry.
  ///   - kept: The entry in the log; `nil` if it was deleted.
  /// - Throws: ``RelayRefusal`` with `trimmed` or `numberReused`.
  public static func check(
    _ entry: SealedEntry, repeats kept: SealedEntry?
  ) throws(RelayRefusal) {
    guard let kept else {
      throw RelayRefusal(
        .trimmed, "Push number \(entry.header.number) is no longer kept: it is below the floor.")
    }
    guard kept.bytes == entry.bytes else {
      throw RelayRefusal(
        .numberReused,
        "Other bytes were pushed under number \(entry.header.number): this replica is a restored copy."
      )
    }
  }

  /// Checks that a log still has all entries after a position.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - head: The position of the last entry.
  ///   - trimmed: The position of the last deleted entry; 0 if no entry has been deleted.
  /// - Throws: ``RelayRefusal`` with `beyondHead` or `trimmed`.
  public static func checkPull(
    after position: UInt64, head: UInt64, trimmed: UInt64
  ) throws(RelayRefusal) {
    guard position <= head else {
      throw RelayRefusal(
        .beyondHead, "Position \(position) is beyond the head \(head).", expected: head)
    }
    guard position >= trimmed else {
      throw RelayRefusal(
        .trimmed, "Entries up to \(trimmed) are gone: start from a snapshot.", expected: trimmed)
    }
  }
}
