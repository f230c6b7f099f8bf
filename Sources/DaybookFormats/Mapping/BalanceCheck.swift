public import DaybookBookkeeping

/// A stated balance that differs from the previous one plus the row's amount.
public struct BalanceMismatch: Hashable, Sendable, CustomStringConvertible {
  /// The physical line of the row.
  public var line: Int
  /// The account.
  public var account: String
  /// The balance stated after the row.
  public var stated: Total
  /// The previously stated balance plus the amount of the row.
  public var expected: Total

  /// The location and both balances, on one line.
  public var description: String {
    "line \(line): the balance of \(account) should be \(expected), but the file has \(stated)"
  }
}

/// Checks the stated balances of a file, account by account, in file order.
///
/// Each row is compared with the balance *stated* before it, so that a wrong row causes a single
/// mismatch, and not one for each following row. Rows without a balance may count for the next one.
/// The first row of an account has no earlier balance, and determines the account's opening balance
/// instead.
struct BalanceCheck {
  private struct Last {
    var stated: Int64
    var amount: Int64
    var line: Int
    var currency: Currency
    var opening: Int128
    /// The sum of the rows without a balance since then.
    var unstated: Int128 = 0
  }

  let isNewestFirst: Bool
  private var last: [String: Last] = [:]
  private(set) var mismatches: [BalanceMismatch] = []

  init(isNewestFirst: Bool) { self.isNewestFirst = isNewestFirst }

  mutating func add(_ row: borrowing StatementRow) {
    guard let stated = row.statedBalance else {
      last[row.account]?.unstated += Int128(row.amount.minorUnits)
      return
    }
    let amount = row.amount.minorUnits
    let opening = Int128(stated) - Int128(amount)
    let this = Last(
      stated: stated, amount: amount, line: row.line, currency: row.amount.currency,
      opening: opening)
    guard var before = last.updateValue(this, forKey: row.account) else { return }
    if isNewestFirst {
      // The previously read row is newer, so its balance is computed from this one.
      let expected = Int128(stated) + Int128(before.amount)
      if expected != Int128(before.stated), expected + before.unstated != Int128(before.stated) {
        note(before.line, row.account, before.stated, expected, before.currency)
      }
    } else {
      let expected = Int128(before.stated) + Int128(amount)
      if expected != Int128(stated), expected + before.unstated != Int128(stated) {
        note(row.line, row.account, stated, expected, row.amount.currency)
      }
      before.stated = stated
      before.amount = amount
      before.line = row.line
      before.unstated = 0
      last[row.account] = before
    }
  }

  private mutating func note(
    _ line: Int, _ account: String, _ stated: Int64, _ expected: Int128, _ currency: Currency
  ) {
    mismatches.append(
      BalanceMismatch(
        line: line, account: account, stated: Total(units: Int128(stated), currency: currency),
        expected: Total(units: expected, currency: currency)))
  }

  /// Returns the balance of each account before its oldest row, except for zero balances.
  func impliedOpenings() -> [String: Money] {
    var result: [String: Money] = [:]
    for (account, last) in last {
      guard last.opening != 0, let units = Int64(exactly: last.opening) else { continue }
      result[account] = Money(units, last.currency)
    }
    return result
  }
}
