import Entities
internal import Projecting
import Transactions

/// What commits did to a list.
struct ListNews {
  /// Whether the part that is held would be read the same again.
  var isUntouched: Bool
  /// How many more rows the whole list has.
  var countChange: Int
}

extension Snapshot {
  /// What happened to a part of a list since it was read.
  ///
  /// - Returns: `nil` where that is not to be told.
  func news(
    of part: ListPart, _ filter: TransactionFilter, _ selection: Selection
  ) throws -> ListNews? {
    try news(since: part.token, of: part, filter, selection)
  }

  /// What happened to a list since a commit, and to a part of it.
  ///
  /// - Returns: `nil` where that is not to be told.
  /// - Complexity: O(changes since), at most ``LedgerLimits/listChangeCountMax``.
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
      if let ofAccounts, let newest = part.rows.first?.transaction.day {
        // Balances add up from the oldest row, whatever else the filter leaves out.
        for record in [entity.before, entity.after] {
          if let record, let day = try place(record, ofAccounts), day <= newest {
            news.isUntouched = false
          }
        }
      }
    }
    return news
  }

  /// The transactions that have changed since a commit.
  ///
  /// - Returns: `nil` where that is not to be told, or something else has changed that decides what is
  ///   in the list.
  func transactionChanges(
    since token: Token, _ filter: TransactionFilter
  ) throws -> [ChangesSince.Entity]? {
    let changes = try view.changes(
      since: token, of: .transaction, countMax: LedgerLimits.listChangeCountMax)
    guard let changes else { return nil }
    if !filter.accounts.isEmpty, changes.kinds.contains(.account) { return nil }
    // A text is looked for in the names of categories, too.
    if !filter.categories.isEmpty || filter.text != nil, changes.kinds.contains(.category) {
      return nil
    }
    return changes.entities
  }

  /// The day of a record that is selected.
  func place(_ record: Record, _ selection: Selection) throws -> Day? {
    let bytes = record.bytes
    let day = try TransactionFigures(bytes.span.bytes).day
    if let days = selection.days, !days.contains(day) { return nil }
    return try selection.accepts(bytes.span.bytes) ? day : nil
  }
}

extension ListPart {
  /// Whether a row that was on one day and is on another now, or is new or gone, makes a difference to
  /// this part.
  fileprivate func isTouched(_ before: Day?, _ after: Day?) -> Bool {
    guard let newest = rows.first?.transaction.day, let oldest = rows.last?.transaction.day else {
      return before != nil || after != nil
    }
    // An end that nothing lies beyond reaches as far as there are days.
    let upper = hasNewer ? newest : Day(rawValue: .max)
    let lower = hasOlder ? oldest : Day(rawValue: .min)
    // Whether there is anything beyond an end is looked up each time.
    return [before, after].contains { $0.map { (lower...upper).contains($0) } ?? false }
  }
}
