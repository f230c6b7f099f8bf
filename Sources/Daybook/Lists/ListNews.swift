internal import DaybookEngine
import DaybookEntities
import DaybookProjections

/// The effect of commits on a list.
struct ListNews {
  /// Whether reading the loaded part again would return the same rows.
  var isUntouched: Bool
  /// The change in the number of rows of the whole list.
  var countChange: Int
}

extension Snapshot {
  /// Returns how part of a list has changed since it was read.
  ///
  /// - Returns: `nil` if the changes can't be determined.
  func news(
    of part: ListPart, _ filter: TransactionFilter, _ selection: Selection
  ) throws -> ListNews? {
    try news(since: part.token, of: part, filter, selection)
  }

  /// Returns how a list, and optionally part of it, has changed since a commit.
  ///
  /// - Returns: `nil` if the changes can't be determined.
  /// - Complexity: O(changes since the commit), at most ``LedgerLimits/listChangeCountMax``.
  func news(
    since token: Token, of part: ListPart?, _ filter: TransactionFilter, _ selection: Selection
  ) throws -> ListNews? {
    var news = ListNews(isUntouched: true, countChange: 0)
    if token == self.token { return news }
    guard let changes = try transactionChanges(since: token, filter) else { return nil }
    var ofAccounts: Selection?
    if !filter.accounts.isEmpty {
      ofAccounts = try Selection(accounts: filter.accounts, in: view)
    }
    for entity in changes {
      let before = try entity.before.flatMap { try place($0, selection) }
      let after = try entity.after.flatMap { try place($0, selection) }
      news.countChange += (after == nil ? 0 : 1) - (before == nil ? 0 : 1)
      guard let part, news.isUntouched else { continue }
      if part.isTouched(before, after) { news.isUntouched = false }
      if let ofAccounts, let newest = part.rows.first?.day {
        // Balances are sums from the account's oldest transaction on, including transactions that
        // the filter excludes.
        for record in [entity.before, entity.after] {
          if let record, try firstDay(record, of: ofAccounts).map({ $0 <= newest }) ?? false {
            news.isUntouched = false
          }
        }
      }
    }
    return news
  }

  /// Returns the transactions that have changed since a commit.
  ///
  /// - Returns: `nil` if these can't be determined, or if a change of another kind affects the
  ///   contents of the list.
  func transactionChanges(
    since token: Token, _ filter: TransactionFilter
  ) throws -> [ChangesSince.Entity]? {
    let changes = try view.changes(
      since: token, of: .transaction, countMax: LedgerLimits.listChangeCountMax)
    guard let changes else { return nil }
    if !filter.accounts.isEmpty, changes.kinds.contains(.account) { return nil }
    // A text search also searches the names of categories.
    if !filter.categories.isEmpty || filter.text != nil, changes.kinds.contains(.category) {
      return nil
    }
    return changes.entities
  }

  /// Returns the day on which the selection's list shows a record, or `nil` if the selection doesn't include the record.
  func place(_ record: Record, _ selection: Selection) throws -> Day? {
    let bytes = record.bytes
    let day = try selection.day(of: bytes.span.bytes)
    if let days = selection.days, !days.contains(day) { return nil }
    return try selection.accepts(bytes.span.bytes) ? day : nil
  }

  /// Returns the earliest day on which a record counts on any account, or `nil` if the selection
  /// doesn't include the record.
  private func firstDay(_ record: Record, of selection: Selection) throws -> Day? {
    let bytes = record.bytes
    guard try selection.accepts(bytes.span.bytes) else { return nil }
    let figures = try TransactionFigures(bytes.span.bytes)
    return min(figures.day, try figures.arrival(in: bytes.span.bytes)?.day ?? figures.day)
  }
}

extension ListPart {
  /// Returns whether the change of a row affects this part.
  ///
  /// The row may have been added, removed, or moved between days.
  fileprivate func isTouched(_ before: Day?, _ after: Day?) -> Bool {
    guard let newest = rows.first?.day, let oldest = rows.last?.day else {
      return before != nil || after != nil
    }
    // If there are no further rows at an end, the part extends to the end of all days.
    let upper = hasNewer ? newest : Day(rawValue: .max)
    let lower = hasOlder ? oldest : Day(rawValue: .min)
    // Changes outside the part don't matter, because each read checks for further rows.
    return [before, after].contains { $0.map { (lower...upper).contains($0) } ?? false }
  }
}
