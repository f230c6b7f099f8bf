import Daybook
import DaybookInterchange

/// The sums of books that were read, in minor units.
///
/// The keys are "account commodity", or "account commodity month", for every account and category
/// by its name in the journal. Sums of zero are left out.
struct BookFigures {
  private(set) var figures: [String: Int128] = [:]

  /// Sums the books.
  ///
  /// - Parameter isMonthly: Whether to sum by month. Keys then end with the month, such as
  ///   `2026-01`.
  init(_ books: Books, isMonthly: Bool = false) {
    var names: [String: String] = [:]
    for account in books.accounts {
      let root =
        switch account.kind {
        case .asset: "Assets"
        case .liability: "Liabilities"
        case .equity: "Equity"
        }
      // An account with several currencies is a single account in the journal.
      let suffix = " (\(account.currency))"
      let name = account.name
      let base = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
      names[name] = base == root || base.hasPrefix("\(root):") ? base : "\(root):\(base)"
    }
    for transaction in books.transactions {
      for posting in transaction.postings {
        let name: String
        switch posting.place {
        case .account(let account): name = names[account] ?? "unknown \(account)"
        case .category(let path, let kind):
          let root = kind == .income ? "Income" : "Expenses"
          name = ([root] + path.names).joined(separator: ":")
        case .opening: name = "Equity:Opening"
        case .outside: name = "Equity:Outside"
        // Journals contain no postings for the difference that prices balance.
        case .exchange: continue
        }
        var key = "\(name) \(posting.amount.currency)"
        if isMonthly { key += " \(transaction.day.description.prefix(7))" }
        figures[key, default: 0] += Int128(posting.amount.minorUnits)
      }
    }
    figures = figures.filter { $0.value != 0 }
  }

  /// Throws at the first figure that differs.
  func compare(_ other: [String: Int128]) throws {
    let other = other.filter { $0.value != 0 }
    for (key, units) in other.sorted(by: { $0.key < $1.key }) {
      try expect(key, figures[key] ?? 0, units)
    }
    for (key, units) in figures.sorted(by: { $0.key < $1.key }) where other[key] == nil {
      throw Wrong("\(key) is \(units), and the program knows of nothing there")
    }
    guard !figures.isEmpty else { throw Wrong("there are no figures: nothing is checked") }
  }
}
