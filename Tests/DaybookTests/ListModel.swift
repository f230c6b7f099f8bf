/// Goal: what a pager or window shows is compared with what it should show. Method: a naive model of what
/// the writer itself has kept, which looks at every transaction and posting for each question, with no
/// ledger, index, key or page; and a list that is told of differences only, as a table view is.
import Daybook
import Testing

/// All that a writer has kept, and lists made of it the slow way.
struct ListModel {
  let transactions: [Transaction]
  let accounts: [ListKept.Account]
  let categories: [ListKept.Category]

  init(_ kept: ListKept) {
    (transactions, accounts, categories) = (kept.transactions, kept.accounts, kept.categories)
  }

  /// A list, newest day first, then newest recorded first.
  func list(_ filter: TransactionFilter) -> [Transaction] {
    transactions.filter { isListed($0, filter) }
      .sorted { key($0, filter) > key($1, filter) }
  }

  /// Where a list has a transaction: of one account, the second of a transfer, at its value day.
  func key(_ transaction: Transaction, _ filter: TransactionFilter) -> TransactionPosition {
    TransactionPosition(
      day: day(transaction, filter.account), number: transaction.number)
  }

  private func day(_ transaction: Transaction, _ account: AccountID?) -> Day {
    let own = transaction.postings.compactMap(\.accountID).filter { !$0.isBuiltin }
    guard let account, own.count > 1, own[0] != account, own.contains(account) else {
      return transaction.day
    }
    return transaction.valueDay ?? transaction.day
  }

  private func isListed(_ transaction: Transaction, _ filter: TransactionFilter) -> Bool {
    let postings = transaction.postings
    if let account = filter.account,
      !postings.contains(where: { $0.account == .account(account) })
    {
      return false
    }
    if filter.category != nil, !postings.contains(where: { isIn($0.account, filter) }) {
      return false
    }
    if let type = filter.type, transaction.type != type { return false }
    if let currency = filter.currency,
      !postings.contains(where: { $0.amount.currency == currency && !isEquity($0.account) })
    {
      return false
    }
    if let days = filter.days, !days.contains(day(transaction, filter.account)) { return false }
    if let text = filter.text?.lowercased() {
      var texts = [transaction.description, transaction.payee, transaction.note] + transaction.tags
      for posting in postings {
        texts += categories.filter { posting.account == .category($0.id) }.map(\.name)
      }
      if !texts.contains(where: { $0.lowercased().contains(text) }) { return false }
    }
    return true
  }

  private func isEquity(_ place: PostingAccount) -> Bool {
    if case .account(let account) = place { return account.isBuiltin }
    return false
  }

  private func isIn(_ place: PostingAccount, _ filter: TransactionFilter) -> Bool {
    guard case .category(let start) = place, let wanted = filter.category else { return false }
    var category: CategoryID? = start
    while let current = category {
      if current == wanted { return true }
      guard filter.includesSubcategories else { return false }
      category = categories.first { $0.id == current }?.parent
    }
    return false
  }

  /// The days of a list with their counts and sums.
  func summaries(_ list: [Transaction], _ filter: TransactionFilter) -> [Day: DaySection] {
    Dictionary(grouping: list) { day($0, filter.account) }.mapValues { rows in
      var sums: [Currency: Int128] = [:]
      for posting in rows.flatMap(\.postings) {
        if let currency = filter.currency, posting.amount.currency != currency { continue }
        var units = Int128(posting.amount.minorUnits)
        switch posting.account {
        case .account(let account): if account != filter.account { continue }
        case .category:
          if filter.account != nil { continue }
          if filter.category == nil {
            units = -units
          } else if !isIn(posting.account, filter) {
            continue
          }
        }
        sums[posting.amount.currency, default: 0] += units
      }
      let totals = sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        .map { Total(units: $0.value, currency: $0.key) }
      return DaySection(day: day(rows[0], filter.account), count: rows.count, sums: totals)
    }
  }

  /// What an account held right after a transaction.
  func balance(_ account: AccountID, after row: Transaction) -> Total? {
    guard let found = accounts.first(where: { $0.id == account }) else { return nil }
    var units: Int128 = 0
    if found.openingDay.map({ $0 <= day(row, account) }) ?? true { units += Int128(found.opening) }
    let filter = TransactionFilter(account: account)
    for transaction in transactions where key(transaction, filter) <= key(row, filter) {
      for posting in transaction.postings where posting.account == .account(account) {
        units += Int128(posting.amount.minorUnits)
      }
    }
    return Total(units: units, currency: found.currency)
  }

  /// Sections of some rows of a list, as a pager should show them.
  func sections(
    _ rows: some Sequence<Transaction>, of list: [Transaction], _ filter: TransactionFilter
  ) -> [TransactionSection] {
    let summaries = summaries(list, filter)
    var sections: [TransactionSection] = []
    for transaction in rows {
      let balance = filter.account.flatMap { self.balance($0, after: transaction) }
      let day = day(transaction, filter.account)
      let row = TransactionRow(transaction: transaction, day: day, balance: balance)
      if sections.last?.day == day {
        sections[sections.count - 1].rows.append(row)
      } else if let summary = summaries[day] {
        sections.append(TransactionSection(summary: summary, rows: [row]))
      }
    }
    return sections
  }
}

extension TransactionSection {
  /// The section without the fingerprints of imported rows and without whether amounts were
  /// converted, which a model does not compute.
  var compared: TransactionSection {
    var compared = self
    for index in rows.indices {
      compared.rows[index].transaction.importIdentity?.original = nil
      compared.rows[index].transaction.isConverted = false
    }
    return compared
  }
}

/// A list that hears of differences only.
struct ToldList {
  private(set) var sections: [TransactionSection] = []

  /// Does what a batch update of a table view does: takes out what goes in places of the old list, then
  /// puts in what comes in places of the new one.
  mutating func apply(_ difference: TransactionListDifference, from new: [TransactionSection]) {
    let old = sections
    var gone = Set(difference.removedRows)
    var carried: [TransactionListDifference.Place: TransactionRow] = [:]
    for move in difference.movedRows {
      gone.insert(move.from)
      carried[move.to] = old[move.from.section].rows[move.from.row]
    }
    var kept: [TransactionSection] = []
    for section in old.indices where !difference.removedSections.contains(section) {
      var staying = old[section]
      staying.rows = []
      for (row, value) in old[section].rows.enumerated() {
        let place = TransactionListDifference.Place(section: section, row: row)
        if !gone.contains(place) { staying.rows.append(value) }
      }
      kept.append(staying)
    }
    for section in difference.insertedSections { kept.insert(new[section], at: section) }
    for place in difference.insertedRows { carried[place] = new[place.section].rows[place.row] }
    for (place, row) in carried.sorted(by: { $0.key < $1.key }) {
      kept[place.section].rows.insert(row, at: place.row)
    }
    for place in difference.updatedRows {
      kept[place.section].rows[place.row] = new[place.section].rows[place.row]
    }
    for section in difference.updatedSections { kept[section].summary = new[section].summary }
    sections = kept
  }
}
