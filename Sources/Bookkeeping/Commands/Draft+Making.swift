extension Draft {
  /// Money spent: out of an account (or Outside) into an expense category (or Uncategorised).
  ///
  /// - Parameter accountAmount: how much the account loses, where its currency is another than the
  ///   amount's; without it the day's rate says.
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

  /// Money earned: out of an income category (or Uncategorised) into an account (or Outside).
  ///
  /// - Parameter accountAmount: how much the account gains, where its currency is another than the
  ///   amount's; without it the day's rate says.
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

  /// Money spent that came back: out of an expense category into an account.
  ///
  /// It reduces what was spent and is never income.
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

  /// Money earned that was given back: out of an account into an income category.
  ///
  /// It reduces what was earned and is never an expense.
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

  /// Money moved from one account to another; neither income nor expense.
  ///
  /// - Parameter targetAmount: how much arrives, where the target's currency is another; without it
  ///   the day's rate says. It is kept until amount, account or day are amended.
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

  /// Money of one currency given for money of another: a transfer whose two amounts are both known.
  public static func exchange(
    _ amount: Money, from source: AccountID?, for targetAmount: Money, into target: AccountID?,
    on day: Day, id: TransactionID? = nil, description: String = "", payee: String = "",
    note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    transfer(
      amount, from: source, to: target, on: day, targetAmount: targetAmount, id: id,
      description: description, payee: payee, note: note, tags: tags, status: status)
  }

  /// Money spent on several categories at once; a part of an income category is earned instead.
  ///
  /// - Parameter accountAmount: what the account loses (negative) or gains in its currency, where
  ///   parts are in others.
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

  /// Money earned in several categories at once; a part of an expense category is spent instead, such
  /// as the tax on a salary.
  ///
  /// - Parameter accountAmount: what the account gains (or loses, negative) in its currency, where
  ///   parts are in others.
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

  /// Any postings; they must sum to zero in every currency.
  public static func postings(
    _ postings: [Posting], on day: Day, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) -> Draft {
    Draft(
      .postings(postings), on: day, id: id, description: description, payee: payee, note: note,
      tags: tags, status: status)
  }
}
