import DaybookProjections

extension Snapshot {
  /// Returns the terms of all accounts that bear interest, in the order in which they were recorded.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func terms() throws -> [AccountTerms] { try entities(AccountTerms.self) }

  /// Returns the terms on which an account bears interest, or `nil` if it has none.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func terms(of account: AccountID) throws -> AccountTerms? {
    try entity(AccountTerms.self, TermsID(of: account).rawValue)
  }

  /// Returns the interest that an account has accrued by the end of a day and that isn't posted or
  /// paid by then.
  ///
  /// - Returns: `nil` if the account has no terms.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account, the terms began more than a hundred years earlier, or an amount is
  ///   too large.
  /// - Complexity: O(days since the terms began).
  public func accruedInterest(of account: AccountID, on day: Day) throws -> AccruedInterest? {
    let found = try known(account)
    guard let terms = try terms(of: account) else { return nil }
    return try accrued(by: history(of: terms, found, through: day), day)
  }

  /// Returns the interest that each account with terms has accrued by the end of a day; see
  /// ``accruedInterest(of:on:)``.
  ///
  /// - Throws: ``DaybookError`` as described at ``accruedInterest(of:on:)``.
  public func accruedInterest(on day: Day) throws -> [AccruedInterest] {
    try terms().filter { try !known($0.account).isDeleted }.map {
      try accrued(by: history(of: $0, known($0.account), through: day), day)
    }
  }

  /// Returns the payments of a loan: linked transactions as they are, and planned payments on their
  /// due days, or today if they are overdue.
  ///
  /// The interest of a planned payment is computed from the balances so far, including planned
  /// transactions, and from the planned payments before it. The last payment repays the rest.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account, it isn't a loan with payments, or an amount is too large.
  /// - Complexity: O(days of the loan).
  public func loanPlan(of account: AccountID, today: Day) throws -> LoanPlan {
    let found = try known(account)
    guard let terms = try terms(of: account), let loan = terms.loan else {
      throw DaybookError(
        code: .invalidQuery, message: "\(found.name) isn't a loan with payments.",
        remedy: "Set its terms with a principal and a number of payments.")
    }
    let last = min(max(terms.due(terms.dueCount - 1), today), terms.lastDay)
    let history = try history(of: terms, found, through: last)
    let payments = try counting { () throws(MoneyError) in try history.plan(today: today) }
    return LoanPlan(account: account, payments: payments, currency: loan.principal.currency)
  }

  // MARK: Histories

  /// Returns what the interest of an account through a day is computed from.
  func history(
    of terms: AccountTerms, _ account: Account, through last: Day
  ) throws -> InterestHistory {
    guard last <= terms.lastDay else {
      throw DaybookError(
        code: .invalidQuery,
        message: "Couldn't compute the interest on \(account.name) for more than a hundred years.",
        remedy: "Pass an earlier day.")
    }
    var settlements: [Day: DueSettlement] = [:]
    for row in try occurrences(of: .interest(on: account.id)) {
      guard let transaction = try transaction(row.transaction) else { continue }
      settlements[row.due] = DueSettlement(transaction, on: account)
    }
    // A payment that is made later than the last due day is in the plan too.
    let made = terms.loan == nil ? [] : settlements.values.map(\.day)
    let last = min(max(last, made.max() ?? last), terms.lastDay)
    for due in terms.loan == nil ? terms.dueDays(through: last) : []
    where settlements[due] == nil {
      let id = TransactionID(ofInterestOn: account.id, due: due)
      if try isMarked(id) || has(.transaction, id.rawValue) { settlements[due] = .waived }
    }
    let days = Array(InterestHistory.days(of: terms, through: last))
    return InterestHistory(
      terms, of: account,
      balances: try Balances.series(of: try keyNumber(account), on: days, in: view),
      settlements: settlements, closedThrough: try settings().closedThrough)
  }

  /// Returns the interest accrued by a day.
  func accrued(by history: InterestHistory, _ day: Day) throws -> AccruedInterest {
    try counting { () throws(MoneyError) in try history.accrued(through: day) }
  }

  /// Runs a computation, and explains amounts that are too large for it.
  func counting<Value>(_ body: () throws(MoneyError) -> Value) throws -> Value {
    do throws(MoneyError) {
      return try body()
    } catch {
      throw DaybookError(
        code: .invalidQuery, message: "Couldn't compute the interest: \(error).",
        remedy: "Check the account's balance and rates.")
    }
  }

  /// Returns the interest accrued on each account at the end of each of some ascending days: positive
  /// if earned, negative if owed.
  ///
  /// Each account's interest is rounded once.
  func accruedWorth(on days: [Day]) throws -> [[AccountID: Int128]] {
    var sums = [[AccountID: Int128]](repeating: [:], count: days.count)
    guard let last = days.last else { return sums }
    for terms in try terms() {
      let account = try known(terms.account)
      guard try isKept(account), account.kind != .equity else { continue }
      let history = try history(of: terms, account, through: last)
      for (index, day) in days.enumerated() where day > terms.from {
        let units = try accrued(by: history, day).total.rounded.units
        sums[index][account.id] = account.kind == .liability ? -units : units
      }
    }
    return sums
  }

  /// Returns the interest and repayments by which an account's balance is expected to change after
  /// today, through a day.
  func expectedInterest(
    of account: Account, through last: Day, today: Day
  ) throws -> [(day: Day, units: Int128)] {
    guard let terms = try terms(of: account.id) else { return [] }
    let tomorrow = today.adding(days: 1)
    guard terms.loan == nil else {
      return try loanPlan(of: account.id, today: tomorrow).payments.compactMap { payment in
        let day = max(payment.due, tomorrow)
        return payment.transaction == nil && day <= last ? (day, payment.principal.units) : nil
      }
    }
    let accrued = try accrued(by: history(of: terms, account, through: last), last)
    return accrued.due.map { one in
      (max(one.due, tomorrow), account.kind == .liability ? -one.amount.units : one.amount.units)
    }
  }
}
