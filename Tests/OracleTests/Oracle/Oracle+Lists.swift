/// Goal: lists, counts and day sections, a second time. Method: every transaction is tested.
import Daybook

/// What no query can answer, such as the rows of an account that is not there.
struct Unanswerable: Error {}

extension Oracle {
  /// Newest day first, then newest recorded first.
  func list(_ filter: TransactionFilter) throws -> [Transaction] {
    if let account = filter.account, !account.isBuiltin {
      guard accounts.contains(where: { $0.id == account }) else { throw Unanswerable() }
    }
    let members = try filter.category.map {
      try family($0, withSubcategories: filter.includesSubcategories)
    }
    return transactions.filter { accepts($0, filter, members) }
      .sorted { $0.day != $1.day ? $0.day > $1.day : $0.number > $1.number }
  }

  private func accepts(
    _ transaction: Transaction, _ filter: TransactionFilter, _ members: Set<CategoryID>?
  ) -> Bool {
    if let days = filter.days, !days.contains(transaction.day) { return false }
    if let type = filter.type, transaction.type != type { return false }
    if let account = filter.account, !touches(transaction, .account(account)) { return false }
    if let members, !transaction.postings.contains(where: { $0.isIn(members) }) { return false }
    if let currency = filter.currency {
      // What is built in names a currency only where there is nothing else.
      let own = transaction.postings.filter { !$0.isInEquity }
      let shown = own.isEmpty ? transaction.postings : own
      if !shown.contains(where: { $0.amount.currency == currency }) { return false }
    }
    if let text = filter.text, !text.isEmpty {
      let texts = [transaction.description, transaction.payee, transaction.note]
      let names = transaction.postings.compactMap { posting -> String? in
        if case .category(let id) = posting.target { try? known(id).name } else { nil }
      }
      return (texts + transaction.tags + transaction.postings.map(\.note) + names)
        .contains { holds($0, text) }
    }
    return true
  }

  func sections(_ filter: TransactionFilter) throws -> [DaySection] {
    let members = try filter.category.map {
      try family($0, withSubcategories: filter.includesSubcategories)
    }
    var sections: [DaySection] = []
    for row in try list(filter) {
      if sections.last?.day != row.day {
        sections.append(DaySection(day: row.day, count: 0, sums: []))
      }
      sections[sections.count - 1].count += 1
      for posting in row.postings {
        let currency = posting.amount.currency
        if filter.currency ?? currency != currency { continue }
        var units = Int128(posting.amount.minorUnits)
        if let account = filter.account {
          if posting.target != .account(account) { continue }
        } else if let members {
          if !posting.isIn(members) { continue }
        } else {
          guard case .category = posting.target else { continue }
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

  /// A category alone or with all below it.
  func family(_ id: CategoryID, withSubcategories: Bool) throws -> Set<CategoryID> {
    do { _ = try known(id) } catch { throw Unanswerable() }
    guard withSubcategories else { return [id] }
    return Set([id] + categories.map(\.id).filter { ancestors(of: $0).contains(id) })
  }

  /// A category and those above it.
  func ancestors(of id: CategoryID) -> [CategoryID] {
    var found = [id]
    // A tree with a circle would be a fault; it must be told as a difference, not played for ever.
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
  /// Whether it is on one of the accounts that no total shows.
  var isInEquity: Bool {
    [.account(.opening), .account(.exchange), .account(.outside)].contains(target)
  }

  func isIn(_ categories: Set<CategoryID>) -> Bool {
    if case .category(let id) = target { categories.contains(id) } else { false }
  }
}
