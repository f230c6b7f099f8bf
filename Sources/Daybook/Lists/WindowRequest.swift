internal import Projecting
import Transactions

/// All transactions of some days, as of one commit.
struct WindowPart: Sendable {
  /// Which of them.
  var filter: TransactionFilter
  /// The days.
  var days: Range<Day>
  /// As of which commit.
  var token: Token
  /// The rows, newest first.
  var rows: [TransactionRow] = []
  /// The days that have rows, with their counts and sums.
  var summaries: [DaySection] = []
}

/// Asks for all transactions of some days.
struct WindowRequest: Sendable {
  /// Which of them; its days are those of the window.
  var filter: TransactionFilter
  /// The days.
  var days: Range<Day>
  /// What is known already, to be corrected.
  var known: WindowPart?

  /// The transactions as of a snapshot.
  ///
  /// - Throws: ``DaybookError`` with `limitExceeded` for more than ``LedgerLimits/windowRowCountMax``.
  /// - Complexity: O(rows of the window) where nothing is known, and else O(changes and days that came
  ///   in) besides a walk through the rows in memory.
  func answer(_ snapshot: borrowing Snapshot) throws -> WindowPart {
    var filter = filter
    filter.days = days
    var selection = try snapshot.selection(filter)
    selection.isCancelled = { Task.isCancelled }
    var part = WindowPart(filter: self.filter, days: days, token: snapshot.token)
    if let known, known.filter == self.filter, known.days.overlaps(days),
      let changes = try snapshot.transactionChanges(since: known.token, filter)
    {
      try correct(known, by: changes, selection, &part, snapshot)
    } else {
      part.rows = try read(days, selection, snapshot)
      part.summaries = try part.rows.slicedByDay.map { day, rows in
        DaySection(try DaySums(of: rows.lazy.map(\.transaction), on: day, selection))
      }
    }
    guard part.rows.count <= LedgerLimits.windowRowCountMax else {
      throw DaybookError(
        code: .limitExceeded,
        message: "The window from \(days.lowerBound) on has more than "
          + "\(LedgerLimits.windowRowCountMax) transactions.",
        remedy: "Make it shorter, or show the list with a pager.")
    }
    return part
  }

  private func read(
    _ days: Range<Day>, _ selection: Selection, _ snapshot: borrowing Snapshot
  ) throws -> [TransactionRow] {
    if days.isEmpty { return [] }
    return try Transactions.page(
      selection.limited(to: days), limit: LedgerLimits.windowRowCountMax + 1, in: snapshot.view
    ).map { TransactionRow(transaction: $0) }
  }

  private func correct(
    _ known: WindowPart, by changes: [ChangesSince.Entity], _ selection: Selection,
    _ part: inout WindowPart, _ snapshot: borrowing Snapshot
  ) throws {
    // What has changed comes in anew, and so do the days that were not part of the window.
    let kept = known.days.clamped(to: days)
    let changed = Set(changes.map { TransactionID($0.id) })
    var touched: Set<Day> = []
    part.rows = known.rows.filter { row in
      guard kept.contains(row.transaction.day) else { return false }
      guard changed.contains(row.id) else { return true }
      touched.insert(row.transaction.day)
      return false
    }
    var fresh: [TransactionRow] = []
    for change in changes {
      guard let record = change.after, let day = try snapshot.place(record, selection),
        kept.contains(day)
      else { continue }
      touched.insert(day)
      let transaction = try Transaction(record: record, id: change.id, number: change.number)
      fresh.append(TransactionRow(transaction: transaction))
    }
    part.rows.merge(fresh)
    let newer = try read(kept.upperBound..<days.upperBound, selection, snapshot)
    let older = try read(days.lowerBound..<kept.lowerBound, selection, snapshot)
    part.rows = newer + part.rows + older
    let summaries = Dictionary(
      known.summaries.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
    part.summaries = try part.rows.slicedByDay.map { day, rows in
      if let summary = summaries[day], !touched.contains(day) { return summary }
      return DaySection(try DaySums(of: rows.lazy.map(\.transaction), on: day, selection))
    }
  }
}

extension [TransactionRow] {
  /// Takes further rows in where they belong.
  ///
  /// - Complexity: O(rows + further rows × log further rows).
  fileprivate mutating func merge(_ further: [TransactionRow]) {
    if further.isEmpty { return }
    var merged: [TransactionRow] = []
    merged.reserveCapacity(count + further.count)
    var rest = self[...]
    for row in further.sorted(by: { $0.key > $1.key }) {
      let end = rest.firstIndex { $0.key < row.key } ?? rest.endIndex
      merged += rest[..<end]
      merged.append(row)
      rest = rest[end...]
    }
    self = merged + rest
  }
}
