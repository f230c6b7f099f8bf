public import DaybookBookkeeping

/// The postings of a transaction to one account or category in one currency.
///
/// A transaction has exactly one line for each combination of account or category and currency.
@usableFromInline
package struct Line: Hashable, Sendable {
  /// The kind of a line's account or category.
  @usableFromInline
  package enum Kind: UInt8, Hashable, Sendable {
    /// An account.
    case account
    /// An expense category.
    case expense
    /// An income category.
    case income
  }

  /// The kind of the account or category.
  @usableFromInline package var kind: Kind
  /// The number of the account or category; 1 to 5 for built-in ones.
  @usableFromInline package var number: UInt32
  /// The currency of the postings.
  @usableFromInline package var currency: Currency
  /// The sum of the positive postings, in minor units.
  @usableFromInline package var moneyIn: Int128
  /// The sum of the negative postings, without its sign.
  @usableFromInline package var moneyOut: Int128

  /// The sum of the postings.
  @inlinable
  package var net: Int128 { moneyIn - moneyOut }

  /// Whether the account is one of the built-in equity accounts, which no list or total shows.
  @inlinable
  package var isBuiltInEquity: Bool { kind == .account && number <= 3 }

  /// Whether the line is for a category.
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
/// They are stored in an array, whose capacity is reused for the next transaction. With inline
/// storage, each access to a line would copy all lines.
@usableFromInline
package struct Lines: ~Copyable, Sendable {
  @usableFromInline var lines: [Line] = []

  package init() {}

  /// The number of lines.
  @inlinable
  package var count: Int { lines.count }

  /// The line at an index, counted from 0.
  @inlinable
  package subscript(position: Int) -> Line { lines[position] }

  /// Adds a line's sums to the existing line with the same account or category and currency, or
  /// appends the line if there is none.
  package mutating func add(_ line: Line) {
    for position in lines.indices where lines[position].hasKey(of: line) {
      lines[position].moneyIn += line.moneyIn
      lines[position].moneyOut += line.moneyOut
      return
    }
    lines.append(line)
  }

  /// Removes all lines, but keeps the capacity for the next transaction.
  mutating func removeAll() { lines.removeAll(keepingCapacity: true) }

  /// Returns whether both instances contain the same lines in the same order.
  package func isEqual(to other: borrowing Lines) -> Bool {
    lines == other.lines
  }

  // MARK: Accounts, categories and currencies

  /// Returns whether no line before `position` has the same account or category.
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

  /// Calls `body` with the distinct currencies under which the transaction is listed, in ascending
  /// order.
  ///
  /// These are the currencies of the transaction's postings to accounts and categories. Built-in
  /// equity accounts are ignored unless all postings are to them. The first currency is the main
  /// currency: totals that count each transaction once count it under this currency.
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

  /// Returns the money that the transaction brought in and paid in a currency, by its postings to
  /// categories.
  ///
  /// For a transfer, which has no such postings, both are the amount that left accounts.
  @inlinable
  package func flow(
    in currency: Currency, isTransfer: Bool
  ) -> (moneyIn: Int128, moneyOut: Int128) {
    var flow: (moneyIn: Int128, moneyOut: Int128) = (0, 0)
    for position in 0..<count where self[position].currency == currency {
      let line = self[position]
      if line.isCategory {
        flow.moneyIn += line.moneyOut
        flow.moneyOut += line.moneyIn
      } else if isTransfer, !line.isBuiltInEquity {
        flow.moneyIn += line.moneyOut
        flow.moneyOut += line.moneyOut
      }
    }
    return flow
  }
}
