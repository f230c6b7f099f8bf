internal import Projecting

/// Two transactions that may be one that was recorded twice.
public struct DuplicatePair: Hashable, Sendable, Codable {
  /// The one that was recorded first.
  public var original: Transaction
  /// The one that was recorded later, and may be too much.
  public var duplicate: Transaction

  /// Two rows that may be one, the older first.
  public init(original: Transaction, duplicate: Transaction) {
    self.original = original
    self.duplicate = duplicate
  }
}

extension Snapshot {
  /// Pairs of transactions that may be one that was recorded twice, newest first.
  ///
  /// Two transactions are such a pair where all of this holds:
  /// - they move the same amount on the same account (one posting of each is to the same account that
  ///   is not built in, with the same sign, minor units and currency), and have the same type;
  /// - their days are at most `distance` apart;
  /// - their texts (payee and description, folded as ``SearchFolding`` says) are alike: one has none,
  ///   or one is part of the other, or at least half of all their different words are in both;
  /// - they are not occurrences of the same series;
  /// - no file says that they are two: they were not both imported with different references, nor both
  ///   imported on the same day with the same texts (an import keeps such rows apart on purpose, and
  ///   does not take them twice).
  ///
  /// Each transaction is paired with the nearest earlier one that fits, so that three alike are two
  /// pairs.
  ///
  /// - Parameters:
  ///   - days: Where the later of the two lies, half-open.
  ///   - distance: How many days apart they may be, from 0 to ``LedgerLimits/duplicateDistanceMax``.
  ///   - limit: How many pairs, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`.
  /// - Complexity: O(rows of the days), without the texts of rows that are like no other.
  public func duplicates(in days: Range<Day>, distance: Int = 3, limit: Int = 100) throws
    -> [DuplicatePair]
  {
    try Snapshot.check(distance, LedgerLimits.duplicateDistanceMax, "The distance of duplicates")
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of duplicates")
    if days.isEmpty || limit == 0 { return [] }
    // Going back in time, the later of two comes first, and waits for those a little earlier.
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
      // No pair that is still to come has a later day than this one.
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
  /// A pair, in whatever order.
  fileprivate init(_ one: Transaction, _ other: Transaction) {
    let isInOrder = one.number < other.number
    self.init(original: isInOrder ? one : other, duplicate: isInOrder ? other : one)
  }

  /// Where the one that stands first in lists is.
  fileprivate var laterKey: TransactionPosition { max(original.key, duplicate.key) }
}

extension Transaction {
  /// Whether nothing but the amounts and days, which were compared, tells that these are two.
  fileprivate func mayBe(_ other: Transaction) -> Bool {
    if let series, series == other.series { return false }
    let mine = words
    let theirs = other.words
    if let identity = importIdentity, let otherIdentity = other.importIdentity {
      let references = [identity.reference, otherIdentity.reference].filter { !$0.isEmpty }
      if references.count == 2, references[0] != references[1] { return false }
      if day == other.day, mine == theirs { return false }
    }
    if mine.isEmpty || theirs.isEmpty { return true }
    if mine.contains(theirs) || theirs.contains(mine) { return true }
    let left = Set(mine.split(separator: 0x20))
    let right = Set(theirs.split(separator: 0x20))
    return left.intersection(right).count * 2 >= left.union(right).count
  }

  private var words: [UInt32] { SearchTerm("\(payee) \(description)").scalars }
}
