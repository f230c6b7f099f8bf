/// Items that need a person: transactions without a category, due payments, and contradictions.
public struct Inbox: Hashable, Sendable, Codable {
  /// Transactions without a category, newest first, with suggestions.
  public var uncategorized: InboxSection<UncategorizedTransaction>
  /// Payments that are due by today but not recorded, in order of their days.
  public var due: InboxSection<UpcomingPayment>
  /// Transactions that have been pending for more than ``LedgerLimits/pendingDayCount`` days,
  /// newest first.
  public var pending: InboxSection<Transaction>
  /// Pairs of the last ``LedgerLimits/inboxDayCount`` days that may be duplicates, newest first.
  public var duplicates: InboxSection<DuplicatePair>
  /// Pairs of the last ``LedgerLimits/inboxDayCount`` days that may be transfers, newest first.
  public var transfers: InboxSection<TransferPair>
  /// Stated balances that don't agree with the ledger, in the order in which they were recorded.
  public var assertions: InboxSection<AssertionCheck>

  /// Creates an inbox.
  public init(
    uncategorized: InboxSection<UncategorizedTransaction>, due: InboxSection<UpcomingPayment>,
    pending: InboxSection<Transaction>, duplicates: InboxSection<DuplicatePair>,
    transfers: InboxSection<TransferPair>, assertions: InboxSection<AssertionCheck>
  ) {
    self.uncategorized = uncategorized
    self.due = due
    self.pending = pending
    self.duplicates = duplicates
    self.transfers = transfers
    self.assertions = assertions
  }

  /// The number of entries in all sections.
  public var count: Int {
    uncategorized.count + due.count + pending.count + duplicates.count + transfers.count
      + assertions.count
  }
}

/// The entries of one kind in an ``Inbox``.
public struct InboxSection<Entry: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  /// The number of entries.
  public var count: Int
  /// Whether there are more entries than were counted.
  public var hasMore: Bool
  /// The first entries.
  public var entries: [Entry]

  /// Creates a section.
  public init(count: Int, hasMore: Bool = false, entries: [Entry]) {
    self.count = count
    self.hasMore = hasMore
    self.entries = entries
  }

  /// Creates a section from all its entries.
  fileprivate init(_ all: [Entry], showing limit: Int, countMax: Int = .max) {
    self.init(
      count: min(all.count, countMax), hasMore: all.count > countMax,
      entries: Array(all.prefix(min(limit, countMax))))
  }
}

extension Snapshot {
  /// Returns the items that need a person, with the first entries of each section.
  ///
  /// Findings of a synchronised ledger aren't part of a snapshot; see `ledger.sync`.
  ///
  /// - Parameters:
  ///   - today: The current day.
  ///   - limit: The maximum number of entries in each section, from 0 to
  ///     ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the limit is out of range.
  /// - Complexity: That of ``suggestions(_:after:limit:)``, ``upcoming(through:today:account:)`` and
  ///   ``assertionChecks()``, plus O(rows of the last ``LedgerLimits/inboxDayCount`` days). The search
  ///   index finds pending transactions; without it, all rows are read.
  public func inbox(today: Day, limit: Int) throws -> Inbox {
    let rows = try suggestions(limit: limit)
    let (count, hasMore) = try uncategorizedCount(upTo: Snapshot.inboxCountMax)
    let due = try upcoming(through: today, today: today).filter(\.isOverdue)
    let waiting = TransactionFilter(
      days: Day(rawValue: .min)..<today.adding(days: -LedgerLimits.pendingDayCount),
      status: .pending)
    let pending = try self.count(waiting, upTo: Snapshot.inboxCountMax)
    let recent = today.adding(days: 1 - LedgerLimits.inboxDayCount)..<today.adding(days: 1)
    let pairMax = Snapshot.inboxPairCountMax
    return Inbox(
      uncategorized: InboxSection(count: count, hasMore: hasMore, entries: rows),
      due: InboxSection(due, showing: limit),
      pending: InboxSection(
        count: pending.count, hasMore: pending.hasMore,
        entries: try transactions(waiting, limit: min(limit, pending.count))),
      duplicates: InboxSection(
        try pairs(.duplicates, in: recent) { try duplicates(in: recent, limit: pairMax + 1) },
        showing: limit, countMax: pairMax),
      transfers: InboxSection(
        try pairs(.transfers, in: recent) { try transferPairs(in: recent, limit: pairMax + 1) },
        showing: limit, countMax: pairMax),
      assertions: InboxSection(try assertionChecks().filter { !$0.holds }, showing: limit))
  }

  /// Returns the cached pairs whose later transactions are on some days.
  private func pairs<Pair: Sendable>(
    _ subject: FigureCache.Key.Subject, in days: Range<Day>, _ find: () throws -> [Pair]
  ) throws -> [Pair] {
    // The earlier transaction of a pair can be up to five days before.
    let first = days.lowerBound.adding(days: -5)
    let key = FigureCache.Key(subject: subject, days: first..<days.upperBound, base: nil)
    return try cache.figures.figure(key, in: self, find)
  }

  /// The maximum number of transactions that are counted one by one.
  private static let inboxCountMax = 1_000
  /// The maximum number of pairs in a section.
  private static let inboxPairCountMax = 100
}
