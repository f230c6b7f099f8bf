import Daybook

/// The sums that a ledger's journal should contain, in minor units.
///
/// The keys are "account commodity" for every account and category. Sums of zero are left out.
struct JournalFigures {
  private(set) var figures: [String: Int128] = [:]
  private(set) var accountCount = 0
  private(set) var categoryCount = 0

  /// Reads the figures of accounts and categories from the ledger's queries.
  ///
  /// The built-in accounts have no public figures, so their postings are summed.
  init(_ ledger: Ledger) throws {
    try ledger.read { snapshot in
      for one in try snapshot.balances(on: Day.max, includingDeleted: true) {
        let top =
          switch one.account.kind {
          case .asset: "Assets"
          case .liability: "Liabilities"
          case .equity: "Equity"
          }
        add(one.balance, to: "\(top):\(Self.part(one.account.name))")
        accountCount += 1
        add(one.account.opening, to: "Equity:Opening", times: -1)
      }
      for kind in CategoryKind.allCases {
        let lines = try snapshot.breakdown(in: Day.min..<Day.max, kind: kind, today: Day.max)
        for line in lines {
          let name = try Self.name(of: line.category, snapshot)
          // Income is negative in a journal.
          for total in line.totals { add(total, to: name, times: kind == .income ? -1 : 1) }
          categoryCount += 1
        }
      }
      try addBuiltins(snapshot)
    }
    figures = figures.filter { $0.value != 0 }
  }

  private mutating func addBuiltins(_ snapshot: borrowing Snapshot) throws {
    let names: [AccountID: String] = [
      .opening: "Equity:Opening", .exchange: "Equity:Exchange", .outside: "Equity:Outside",
    ]
    var key: TransactionPosition?
    while true {
      let page = try snapshot.transactions(.all, after: key, limit: 500)
      guard let last = page.last else { return }
      for posting in page.flatMap(\.postings) {
        guard case .account(let id) = posting.account, let name = names[id] else { continue }
        add(Total(posting.amount), to: name)
      }
      key = last.key
    }
  }

  private mutating func add(_ total: Total, to name: String, times sign: Int128 = 1) {
    figures["\(name) \(total.currency.code)", default: 0] += sign * total.units
  }

  private mutating func add(_ money: Money, to name: String, times sign: Int128 = 1) {
    add(Total(money), to: name, times: sign)
  }

  // MARK: - Names

  private static func name(
    of category: Category, _ snapshot: borrowing Snapshot
  ) throws -> String {
    if [.uncategorizedExpense, .uncategorizedIncome].contains(category.id) {
      return category.kind == .income ? "Income:Uncategorised" : "Expenses:Uncategorised"
    }
    var parts = [part(category.name)]
    var parent = category.parent
    while let id = parent, let above = try snapshot.category(id) {
      parts.append(part(above.name))
      parent = above.parent
    }
    parts.append(category.kind == .income ? "Income" : "Expenses")
    return parts.reversed().joined(separator: ":")
  }

  /// An account's or category's name in a journal, without special characters; see Docs/Export.md.
  private static func part(_ name: String) -> String {
    let plain = name.replacing(":", with: "-").replacing(";", with: ",")
      .replacing("[", with: "(").replacing("]", with: ")").replacing("|", with: "/")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return plain.isEmpty ? "-" : plain
  }
}
