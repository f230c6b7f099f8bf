import DaybookProjections

/// A part of a list, as of one commit.
struct ListPart: Sendable {
  /// The list's filter.
  var filter: TransactionFilter
  /// The commit as of which the part was read.
  var token: Token
  /// The accounts and categories that totals left out.
  var exclusions: Exclusions?
  /// The rows, newest first.
  var rows: [TransactionRow] = []
  /// The days of the rows, each with the count and sums of all its matching transactions.
  var summaries: [DaySection] = []
  /// Whether the list has newer rows than these.
  var hasNewer = false
  /// Whether the list has older rows than these.
  var hasOlder = false
  /// The number of rows of the whole list as of some commit, or `nil` if they haven't been counted.
  var count: ListCount?
}

/// The number of rows of a list, and the commit at which they were counted.
struct ListCount: Sendable {
  var value: Int
  var token: Token
}

/// A request for part of a list, around a place.
struct ListRequest: Sendable {
  /// The list's filter.
  var filter: TransactionFilter
  /// The place: older rows are below it, and all other rows above it; `nil` for the top.
  var below: RowKey?
  /// The number of rows to load above the place.
  var newerCount: Int
  /// The number of rows to load below the place.
  var olderCount: Int
  /// A part of the same list that was loaded before; its valid rows are reused.
  var known: ListPart?

  /// Reads the part from a snapshot.
  ///
  /// - Complexity: O(rows), or less if ``known`` is set.
  func answer(_ snapshot: borrowing Snapshot) throws -> ListPart {
    var selection = try snapshot.selection(filter, isSummed: true)
    selection.isCancelled = { Task.isCancelled }
    if let known, known.exclusions != selection.exclusions {
      var whole = self
      whole.known = nil
      return try whole.answer(snapshot)
    }
    let news = try known.map { try snapshot.news(of: $0, filter, selection) }
    var part = ListPart(filter: filter, token: snapshot.token)
    part.exclusions = selection.exclusions
    part.count = try count(news ?? nil, selection, snapshot)
    var kept: ListPart?
    if let known, let news, news?.isUntouched ?? false, holds(known) { kept = known }
    try readOlder(&part, kept, selection, snapshot)
    try readNewer(&part, kept, selection, snapshot)
    part.summaries = try summaries(part, kept, selection, snapshot)
    try snapshot.addBalances(&part.rows, of: filter.accounts)
    return part
  }

  /// Returns whether the place is within the part that was loaded before.
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
    // Counting again would read every row, so the previous count is adjusted by the changes since
    // then.
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
      // Reading one additional row shows whether there are more.
      let limit = olderCount + 1 - rows.count
      let after = rows.last.map { RowKey($0.key) } ?? below
      rows += try Transactions.page(selection, after: after, limit: limit, in: snapshot.view)
        .map { TransactionRow($0, in: filter) }
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
        .map { TransactionRow($0, in: filter) } + rows
    }
    part.hasNewer = rows.count > newerCount
    part.rows = Array(rows.suffix(newerCount)) + part.rows
  }

  private func summaries(
    _ part: ListPart, _ kept: ListPart?, _ selection: Selection, _ snapshot: borrowing Snapshot
  ) throws -> [DaySection] {
    let known = Dictionary(
      (kept?.summaries ?? []).map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
    let oldest = part.rows.last?.day
    let newest = part.rows.first?.day
    return try part.rows.slicedByDay.map { day, rows in
      if let summary = known[day] { return summary }
      // At either end of the loaded rows, the day can have further rows.
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
  /// Counts a list's rows one by one; stops if the task is cancelled.
  func counted(_ filter: TransactionFilter) throws -> ListCount {
    var selection = try selection(filter)
    selection.isCancelled = { Task.isCancelled }
    return ListCount(value: try Transactions.count(selection, in: view), token: token)
  }

  /// Adds the balance of the list's accounts to each row that doesn't have one yet.
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
