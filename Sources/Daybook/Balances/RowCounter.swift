internal import DaybookEngine
internal import DaybookProjections

/// Counts the transactions that make up a day's figure, to report unconverted amounts.
struct RowCounter {
  /// A figure that a day's transactions add up to.
  enum Figure {
    case income
    case expense
    case transfers

    static let all: [Figure] = [.income, .expense, .transfers]
  }

  private var tree: CategoryTree?

  /// Returns the number of transactions on a day that contribute to a figure in a currency.
  ///
  /// - Parameter base: Incomes and expenses that state their cost in this currency don't count.
  mutating func count(
    _ figure: Figure, _ currency: Currency, unlessSettledIn base: Currency? = nil, on day: Day,
    in snapshot: borrowing Snapshot
  ) throws -> Int {
    let tree = try self.tree ?? snapshot.chartOfAccounts().tree
    self.tree = tree
    return try snapshot.countCountedRows(on: day) { transaction, counts in
      if figure == .transfers, transaction.type != .transfer {
        return transaction.movesPart(in: currency, where: counts)
      }
      if figure != .transfers, let base, transaction.settledCurrency == base { return false }
      return transaction.postings.contains { posting in
        guard posting.amount.currency == currency else { return false }
        switch (posting.account, figure) {
        case (.category(let id), .income): return counts(id) && tree[id]?.kind == .income
        case (.category(let id), .expense): return counts(id) && tree[id]?.kind == .expense
        case (.account(let id), .transfers):
          return !id.isBuiltin && posting.amount.minorUnits < 0
        default: return false
        }
      }
    }
  }
}

extension Transaction {
  /// The currency in which the transaction states what its categories cost; see `Settlement`.
  var settledCurrency: Currency? {
    var lines = Lines()
    var accounts: [AccountID] = []
    for posting in postings {
      var (kind, number) = (Line.Kind.expense, UInt32(0))
      if case .account(let id) = posting.account {
        kind = .account
        // Projections number the built-in equity accounts from 1 to 3.
        if !id.isBuiltin {
          if !accounts.contains(id) { accounts.append(id) }
          number = 16 + UInt32(accounts.firstIndex(of: id) ?? 0)
        }
      }
      lines.add(
        Line(
          kind: kind, number: number, currency: posting.amount.currency,
          units: posting.amount.minorUnits))
    }
    return lines.settlement?.currency
  }

  /// Whether an expense or income, in addition to its category postings in a currency, moves money
  /// between accounts in that currency.
  fileprivate func movesPart(
    in currency: Currency, where counts: (CategoryID) -> Bool
  ) -> Bool {
    var nets: [AccountID: Int128] = [:]
    var hasCategory = false
    for posting in postings where posting.amount.currency == currency {
      switch posting.account {
      case .category(let id): hasCategory = hasCategory || counts(id)
      case .account(let id):
        if !id.isBuiltin { nets[id, default: 0] += Int128(posting.amount.minorUnits) }
      }
    }
    return hasCategory && nets.values.contains { $0 > 0 } && nets.values.contains { $0 < 0 }
  }
}

extension Snapshot {
  /// Returns the number of transactions on a day that satisfy a predicate.
  ///
  /// - Complexity: O(rows of the day).
  func countRows(on day: Day, where isCounted: (Transaction) -> Bool) throws -> Int {
    var count = 0
    try view.forEachEntity(
      .transaction, from: StatePosition(cluster: day.biased, number: 0),
      to: StatePosition(cluster: day.biased + 1, number: 0)
    ) { position, id, record in
      if isCounted(try Transaction(record, id: id, number: position.number)) { count += 1 }
      return true
    }
    return count
  }
}
