/// Goal: reimplement lists, counts and day sections. Method: test every transaction.
import Daybook

/// The error for queries that can't be answered, such as a query for a missing account.
struct Unanswerable: Error {}

extension Oracle {
  /// Returns the transactions that match a filter, newest day first, then newest recorded first.
  func list(_ filter: TransactionFilter) throws -> [Transaction] {
    for account in filter.accounts where !account.isBuiltin {
      guard accounts.contains(where: { $0.id == account }) else { throw Unanswerable() }
    }
    let members = try members(filter)
    return transactions.filter { accepts($0, filter, members) }
      .sorted {
        let (left, right) = (day(of: $0, in: filter), day(of: $1, in: filter))
        return left != right ? left > right : $0.number > $1.number
      }
  }

  /// Returns the day on which a transaction counts on an account: the value day, if there is one,
  /// on every account after the first.
  func day(of transaction: Transaction, on account: AccountID) -> Day {
    var own: [AccountID] = []
    for posting in transaction.postings where !posting.isInEquity {
      if case .account(let id) = posting.account { own.append(id) }
    }
    guard let valueDay = transaction.valueDay, own.dropFirst().contains(account) else {
      return transaction.day
    }
    return own[0] == account ? transaction.day : valueDay
  }

  /// Returns the day on which a list shows a transaction.
  func day(of transaction: Transaction, in filter: TransactionFilter) -> Day {
    let accounts = Set(filter.accounts)
    guard accounts.count == 1, let account = accounts.first else { return transaction.day }
    return day(of: transaction, on: account)
  }

  /// Returns every day on which a transaction counts on an account or a category.
  func days(of transaction: Transaction) -> Set<Day> {
    var days: Set<Day> = [transaction.day]
    for posting in transaction.postings {
      if case .account(let id) = posting.account { days.insert(day(of: transaction, on: id)) }
    }
    return days
  }

  private func accepts(
    _ transaction: Transaction, _ filter: TransactionFilter, _ members: Set<CategoryID>?
  ) -> Bool {
    if let days = filter.days, !days.contains(day(of: transaction, in: filter)) { return false }
    if let type = filter.type, transaction.type != type { return false }
    if !filter.accounts.isEmpty,
      !filter.accounts.contains(where: { touches(transaction, .account($0)) })
    {
      return false
    }
    if let members, !transaction.postings.contains(where: { $0.isIn(members) }) { return false }
    if let currency = filter.currency {
      // Built-in accounts only determine the currency if there are no other postings.
      let own = transaction.postings.filter { !$0.isInEquity }
      let shown = own.isEmpty ? transaction.postings : own
      if !shown.contains(where: { $0.amount.currency == currency }) { return false }
    }
    if !accepts(transaction, isExcluded: filter.isExcluded, members) { return false }
    if let status = filter.status, transaction.status != status { return false }
    if !filter.amounts.isEmpty {
      let own = transaction.postings.filter { !$0.isInEquity }
      if !own.contains(where: { isIn(filter.amounts, $0.amount) }) { return false }
    }
    if let payee = filter.payee, !searched(payee).isEmpty {
      let isWhole = searched(transaction.payee) == searched(payee)
      if !(filter.matchesWholePayee ? isWhole : holds(transaction.payee, payee)) { return false }
    }
    for tag in filter.tags {
      if !transaction.tags.contains(where: { searched($0) == searched(tag) }) { return false }
    }
    if let text = filter.text, !text.isEmpty {
      let own = transaction.postings.filter { !$0.isInEquity }
      if own.contains(where: { isIn(filter.textAmounts, $0.amount) }) { return true }
      let texts = [transaction.description, transaction.payee, transaction.note]
      let names = transaction.postings.compactMap { posting -> String? in
        if case .category(let id) = posting.account { try? known(id).name } else { nil }
      }
      return (texts + transaction.tags + transaction.postings.map(\.note) + names)
        .contains { holds($0, text) }
    }
    return true
  }

  /// Returns whether an amount is in one of the ranges, with both scaled to the same number of
  /// decimals.
  private func isIn(_ ranges: [AmountRange], _ amount: Money) -> Bool {
    ranges.contains { range in
      if let currency = range.currency, currency != amount.currency { return false }
      var (own, least, most) = (
        Int128(amount.minorUnits), Int128(range.units.lowerBound), Int128(range.units.upperBound)
      )
      for _ in 0..<range.decimals { own *= 10 }
      for _ in 0..<amount.currency.digits { (least, most) = (least * 10, most * 10) }
      return least <= abs(own) && abs(own) <= most
    }
  }

  /// Returns the categories that a filter matches, or `nil` if it matches all categories.
  func members(_ filter: TransactionFilter) throws -> Set<CategoryID>? {
    if filter.categories.isEmpty, !filter.isUncategorized { return nil }
    var members: Set<CategoryID> = []
    if filter.isUncategorized { members = [.uncategorizedExpense, .uncategorizedIncome] }
    for category in filter.categories {
      members.formUnion(
        try family(category, withSubcategories: filter.includesSubcategories))
    }
    return members
  }

  func sections(_ filter: TransactionFilter) throws -> [DaySection] {
    let members = try members(filter)
    let exclusions = exclusions
    var sections: [DaySection] = []
    for row in try list(filter) {
      let day = day(of: row, in: filter)
      if sections.last?.day != day {
        sections.append(DaySection(day: day, count: 0, sums: []))
      }
      sections[sections.count - 1].count += 1
      for posting in row.postings {
        let currency = posting.amount.currency
        if filter.currency ?? currency != currency { continue }
        var units = Int128(posting.amount.minorUnits)
        if isLeftOut(posting, of: row, exclusions) != (filter.isExcluded ?? false) { continue }
        if !filter.accounts.isEmpty {
          if !filter.accounts.contains(where: { posting.account == .account($0) }) { continue }
        } else if let members {
          if !posting.isIn(members) { continue }
        } else {
          guard case .category = posting.account else { continue }
          units = -units
        }
        sections[sections.count - 1].add(units, currency)
      }
    }
    for index in sections.indices {
      sections[index].sums.removeAll { $0.units == 0 }
      sections[index].sums.sort { $0.currency.code < $1.currency.code }
    }
    return sections
  }

  /// Returns a category, including or excluding its descendants.
  func family(_ id: CategoryID, withSubcategories: Bool) throws -> Set<CategoryID> {
    do { _ = try known(id) } catch { throw Unanswerable() }
    guard withSubcategories else { return [id] }
    return Set([id] + categories.map(\.id).filter { ancestors(of: $0).contains(id) })
  }

  /// Returns a category and its ancestors.
  func ancestors(of id: CategoryID) -> [CategoryID] {
    var found = [id]
    // A cycle would be a bug in the engine. Stop eventually, so that the bug is reported as a
    // difference.
    while found.count <= categories.count, let last = found.last,
      let parent = (try? known(last))?.parent
    {
      found.append(parent)
    }
    return found
  }
}

extension DaySection {
  fileprivate mutating func add(_ units: Int128, _ currency: Currency) {
    if let index = sums.firstIndex(where: { $0.currency == currency }) {
      sums[index].units += units
    } else {
      sums.append(Total(units: units, currency: currency))
    }
  }
}

extension Posting {
  /// Whether the posting is on a built-in account that totals ignore.
  var isInEquity: Bool {
    [.account(.opening), .account(.exchange), .account(.outside)].contains(account)
  }

  func isIn(_ categories: Set<CategoryID>) -> Bool {
    if case .category(let id) = account { categories.contains(id) } else { false }
  }
}
