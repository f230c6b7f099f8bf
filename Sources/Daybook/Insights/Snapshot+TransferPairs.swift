internal import DaybookEngine

/// Two transactions that are likely to be the halves of one transfer.
///
/// `Command.linkTransfer` makes one transfer of them.
public struct TransferPair: Hashable, Sendable, Codable {
  /// The transaction that pays.
  public var paying: Transaction
  /// The transaction that receives the same amount on another account.
  public var receiving: Transaction

  /// Creates a pair.
  public init(paying: Transaction, receiving: Transaction) {
    self.paying = paying
    self.receiving = receiving
  }

  /// The command that makes one transfer of the two.
  public var command: Command { .linkTransfer(paying.id, receiving.id) }

  /// The command that tells the two apart, so that they are no longer listed.
  public var distinction: Command { .tellApart(receiving, from: paying) }
}

extension Snapshot {
  /// Returns pairs of transactions that are likely to be the halves of one transfer, newest first.
  ///
  /// Two transactions form a pair if one pays an amount from one account and the other receives the
  /// same amount in the same currency on another account, and their days are at most `distance`
  /// apart. Each transaction is in one pair at most; the nearest days come first. Pending and split
  /// transactions, those of a closed period or with a category, and pairs of which only one
  /// transaction is reconciled are left out, as are pairs that a person has told apart
  /// (``TransactionDetails/distinctFrom``).
  ///
  /// - Parameters:
  ///   - days: The days of the later transaction, half-open.
  ///   - distance: The maximum number of days between the two, from 0 to
  ///     ``LedgerLimits/duplicateDistanceMax``.
  ///   - includesCategorized: Whether transactions with a category are paired too.
  ///   - limit: The maximum number of pairs, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   `distance` or `limit` is out of range.
  /// - Complexity: O(rows of the days + possible pairs); texts are only decoded for the pairs found.
  public func transferPairs(
    in days: Range<Day>, distance: Int = 5, includesCategorized: Bool = false, limit: Int = 100
  ) throws -> [TransferPair] {
    try Snapshot.check(distance, LedgerLimits.duplicateDistanceMax, "The distance of transfers")
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of transfers")
    if days.isEmpty || limit == 0 { return [] }
    var halves = HalvesOfTransfers()
    let closed = try settings().closedThrough
    let first = days.lowerBound.rawValue.subtractingReportingOverflow(Int32(distance))
    let lower = Day(rawValue: first.overflow ? .min : first.partialValue)
    try view.forEachEntity(
      .transaction,
      from: StatePosition(
        cluster: max(lower, closed.map { $0.adding(days: 1) } ?? lower).biased, number: 0),
      to: StatePosition(cluster: days.upperBound.biased, number: 0)
    ) { position, _, record in
      try halves.add(record, position, includesCategorized: includesCategorized)
      return true
    }
    var pairs: [TransferPair] = []
    // Halves that have been told apart can be in other pairs, so these are looked for again.
    var apart: Set<HalvesOfTransfers.Pair> = []
    var isComplete = false
    while !isComplete {
      isComplete = true
      pairs = []
      for pair in halves.pairs(distance: distance, except: apart) {
        guard days.contains(Day(biased: max(pair.paying.cluster, pair.receiving.cluster))),
          let paying = try transaction(at: pair.paying),
          let receiving = try transaction(at: pair.receiving), receiving.series == nil
        else { continue }
        if receiving.isToldApart(from: paying) {
          apart.insert(pair)
          isComplete = false
        } else {
          pairs.append(TransferPair(paying: paying, receiving: receiving))
        }
      }
    }
    let newest = pairs.sorted { $0.laterKey > $1.laterKey }
    return Array(newest.prefix(limit))
  }

  /// Returns the pairs that rows which aren't recorded yet would form, with each other or with
  /// transactions, as for ``transferPairs(in:distance:includesCategorized:limit:)``.
  ///
  /// - Complexity: O(transactions on the days of the rows and near them + possible pairs).
  package func transferPairs(
    of rows: [TransferRow], distance: Int = 5
  ) throws -> [(paying: TransferRow, receiving: TransferRow)] {
    guard let first = rows.map(\.day).min(), let last = rows.map(\.day).max() else { return [] }
    var halves = HalvesOfTransfers()
    let closed = try settings().closedThrough
    let lower = max(
      first.adding(days: -distance), closed.map { $0.adding(days: 1) } ?? Day(rawValue: .min))
    try view.forEachEntity(
      .transaction, from: StatePosition(cluster: lower.biased, number: 0),
      to: StatePosition(cluster: last.adding(days: distance + 1).biased, number: 0)
    ) { position, _, record in
      try halves.add(record, position, includesCategorized: false)
      return true
    }
    for (index, row) in rows.enumerated() {
      halves.add(row, StatePosition(cluster: row.day.biased, number: 1 << 40 + UInt64(index)))
    }
    func row(at position: StatePosition) throws -> TransferRow? {
      if position.number >= 1 << 40 { return rows[Int(position.number - 1 << 40)] }
      return try transaction(at: position).flatMap { row in
        guard let account = row.account, let amount = row.amount else { return nil }
        return TransferRow(day: row.day, account: account, amount: amount)
      }
    }
    let found = halves.pairs(distance: distance)
      .filter { max($0.paying.number, $0.receiving.number) >= 1 << 40 }
      .sorted { $0.paying < $1.paying }
    return try found.compactMap { pair in
      guard let paying = try row(at: pair.paying), let receiving = try row(at: pair.receiving)
      else { return nil }
      return (paying, receiving)
    }
  }

