internal import DaybookEngine
import DaybookProjections

/// All transactions of a range of days, as of one commit.
struct WindowPart: Sendable {
  /// The filter of the transactions.
  var filter: TransactionFilter
  var days: Range<Day>
  /// The commit as of which the part was read.
  var token: Token
  /// The accounts and categories that totals left out.
  var exclusions: Exclusions?
  /// The rows, newest first.
  var rows: [TransactionRow] = []
  /// The days with rows, each with its count and sums.
  var summaries: [DaySection] = []
}

/// A request for all transactions of a range of days.
struct WindowRequest: Sendable {
  /// The filter of the transactions; its days are replaced by ``days``.
  var filter: TransactionFilter
  var days: Range<Day>
  /// A part that was read before and is to be updated.
  var known: WindowPart?

  /// Reads the transactions from a snapshot.
  ///
  /// - Throws: ``DaybookError`` with `limitExceeded` for more than
  ///   ``LedgerLimits/windowRowCountMax`` rows.
  /// - Complexity: O(rows of the window); if ``known`` is set, O(changes + rows of new days) plus a
  ///   pass over the rows in memory.
  func answer(_ snapshot: borrowing Snapshot) throws -> WindowPart {
    var filter = filter
    filter.days = days
    var selection = try snapshot.selection(filter, isSummed: true)
    selection.isCancelled = { Task.isCancelled }
    var part = WindowPart(filter: self.filter, days: days, token: snapshot.token)
    part.exclusions = selection.exclusions
    if let known, known.exclusions == selection.exclusions, known.filter == self.filter,
      known.days.overlaps(days),
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
        message: "Couldn't load the window: from \(days.lowerBound) on, it has more than "
          + "\(LedgerLimits.windowRowCountMax) transactions.",
        remedy: "Use a shorter window, or show the list with a pager.")
    }
    return part
  }

  private func read(
    _ days: Range<Day>, _ selection: Selection, _ snapshot: borrowing Snapshot
  ) throws -> [TransactionRow] {
    if days.isEmpty { return [] }
    return try Transactions.page(
      selection.limited(to: days), limit: LedgerLimits.windowRowCountMax + 1, in: snapshot.view
    ).map { TransactionRow($0, in: filter) }
  }

  private func correct(
    _ known: WindowPart, by changes: [ChangesSince.Entity], _ selection: Selection,
    _ part: inout WindowPart, _ snapshot: borrowing Snapshot
  ) throws {
    // Read the changed rows again, and the days that are new in the window.
    let kept = known.days.clamped(to: days)
    let changed = Set(changes.map { TransactionID($0.id) })
    var touched: Set<Day> = []
    part.rows = known.rows.filter { row in
      guard kept.contains(row.day) else { return false }
      guard changed.contains(row.id) else { return true }
      touched.insert(row.day)
      return false
    }
    var fresh: [TransactionRow] = []
    for change in changes {
      guard let record = change.after, let day = try snapshot.place(record, selection),
        kept.contains(day)
      else { continue }
      touched.insert(day)
      let transaction = try Transaction(record: record, id: change.id, number: change.number)
      fresh.append(TransactionRow(transaction, in: filter))
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
  /// Merges further rows into the list.
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
