import ProjectionSupport
import Transactions

/// A part of a list, as of one commit.
struct ListPart: Sendable {
  /// Of which list.
  var filter: TransactionFilter
  /// As of which commit it is.
  var token: Token
  /// Its rows, newest first.
  var rows: [TransactionRow] = []
  /// The days of the rows, each with the count and sums of all its rows under the filter.
  var summaries: [DaySection] = []
  /// Whether there are newer rows than these.
  var hasNewer = false
  /// Whether there are older rows than these.
  var hasOlder = false
  /// How many rows the whole list has, as of some commit; `nil` where nobody has counted yet.
  var count: ListCount?
}

/// How many rows a list had.
struct ListCount: Sendable {
  var value: Int
  var token: Token
}

/// Asks for the part of a list around a place.
struct ListRequest: Sendable {
  /// Of which list.
  var filter: TransactionFilter
  /// The place: rows below it are older, the others newer; `nil` for the top.
  var below: RowKey?
  /// How many rows from the place upwards.
  var newerCount: Int
  /// How many rows below the place.
  var olderCount: Int
  /// What is known of the same list already, to be used as far as it still holds.
  var known: ListPart?

  /// The part as of a snapshot.
  ///
  /// - Complexity: O(rows) where nothing is known; less where it is.
  func answer(_ snapshot: borrowing Snapshot) throws -> ListPart {
    var selection = try snapshot.selection(filter)
    selection.isCancelled = { Task.isCancelled }
    let news = try known.map { try snapshot.news(of: $0, filter, selection) }
    var part = ListPart(filter: filter, token: snapshot.token)
    part.count = try count(news ?? nil, selection, snapshot)
    var kept: ListPart?
    if let known, let news, news?.isUntouched ?? false, holds(known) { kept = known }
    try readOlder(&part, kept, selection, snapshot)
    try readNewer(&part, kept, selection, snapshot)
    part.summaries = try summaries(part, kept, selection, snapshot)
    try snapshot.addBalances(&part.rows, of: filter.accounts)
    return part
  }

  /// Whether the place is within what is known.
  private func holds(_ known: ListPart) -> Bool {
    guard let below else { return !known.hasNewer }
    guard let first = known.rows.first, let last = known.rows.last else {
      return !known.hasNewer && !known.hasOlder
    }
    return (!known.hasNewer || below <= RowKey(first.key).successor)
      && (!known.hasOlder || below >= RowKey(last.key))
  }

  private func count(
    _ news: ListNews?, _ selection: Selection, _ snapshot: borrowing Snapshot
  ) throws -> ListCount? {
    if try Transactions.isCounted(selection, in: snapshot.view) {
      let value = try Transactions.count(selection, in: snapshot.view)
      return ListCount(value: value, token: snapshot.token)
    }
    // Counting means looking at every row: what was counted is corrected by what has changed since.
    guard let known, let count = known.count else { return nil }
    let since =
      count.token == known.token
      ? news : try snapshot.news(since: count.token, of: nil, filter, selection)
    return since.map { ListCount(value: count.value + $0.countChange, token: snapshot.token) }
  }

  private func readOlder(
    _ part: inout ListPart, _ kept: ListPart?, _ selection: Selection,
    _ snapshot: borrowing Snapshot
  ) throws {
    var rows = kept?.rows ?? []
    if let below { rows.removeAll { RowKey($0.key) >= below } }
    if rows.count <= olderCount, kept?.hasOlder ?? true {
      // One more than wanted tells whether there are more.
      let limit = olderCount + 1 - rows.count
      let after = rows.last.map { RowKey($0.key) } ?? below
      rows += try Transactions.page(selection, after: after, limit: limit, in: snapshot.view)
        .map { TransactionRow(transaction: $0) }
    }
    part.hasOlder = rows.count > olderCount
    part.rows = Array(rows.prefix(olderCount))
  }

  private func readNewer(
    _ part: inout ListPart, _ kept: ListPart?, _ selection: Selection,
    _ snapshot: borrowing Snapshot
  ) throws {
    guard let below else { return }
    var rows = kept?.rows ?? []
    rows.removeAll { RowKey($0.key) < below }
    if rows.count <= newerCount, kept?.hasNewer ?? true {
      let limit = newerCount + 1 - rows.count
      let from = rows.first.map { RowKey($0.key).successor } ?? below
      rows =
        try Transactions.page(selection, from: from, limit: limit, in: snapshot.view)
        .map { TransactionRow(transaction: $0) } + rows
    }
    part.hasNewer = rows.count > newerCount
    part.rows = Array(rows.suffix(newerCount)) + part.rows
  }

  private func summaries(
    _ part: ListPart, _ kept: ListPart?, _ selection: Selection, _ snapshot: borrowing Snapshot
  ) throws -> [DaySection] {
    let known = Dictionary(
      (kept?.summaries ?? []).map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
    let oldest = part.rows.last?.transaction.day
    let newest = part.rows.first?.transaction.day
    return try part.rows.slicedByDay.map { day, rows in
      if let summary = known[day] { return summary }
      // Of a day at an end of what is held there may be more rows than these.
      if (part.hasOlder && day == oldest) || (part.hasNewer && day == newest) {
        let whole = selection.limited(to: day..<day.adding(days: 1))
        if let sums = try Transactions.sections(whole, limit: 1, in: snapshot.view).first {
          return DaySection(sums)
        }
      }
      return DaySection(try DaySums(of: rows.lazy.map(\.transaction), on: day, selection))
    }
  }
}

extension Snapshot {
  /// How many rows a list has, counted one by one, unless the task is cancelled.
  func counted(_ filter: TransactionFilter) throws -> ListCount {
    var selection = try selection(filter)
    selection.isCancelled = { Task.isCancelled }
    return ListCount(value: try Transactions.count(selection, in: view), token: token)
  }

  /// Adds what the list's accounts held after each row, where that is not known yet.
  func addBalances(_ rows: inout [TransactionRow], of accounts: [AccountID]) throws {
    let missing = rows.indices.filter { rows[$0].balance == nil }
    let keys = missing.map { rows[$0].key }
    guard let balances = try balances(of: accounts, after: keys) else { return }
    for (index, balance) in zip(missing, balances) { rows[index].balance = balance }
  }
}

extension DaySection {
  init(_ sums: DaySums) { self.init(day: sums.day, count: sums.count, sums: sums.sums) }
}

extension RowKey {
  init(_ key: TransactionPosition) { self.init(day: key.day, number: key.number) }
}
