extension Draft {
  /// An expense: from an account (or Outside) to an expense category (or Uncategorised).
  ///
  /// - Parameter accountAmount: The amount that leaves the account, if the account's currency
  ///   differs from the amount's. If `nil`, `amount` is converted at the day's rate.
  public static func expense(
    _ amount: Money, from account: AccountID? = nil, category: CategoryID? = nil, on day: Day,
    accountAmount: Money? = nil, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .entry(
        Entry(
          .expense, amount, account: account, category: category, accountAmount: accountAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// Income: from an income category (or Uncategorised) to an account (or Outside).
  ///
  /// - Parameter accountAmount: The amount that the account receives, if the account's currency
  ///   differs from the amount's. If `nil`, `amount` is converted at the day's rate.
  public static func income(
    _ amount: Money, into account: AccountID? = nil, category: CategoryID? = nil, on day: Day,
    accountAmount: Money? = nil, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .entry(
        Entry(.income, amount, account: account, category: category, accountAmount: accountAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// A refund: from an expense category to an account.
  ///
  /// A refund reduces the category's expenses and never counts as income.
  public static func refund(
    _ amount: Money, into account: AccountID? = nil, category: CategoryID? = nil, on day: Day,
    accountAmount: Money? = nil, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .entry(
        Entry(.refund, amount, account: account, category: category, accountAmount: accountAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// A reversal of income: from an account to an income category.
  ///
  /// A reversal reduces the category's income and never counts as an expense.
  public static func incomeReversal(
    _ amount: Money, from account: AccountID? = nil, category: CategoryID? = nil, on day: Day,
    accountAmount: Money? = nil, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .entry(
        Entry(
          .incomeReversal, amount, account: account, category: category,
          accountAmount: accountAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// A transfer between two accounts, which is neither income nor expense.
  ///
  /// - Parameter targetAmount: The amount received, if the destination account's currency differs
  ///   from the amount's. If `nil`, `amount` is converted at the day's rate, and converted again
  ///   only when the amount, an account or the day is amended.
  public static func transfer(
    _ amount: Money, from source: AccountID?, to target: AccountID?, on day: Day,
    targetAmount: Money? = nil, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .transfer(Transfer(amount, from: source, to: target, targetAmount: targetAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// A transfer between an account in the budget and one outside, which counts in an expense
  /// category and is spent from its envelope.
  ///
  /// It has four postings: the two accounts, the category, and the built-in account
  /// ``Identifier/outside`` as its counterpart.
  ///
  /// - Parameters:
  ///   - amount: The amount, in the currency of both accounts.
  ///   - isRefund: Whether the money comes into the budget, which reduces the category's expenses.
  public static func transfer(
    _ amount: Money, from source: AccountID, to target: AccountID, category: CategoryID,
    isRefund: Bool = false, on day: Day, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    let opposite = Money(0 &- amount.minorUnits, amount.currency)
    return Draft(
      .postings([
        Posting(.account(source), opposite), Posting(.account(target), amount),
        Posting(.category(category), isRefund ? opposite : amount),
        Posting(.account(.outside), isRefund ? amount : opposite),
      ]),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// A currency exchange: a transfer whose two amounts are both known.
  public static func exchange(
    _ amount: Money, from source: AccountID?, for targetAmount: Money, into target: AccountID?,
    on day: Day, id: TransactionID? = nil, description: String = "", payee: String = "",
    note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    transfer(
      amount, from: source, to: target, on: day, targetAmount: targetAmount, id: id,
      description: description, payee: payee, note: note, tags: tags, status: status)
  }

  /// An expense divided among several categories.
  ///
  /// A part in an income category counts as income.
  ///
  /// - Parameter accountAmount: The account's change (negative for a loss) in its currency, if
  ///   parts are in other currencies.
  public static func split(
    from account: AccountID?, parts: [Part], on day: Day, accountAmount: Money? = nil,
    id: TransactionID? = nil, description: String = "", payee: String = "", note: String = "",
    tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .split(
        Split(account: account, kind: .expense, parts: parts, accountAmount: accountAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// Income divided among several categories.
  ///
  /// A part in an expense category counts as an expense, such as the tax on a salary.
  ///
  /// - Parameter accountAmount: The account's change (negative for a loss) in its currency, if
  ///   parts are in other currencies.
  public static func split(
    into account: AccountID?, parts: [Part], on day: Day, accountAmount: Money? = nil,
    id: TransactionID? = nil, description: String = "", payee: String = "", note: String = "",
    tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .split(Split(account: account, kind: .income, parts: parts, accountAmount: accountAmount)),
      on: day, id: id, description: description, payee: payee, note: note, tags: tags,
      status: status)
  }

  /// A transaction with arbitrary postings, which must sum to zero in every currency.
  public static func postings(
    _ postings: [Posting], on day: Day, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .postings(postings), on: day, id: id, description: description, payee: payee, note: note,
      tags: tags, status: status)
  }
}
