/// Goal: reimplement what totals leave out. Method: examine every posting of every transaction.
import Daybook

/// What is excluded from totals.
struct OracleExclusions {
  var accounts: Set<AccountID> = []
  /// The excluded categories and everything below them.
  var categories: Set<CategoryID> = []

  enum Extent { case nothing, part, allParts, whole }

  /// Returns whether a whole transaction is left out.
  func leavesOut(_ row: Transaction) -> Bool { row.isExcludedFromTotals || isElsewhere(row) }

  /// Returns whether a transaction has only excluded accounts.
  func isElsewhere(_ row: Transaction) -> Bool {
    let own = row.postings.filter { !$0.isInEquity }.compactMap(\.accountID)
    return !own.isEmpty && own.allSatisfy { accounts.contains($0) }
  }

  /// Returns the transactions with only those parts that count.
  func counted(_ rows: [Transaction], ignoringCategories: Bool = false) -> [Transaction] {
    rows.filter { !leavesOut($0) }.map { row in
      if ignoringCategories { return row }
      var counted = row
      counted.postings = SharedList(row.postings.filter { !$0.isIn(categories) })
      return counted
    }
  }

  /// Returns how much of a transaction is left out, perhaps looking only at some categories.
  func extent(of row: Transaction, in members: Set<CategoryID>? = nil) -> Extent {
    if leavesOut(row) { return .whole }
    let parts = row.postings.compactMap(\.categoryID).filter { members?.contains($0) ?? true }
    let excluded = parts.filter { categories.contains($0) }
    if excluded.isEmpty { return .nothing }
    return excluded.count == parts.count ? .allParts : .part
  }
}

extension Oracle {
  var exclusions: OracleExclusions {
    var found = OracleExclusions()
    found.accounts = Set(accounts.filter(\.isExcludedFromTotals).map(\.id))
    let roots = Set(categories.filter(\.isExcludedFromTotals).map(\.id))
    if roots.isEmpty { return found }
    found.categories = Set(
      categories.map(\.id).filter { id in ancestors(of: id).contains { roots.contains($0) } })
    return found
  }

  /// Returns whether a filter on what is left out matches a transaction.
  func accepts(_ row: Transaction, isExcluded: Bool?, _ members: Set<CategoryID>?) -> Bool {
    guard let isExcluded else { return true }
    switch exclusions.extent(of: row, in: members) {
    case .nothing: return !isExcluded
    case .part: return true
    case .allParts, .whole: return isExcluded
    }
  }
}
