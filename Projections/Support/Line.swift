public import Bookkeeping

/// What a transaction does to one account or category in one currency.
///
/// Postings of one transaction to the same account or category in the same currency make one line.
@usableFromInline
package struct Line: Hashable, Sendable {
  /// What kind of account the postings are on.
  @usableFromInline
  package enum Kind: UInt8, Hashable, Sendable {
    /// An account.
    case account
    /// A category of expenses.
    case expense
    /// A category of income.
    case income
  }

  /// What kind of account the postings are on.
  @usableFromInline package var kind: Kind
  /// The number of the account or category: 1 to 5 for what is built in.
  @usableFromInline package var number: UInt32
  /// The currency of the postings.
  @usableFromInline package var currency: Currency
  /// The sum of the positive postings, in minor units.
  @usableFromInline package var moneyIn: Int128
  /// The sum of the negative postings, without the sign.
  @usableFromInline package var moneyOut: Int128

  /// What the postings come to.
  @inlinable
  package var net: Int128 { moneyIn - moneyOut }

  /// Whether it is one of the equity accounts that are built in, which no list and no total shows.
  @inlinable
  package var isBuiltInEquity: Bool { kind == .account && number <= 3 }

  /// Whether it goes to a category.
  @inlinable
  package var isCategory: Bool { kind != .account }

  @inlinable
  package init(kind: Kind, number: UInt32, currency: Currency, units: Int64) {
    self.kind = kind
    self.number = number
    self.currency = currency
    let wide = Int128(units)
    moneyIn = units > 0 ? wide : 0
    moneyOut = units < 0 ? -wide : 0
  }

  @inlinable
  func hasKey(of other: Line) -> Bool {
    number == other.number && kind == other.kind && currency == other.currency
  }
}

/// The lines of one transaction.
///
/// In an array, whose room serves the next transaction: kept in place, all of them would be copied for each
/// look at one.
@usableFromInline
package struct Lines: ~Copyable, Sendable {
  @usableFromInline var lines: [Line] = []

  package init() {}

  /// The number of lines.
  @inlinable
  package var count: Int { lines.count }

  /// The line at a position counted from 0.
  @inlinable
  package subscript(position: Int) -> Line { lines[position] }

  /// Adds a posting to the line of its account and currency.
  package mutating func add(_ line: Line) {
    for position in lines.indices where lines[position].hasKey(of: line) {
      lines[position].moneyIn += line.moneyIn
      lines[position].moneyOut += line.moneyOut
      return
    }
    lines.append(line)
  }

  /// Makes room for the lines of another transaction.
  mutating func removeAll() { lines.removeAll(keepingCapacity: true) }

  /// Whether both hold the same lines in the same order.
  package func isEqual(to other: borrowing Lines) -> Bool {
    lines == other.lines
  }

  // MARK: What a transaction touches

  /// Whether no earlier line goes to the same account or category.
  @inlinable
  package func isFirstOfAccount(_ position: Int) -> Bool {
    let line = self[position]
    for earlier in 0..<position {
      let other = self[earlier]
      if other.number == line.number, other.isCategory == line.isCategory { return false }
    }
    return true
  }

  /// Whether there is more than one category.
  package var hasManyCategories: Bool {
    var first: UInt32?
    for position in 0..<count where self[position].isCategory {
      if let first, first != self[position].number { return true }
      first = self[position].number
    }
    return false
  }

  /// The different currencies the transaction is listed under, ascending, given to `body`: those of
  /// its postings to accounts and categories, equity that is built in left out unless there is
  /// nothing else.
  ///
  /// The first is the transaction's main currency: where a transaction is counted once, it is
  /// counted there.
  @inlinable
  package func forEachCurrency(_ body: (Currency, _ isMain: Bool) -> Void) {
    var hasOther = false
    for position in 0..<count where !self[position].isBuiltInEquity { hasOther = true }
    var last: UInt64 = 0
    while true {
      var next = UInt64.max
      for position in 0..<count {
        let line = self[position]
        if hasOther, line.isBuiltInEquity { continue }
        if line.currency.packed > last { next = min(next, line.currency.packed) }
      }
      if next == .max { return }
      body(Currency(packed: next), last == 0)
      last = next
    }
  }

  /// What the postings to categories in a currency change for the owner: income adds, expense
  /// takes away.
  @inlinable
  package func result(in currency: Currency) -> Int128 {
    var sum: Int128 = 0
    for position in 0..<count {
      let line = self[position]
      if line.isCategory, line.currency == currency { sum -= line.net }
    }
    return sum
  }
}
