internal import DaybookEngine

/// Two transactions that may be the same one recorded twice.
public struct DuplicatePair: Hashable, Sendable, Codable {
  /// The transaction that was recorded first.
  public var original: Transaction
  /// The transaction that was recorded later and may be the duplicate.
  public var duplicate: Transaction

  /// Creates a pair.
  public init(original: Transaction, duplicate: Transaction) {
    self.original = original
    self.duplicate = duplicate
  }
}

extension DuplicatePair {
  /// The command that tells the two apart, so that they are no longer listed.
  public var distinction: Command { .tellApart(duplicate, from: original) }
}

extension Command {
  /// The command that adds a transaction to those from which another one is distinct.
  static func tellApart(_ one: Transaction, from other: Transaction) -> Command {
    var amendment = Amendment()
    amendment.distinctFrom = one.distinctFrom + [other.id]
    return .amend(one.id, amendment)
  }
}

extension Snapshot {
  /// Returns pairs of transactions that may have been recorded twice, newest first.
  ///
  /// Two transactions form a pair if all of the following conditions hold:
  ///
  /// - They have the same type and move the same amount on the same account: each has a posting to
  ///   the same account that isn't built in, with the same sign, minor units and currency.
  /// - Their days are at most `distance` apart.
  /// - Their texts (payee and description, folded by ``SearchFolding``) are similar: one is empty,
  ///   or one contains the other, or at least half of all their distinct words are in both.
  /// - They are not occurrences of the same recurring transaction, and nobody has told them apart
  ///   (``TransactionDetails/distinctFrom``).
  /// - Their imports don't show that they are different: they were not both imported on the same
  ///   day with different references or the same texts, unless one of them is pending. (An import
  ///   records such rows as separate transactions, and skips rows that it has already recorded.) If
  ///   their references differ, both must have a text.
  ///
  /// Each transaction is paired with the nearest earlier match, so three similar transactions form
  /// two pairs.
  ///
  /// - Parameters:
  ///   - days: The days of the later transaction, half-open.
  ///   - distance: The maximum number of days between the two, from 0 to
  ///     ``LedgerLimits/duplicateDistanceMax``.
  ///   - limit: The maximum number of pairs, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   `distance` or `limit` is out of range.
  /// - Complexity: O(rows of the days); texts are only decoded for rows with a matching amount.
  public func duplicates(in days: Range<Day>, distance: Int = 3, limit: Int = 100) throws
    -> [DuplicatePair]
  {
    try Snapshot.check(distance, LedgerLimits.duplicateDistanceMax, "The distance of duplicates")
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of duplicates")
    if days.isEmpty || limit == 0 { return [] }
    // Rows are read from newest to oldest, so the later row of a pair is read first and then waits
    // for an earlier match.
    var waiting = WaitingRows()
    var pairs: [DuplicatePair] = []
    var last: Day?
    let first = days.lowerBound.rawValue.subtractingReportingOverflow(Int32(distance))
    try view.forEachEntity(
      .transaction,
      from: StatePosition(
        cluster: Day(rawValue: first.overflow ? .min : first.partialValue).biased, number: 0),
      to: StatePosition(cluster: days.upperBound.biased, number: 0), reversed: true
    ) { position, id, record in
      let day = Day(biased: position.cluster)
      // No remaining pair has a later row after `reach`.
      let reach = day.adding(days: distance)
      if let last, reach < last { return false }
      waiting.forget(after: reach)
      let moves = try Move.all(of: record)
      let places = waiting.places(of: moves)
      if !places.isEmpty {
        let earlier = try Transaction(record, id: id, number: position.number)
        for place in places {
          guard let later = try transaction(at: place), earlier.mayBe(later) else { continue }
          waiting.remove(place)
          pairs.append(DuplicatePair(earlier, later))
        }
        if pairs.count >= limit, last == nil { last = pairs.map(\.laterKey.day).min() }
      }
      if day >= days.lowerBound { waiting.add(position, moves) }
      return true
    }
    return Array(pairs.sorted { $0.laterKey > $1.laterKey }.prefix(limit))
  }

  private func transaction(at position: StatePosition) throws -> Transaction? {
    try view.withEntity(.transaction, at: position) { id, record in
      try Transaction(record, id: id, number: position.number)
    }
  }
}

extension DuplicatePair {
  /// Creates a pair from two transactions in either order.
  fileprivate init(_ one: Transaction, _ other: Transaction) {
    let isInOrder = one.number < other.number
    self.init(original: isInOrder ? one : other, duplicate: isInOrder ? other : one)
  }

  /// The position of the transaction that is first in lists.
  fileprivate var laterKey: TransactionPosition { max(original.key, duplicate.key) }
}

extension Transaction {
  /// Returns whether two transactions with matching amounts and days may be the same.
  fileprivate func mayBe(_ other: Transaction) -> Bool {
    if let series, series == other.series { return false }
    if isToldApart(from: other) { return false }
    let mine = words
    let theirs = other.words
    if let identity = importIdentity, let otherIdentity = other.importIdentity {
      let references = [identity.reference, otherIdentity.reference].filter { !$0.isEmpty }
      let differ = references.count == 2 && references[0] != references[1]
      let isBooked = (details.status == .pending) == (other.status == .pending)
      if day == other.day, isBooked, differ || mine.scalars == theirs.scalars { return false }
      if differ, mine.isEmpty || theirs.isEmpty { return false }
    }
    return mine.isSimilar(to: theirs)
  }

  /// Whether a person has said that two transactions are neither duplicates nor one transfer.
  func isToldApart(from other: Transaction) -> Bool {
    details.distinctFrom.contains(other.id) || other.distinctFrom.contains(id)
  }

  private var words: SearchTerm { SearchTerm("\(details.payee) \(details.description)") }
}