  private func transaction(at position: StatePosition) throws -> Transaction? {
    try view.withEntity(.transaction, at: position) { id, record in
      try Transaction(record, id: id, number: position.number)
    }
  }
}

/// The change of an account by a row that can be the half of a transfer.
package struct TransferRow {
  package var day: Day
  package var account: AccountID
  package var amount: Money

  package init(day: Day, account: AccountID, amount: Money) {
    self.day = day
    self.account = account
    self.amount = amount
  }
}

/// The transactions that can be halves of transfers, in the order of their days.
private struct HalvesOfTransfers {
  struct Pair: Hashable {
    var paying: StatePosition
    var receiving: StatePosition
  }

  private struct Amount: Hashable {
    var units: Int64
    var currency: Currency
    var isReconciled: Bool
  }

  private struct Half {
    var position: StatePosition
    var account: EntityID
    var isPaying: Bool
    var day: Day { Day(biased: position.cluster) }
  }

  private var byAmount: [Amount: [Half]] = [:]
  private var hasRows = false

  /// Adds a transaction if it can be a half; transactions are added in the order of their days.
  mutating func add(
    _ record: RawSpan, _ position: StatePosition, includesCategorized: Bool
  ) throws {
    let figures = try TransactionFigures(record)
    if figures.type == .transfer || figures.status == .pending { return }
    var half: (account: EntityID, units: Int64, currency: Currency)?
    var categoryCount = 0
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      switch cursor.code {
      case .uncategorizedExpense, .uncategorizedIncome: categoryCount += 1
      case .category:
        if !includesCategorized { return }
        categoryCount += 1
      case .exchange: continue
      case .account where half == nil: half = (cursor.id, cursor.units, cursor.currency)
      default: return
      }
    }
    guard categoryCount == 1, let half, half.units != 0, half.units != .min else { return }
    let amount = Amount(
      units: abs(half.units), currency: half.currency, isReconciled: figures.status == .reconciled)
    byAmount[amount, default: []].append(
      Half(position: position, account: half.account, isPaying: half.units < 0))
  }

  /// Adds a row that isn't recorded yet.
  mutating func add(_ row: TransferRow, _ position: StatePosition) {
    let units = row.amount.minorUnits
    guard units != 0, units != .min else { return }
    let amount = Amount(units: abs(units), currency: row.amount.currency, isReconciled: false)
    byAmount[amount, default: []].append(
      Half(position: position, account: row.account.rawValue, isPaying: units < 0))
    hasRows = true
  }

  /// Returns the pairs, each half once: the nearest days first, then the earliest recorded.
  func pairs(distance: Int, except apart: Set<Pair> = []) -> [Pair] {
    var found: [Pair] = []
    for list in byAmount.values where list.count > 1 {
      let halves = hasRows ? list.sorted { $0.position < $1.position } : list
      var candidates: [(distance: Int, paying: Int, receiving: Int)] = []
      for (place, half) in halves.enumerated() {
        for other in halves.indices.dropFirst(place + 1) {
          let days = half.day.distance(to: halves[other].day)
          if days > distance { break }
          guard half.isPaying != halves[other].isPaying, half.account != halves[other].account
          else { continue }
          candidates.append(
            half.isPaying ? (days, place, other) : (days, other, place))
        }
      }
      var used: Set<Int> = []
      candidates.sort {
        ($0.distance, $0.paying, $0.receiving) < ($1.distance, $1.paying, $1.receiving)
      }
      for one in candidates where !used.contains(one.paying) && !used.contains(one.receiving) {
        let pair = Pair(
          paying: halves[one.paying].position, receiving: halves[one.receiving].position)
        if apart.contains(pair) { continue }
        used.formUnion([one.paying, one.receiving])
        found.append(pair)
      }
    }
    return found
  }
}

extension TransferPair {
  /// The position of the transaction that is first in lists.
  fileprivate var laterKey: TransactionPosition { max(paying.key, receiving.key) }
}
