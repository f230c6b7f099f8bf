import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

extension AccessPath {
  /// A condition of a selection for which there are lists.
  enum Condition {
    case accounts
    case categories
    case type
    case currency
    case typeAndCurrency
  }

  /// Chooses the path to the rows of a selection.
  ///
  /// With one condition, the path consists of the condition's lists. With several conditions, it
  /// consists of the lists of the condition with the fewest rows. Lists of other conditions are
  /// added if skipping through them is faster than reading and testing the rows.
  static func choose(
    for selection: Selection, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> AccessPath {
    var path = try chooseLists(for: selection, handle, view)
    path.moved = selection.moved
    return path
  }

  private static func chooseLists(
    for selection: Selection, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> AccessPath {
    let conditions = conditions(of: selection)
    if conditions.count > 1 { return try joined(conditions, selection, handle, view) }
    guard let only = conditions.first else {
      var path = AccessPath.all
      path.test = selection
      return path
    }
    var path = try lists(of: only, selection, handle, view)
    path.test = selection.without(only)
    return path
  }

  // Returns the conditions that have lists.
  private static func conditions(of selection: Selection) -> [Condition] {
    var conditions: [Condition] = []
    // Built-in accounts have no lists.
    if let accounts = selection.accounts, accounts.allSatisfy({ $0.number > 3 }) {
      conditions.append(.accounts)
    }
    if selection.categories != nil { conditions.append(.categories) }
    switch (selection.type, selection.currency) {
    case (.some, .some): conditions.append(.typeAndCurrency)
    case (.some, nil): conditions.append(.type)
    case (nil, .some): conditions.append(.currency)
    case (nil, nil): break
    }
    return conditions
  }

  // Returns the path that consists of the lists of one condition.
  private static func lists(
    of condition: Condition, _ selection: Selection, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> AccessPath {
    switch condition {
    case .accounts:
      if let keys = selection.accounts { return accounts(keys) }
    case .categories:
      if let keys = selection.categories { return categories(keys) }
    case .type:
      if let type = selection.type { return try self.type(type, handle, view) }
    case .currency:
      if let currency = selection.currency { return self.currency(currency) }
    case .typeAndCurrency:
      if let type = selection.type, let currency = selection.currency {
        return self.type(type, currency)
      }
    }
    return .all
  }

  /// Returns the path of the condition with the fewest rows.
  ///
  /// Other conditions' lists are added if that is faster than testing the rows.
  private static func joined(
    _ conditions: [Condition], _ selection: Selection, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> AccessPath {
    let counted = try conditions.map {
      let path = try lists(of: $0, selection, handle, view)
      let count = try RowCounter(path, handle).estimate(selection.days, view)
      return (condition: $0, path: path, count: count)
    }.sorted { $0.count < $1.count }
    let all = try RowCounter(.all, handle).estimate(selection.days, view)
    var joined = counted[0].path
    joined.test = selection.without(counted[0].condition)
    for other in counted.dropFirst() {
      // Nearly all transactions of an account are in the account's currency, so a currency's list
      // would exclude almost none of them.
      if other.condition == .currency, selection.accounts != nil { continue }
      let work = Work(count: other.count, beside: counted[0].count, of: all)
      for lists in other.path.kinds where work.isLess(leapingThrough: lists.prefixes.count) {
        joined.kinds.append(lists)
        joined.test = joined.test.without(other.condition)
      }
    }
    return joined
  }

  /// Estimates the cost of skipping through further lists in parallel with a shorter one.
  ///
  /// The costs are rough estimates in nanoseconds; only their ratios matter.
  private struct Work {
    /// The number of rows in the lists.
    let count: Int
    /// The number of rows in the shorter list.
    let shortest: Int
    /// The total number of rows.
    let all: Int

    private static let move = 20
    private static let step = 15
    private static let seek = 200
    private static let row = 300

    init(count: Int, beside shortest: Int, of all: Int) {
      self.count = count
      self.shortest = max(shortest, 1)
      self.all = max(all, 1)
    }

    /// Returns whether skipping through the lists is cheaper than reading and testing the rows that
    /// they exclude.
    func isLess(leapingThrough listCount: Int) -> Bool {
      let near = count / max(shortest * listCount, 1)
      let leap = listCount * min(Work.move + Work.step * near, Work.seek)
      let left = Double(min(count, all)) / Double(all)
      return Double(leap) < (1 - left) * Double(Work.row)
    }
  }

  // MARK: Lists

  // A transfer is in the lists of both of its accounts, and is counted for both.
  private static func accounts(_ keys: [Selection.Key]) -> AccessPath {
    AccessPath(
      kinds: [
        KeyLists(
          table: Transactions.byAccount, prefixes: keys.map { IndexKey.number($0.number) })
      ],
      buckets: keys.map { .account($0) }, countsRepeatedly: keys.count != 1)
  }

  private static func categories(_ keys: [Selection.Key]) -> AccessPath {
    let prefixes = keys.map { IndexKey.number($0.number) }
    return AccessPath(
      kinds: [KeyLists(table: Transactions.byCategory, prefixes: prefixes)],
      categories: keys.map { $0.number }, splits: prefixes.count > 1 ? prefixes : [])
  }

  private static func type(_ type: TransactionType, _ currency: Currency) -> AccessPath {
    path([(type, currency)], countsOnce: false)
  }

  private static func currency(_ currency: Currency) -> AccessPath {
    path(TransactionType.allCases.map { ($0, currency) }, countsOnce: false)
  }

  // A row is in the list of each of its currencies, but in the list of only one type.
  private static func path(
    _ lists: [(type: TransactionType, currency: Currency)], countsOnce: Bool
  ) -> AccessPath {
    AccessPath(
      kinds: [
        KeyLists(
          table: Transactions.byType, prefixes: lists.map { IndexKey.type($0.type, $0.currency) })
      ],
      buckets: lists.map { .type($0.type, $0.currency, countsOnce: countsOnce) })
  }

  // A type has a list for each currency. The buckets show which currencies have rows.
  static func type(
    _ type: TransactionType, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> AccessPath {
    var lists: [(type: TransactionType, currency: Currency)] = []
    let from = BucketKey.inCurrencies(type)
    var cursors = try view.rowCursors(.transaction, reversed: false)
    let cursor = try cursors.open(
      handle[Transactions.buckets], from: from, to: from.afterPrefix ?? from)
    var key = cursors.key(cursor)
    while let found = key {
      var reader = ByteReader(found)
      _ = try reader.skip(from.count)
      let currency = try reader.keyCurrency()
      lists.append((type, currency))
      guard let next = BucketKey.type(type, currency).afterPrefix else { break }
      key = try cursors.leap(cursor, to: next)
    }
    return path(lists, countsOnce: true)
  }
}
