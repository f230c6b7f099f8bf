// Goal: answers to compare the projections' queries with.
// Method: everything is recomputed from the plain list of current transactions and accounts, posting
// by posting, with none of the engine's tables.

import DaybookBookkeeping
import DaybookEntities

/// Which transactions a test asks for.
struct Question: CustomStringConvertible {
  var account: AccountID?
  var categories: [CategoryID]?
  var type: TransactionType?
  var currency: Currency?
  var days: Range<Day>?
  var text: String?

  var description: String {
    "account \(account as Any) categories \(categories as Any) type \(type as Any) currency"
      + " \(currency as Any) days \(days as Any) text \(text as Any)"
  }
}

struct NaiveSection: Equatable {
  var day: Day
  var count: Int
  var sums: [Currency: Int128]
}

extension World {
  private func touches(_ posting: Posting) -> Bool {
    if case .account(let id) = posting.account { return !id.isBuiltin }
    return true
  }

  func isSelected(_ transaction: Transaction, _ question: Question) -> Bool {
    let postings = transaction.postings
    if let account = question.account,
      !postings.contains(where: { $0.account == .account(account) })
    {
      return false
    }
    if let categories = question.categories,
      !postings.contains(where: { posting in
        categories.contains { posting.account == .category($0) }
      })
    {
      return false
    }
    if let type = question.type, transaction.type != type { return false }
    if let currency = question.currency,
      !postings.contains(where: { touches($0) && $0.amount.currency == currency })
    {
      return false
    }
    if let days = question.days, !days.contains(transaction.day) { return false }
    if let text = question.text, !transaction.description.contains(text) { return false }
    return true
  }

  func list(_ question: Question) -> [Transaction] {
    transactions.filter { isSelected($0, question) }
      .sorted { $0.day != $1.day ? $0.day > $1.day : $0.number > $1.number }
  }

  func sections(_ question: Question) -> [NaiveSection] {
    var sections: [NaiveSection] = []
    for transaction in list(question) {
      if sections.last?.day != transaction.day {
        sections.append(NaiveSection(day: transaction.day, count: 0, sums: [:]))
      }
      let position = sections.count - 1
      sections[position].count += 1
      for posting in transaction.postings {
        let currency = posting.amount.currency
        if let only = question.currency, only != currency { continue }
        var units = Int128(posting.amount.minorUnits)
        switch posting.account {
        case .account(let id):
          guard id == question.account else { continue }
        case .category(let id):
          if question.account != nil { continue }
          if let categories = question.categories {
            guard categories.contains(id) else { continue }
          } else {
            units = -units
          }
        }
        sections[position].sums[currency, default: 0] += units
      }
    }
    for position in sections.indices {
      sections[position].sums = sections[position].sums.filter { $0.value != 0 }
    }
    return sections
  }

  func balance(of account: Account, on day: Day) -> Int128 {
    var balance: Int128 = 0
    if account.openingDay.map({ $0 <= day }) ?? true { balance += Int128(account.openingBalance) }
    for transaction in transactions where transaction.day <= day {
      for posting in transaction.postings where posting.account == .account(account.id) {
        balance += Int128(posting.amount.minorUnits)
      }
    }
    return balance
  }

  func flow(of account: Account, in range: Range<Day>) -> (Int128, Int128, Int) {
    var flow: (Int128, Int128, Int) = (0, 0, 0)
    for transaction in transactions where range.contains(transaction.day) {
      var isTouched = false
      for posting in transaction.postings where posting.account == .account(account.id) {
        isTouched = true
        let units = Int128(posting.amount.minorUnits)
        if units > 0 { flow.0 += units } else { flow.1 -= units }
      }
      flow.2 += isTouched ? 1 : 0
    }
    return flow
  }

  func kind(of category: CategoryID) -> CategoryKind {
    if category == .uncategorizedIncome { return .income }
    return categories.first { $0.id == category }?.kind ?? .expense
  }

  func number(of category: CategoryID) -> UInt32 {
    if category.isBuiltin { return UInt32(category.rawValue.low) }
    return UInt32(categories.first { $0.id == category }?.number ?? 0)
  }

  /// Income, expense, transfers and count by currency.
  func totals(in range: Range<Day>) -> [Currency: [Int128]] {
    var totals: [Currency: [Int128]] = [:]
    for transaction in transactions where range.contains(transaction.day) {
      var touched: Set<Currency> = []
      for posting in transaction.postings {
        let units = Int128(posting.amount.minorUnits)
        let currency = posting.amount.currency
        switch posting.account {
        case .category(let id):
          touched.insert(currency)
          if kind(of: id) == .income {
            totals[currency, default: [0, 0, 0, 0]][0] -= units
          } else {
            totals[currency, default: [0, 0, 0, 0]][1] += units
          }
        case .account(let id):
          if transaction.type == .transfer, !id.isBuiltin, units < 0 {
            touched.insert(currency)
            totals[currency, default: [0, 0, 0, 0]][2] -= units
          }
        }
      }
      for currency in touched where transaction.type != .transfer {
        var nets: [AccountID: Int128] = [:]
        for posting in transaction.postings where posting.amount.currency == currency {
          guard case .account(let id) = posting.account, !id.isBuiltin else { continue }
          nets[id, default: 0] += Int128(posting.amount.minorUnits)
        }
        let gained = nets.values.filter { $0 > 0 }.reduce(0, +)
        let lost = -nets.values.filter { $0 < 0 }.reduce(0, +)
        totals[currency, default: [0, 0, 0, 0]][2] += min(gained, lost)
      }
      for currency in touched { totals[currency, default: [0, 0, 0, 0]][3] += 1 }
    }
    return totals
  }

  /// In, out and count by category number and currency; each category's own, or rolled up.
  func breakdown(
    in range: Range<Day>, rollingUp: Bool
  ) -> [UInt32: [Currency: [Int128]]] {
    var totals: [UInt32: [Currency: [Int128]]] = [:]
    for transaction in transactions where range.contains(transaction.day) {
      var touched: Set<[UInt64]> = []
      for posting in transaction.postings {
        guard case .category(let id) = posting.account else { continue }
        var chain: [CategoryID] = [id]
        while rollingUp, let last = chain.last,
          let parent = categories.first(where: { $0.id == last })?.parent
        {
          chain.append(parent)
        }
        let units = Int128(posting.amount.minorUnits)
        let currency = posting.amount.currency
        for category in chain {
          let number = number(of: category)
          var sums = totals[number]?[currency] ?? [0, 0, 0]
          sums[units > 0 ? 0 : 1] += units > 0 ? units : -units
          if touched.insert([UInt64(number), currency.packed]).inserted { sums[2] += 1 }
          totals[number, default: [:]][currency] = sums
        }
      }
    }
    return totals
  }

  func quote(_ base: Currency, _ quoted: Currency, on day: Day) -> DatedQuote? {
    rates.filter { $0.base == base && $0.quoted == quoted && $0.day <= day }
      .max { $0.day < $1.day }.map { DatedQuote(day: $0.day, quote: $0.quote) }
  }
}
