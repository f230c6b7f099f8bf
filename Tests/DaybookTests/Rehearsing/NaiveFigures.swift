// The oracle of rehearsals: figures added up from all rows, one after the other.
import Daybook

/// Figures as sums over the list of all rows.
struct NaiveFigures {
  /// What a figure is of.
  struct Key: Hashable, Comparable {
    var figure: String
    var subject: String
    var month: String
    var currency: Currency

    static func < (left: Key, right: Key) -> Bool { "\(left)" < "\(right)" }
  }

  /// Figures that come from rows; what is not there is 0.
  private(set) var sums: [Key: Int128] = [:]
  /// Of which accounts there are balances.
  private(set) var accounts: Set<String> = []

  init(_ ledger: Ledger, today: Day) throws {
    try self.init(
      ledger.read { snapshot in
        (
          try snapshot.accounts(), try snapshot.categories(includingDeleted: true),
          try snapshot.transactions(limit: 100_000)
        )
      }, today: today)
  }

  private init(
    _ content: (accounts: [Account], categories: [Daybook.Category], rows: [Transaction]),
    today: Day
  ) {
    let kinds = Dictionary(
      content.categories.map { ($0.id, $0.kind) }
        + [(.uncategorizedExpense, .expense), (.uncategorizedIncome, .income)],
      uniquingKeysWith: { first, _ in first })
    let currencies = Dictionary(
      content.accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for account in content.accounts {
      accounts.insert("\(account.id)")
      add(Int128(account.openingBalance), account, account.openingDay ?? .min, today)
    }
    for row in content.rows {
      for posting in row.postings {
        let units = Int128(posting.amount.minorUnits)
        switch posting.account {
        case .account(let id):
          if let account = currencies[id] { add(units, account, row.day, today) }
        case .category(let id):
          guard row.day <= today, let kind = kinds[id] else { continue }
          let month = "\(row.day.monthOf)"
          let currency = posting.amount.currency
          let signed = kind == .expense ? units : -units
          sums[Key(figure: "\(kind)", subject: "", month: month, currency: currency), default: 0] +=
            signed
          sums[
            Key(figure: "category", subject: "\(id)", month: month, currency: currency), default: 0
          ] += signed
        }
      }
    }
  }

  private mutating func add(_ units: Int128, _ account: Account, _ day: Day, _ today: Day) {
    func add(_ figure: String, _ subject: String) {
      sums[
        Key(figure: figure, subject: subject, month: "", currency: account.currency), default: 0
      ] += units
    }
    add("plannedBalance", "\(account.id)")
    guard day <= today else { return }
    add("balance", "\(account.id)")
    if account.kind != .equity { add("netWorth", "") }
  }

  /// What differs: the key, what was, and what is; of a balance without its account `nil`.
  func changes(to other: NaiveFigures) -> [Key: (Int128?, Int128?)] {
    var found: [Key: (Int128?, Int128?)] = [:]
    for key in Set(sums.keys).union(other.sums.keys) {
      let ofAccount = key.figure.lowercased().hasSuffix("balance")
      let before = ofAccount && !accounts.contains(key.subject) ? nil : sums[key] ?? 0
      let after = ofAccount && !other.accounts.contains(key.subject) ? nil : other.sums[key] ?? 0
      if before != after { found[key] = (before, after) }
    }
    return found
  }
}
