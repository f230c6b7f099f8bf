import DaybookProjections

/// A tag, its number of transactions, and the day of its last use.
public struct TagUse: Hashable, Sendable, Codable {
  /// The tag, as written.
  public var tag: String
  /// The number of transactions with the tag, including planned ones.
  public var count: Int
  /// The day of the newest transaction up to today; if all are planned, the day of the newest one.
  public var lastDay: Day

  /// Creates a tag's use.
  public init(tag: String, count: Int, lastDay: Day) {
    self.tag = tag
    self.count = count
    self.lastDay = lastDay
  }
}

/// A payee and its last transaction, for filling in a form.
public struct PayeeUse: Hashable, Sendable, Codable {
  /// The payee, as written in the newest transaction.
  public var payee: String
  /// The number of transactions with the payee, including planned ones.
  public var count: Int
  /// The newest transaction up to today; if all are planned, the newest one.
  public var last: Transaction

  /// Creates a payee's use.
  public init(payee: String, count: Int, last: Transaction) {
    self.payee = payee
    self.count = count
    self.last = last
  }

  /// The day of the last use.
  public var lastDay: Day { last.day }

  /// The category of the first posting that has one.
  public var lastCategory: CategoryID? {
    for posting in last.postings { if case .category(let id) = posting.account { return id } }
    return nil
  }

  /// The account of the first posting to an account that isn't built in.
  public var lastAccount: AccountID? { accountPosting?.account }

  /// The amount of this posting, which is negative if money left the account.
  public var lastAmount: Money? { accountPosting?.amount }

  private var accountPosting: (account: AccountID, amount: Money)? {
    for posting in last.postings {
      if case .account(let id) = posting.account, !id.isBuiltin { return (id, posting.amount) }
    }
    return nil
  }
}

/// An open account without recent transactions.
public struct DormantAccount: Hashable, Sendable, Codable {
  /// The account, which is open.
  public var account: Account
  /// The day of its newest transaction up to today; `nil` if there is none.
  public var lastDay: Day?
  /// The account's balance at the end of today.
  public var balance: Total

  /// Creates a dormant account.
  public init(account: Account, lastDay: Day?, balance: Total) {
    self.account = account
    self.lastDay = lastDay
    self.balance = balance
  }
}

extension Snapshot {
  /// Returns the tags in use, sorted by number of uses and then by most recent use.
  ///
  /// Tags are compared exactly; variants are not merged.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(tags · log transactions).
  public func tags(today: Day) throws -> [TagUse] {
    try PayeesAndTags.tags(today: today, in: view).map { tag, use in
      TagUse(tag: tag, count: use.count, lastDay: use.newest.day)
    }
  }

  /// Returns the payees that begin with a text, sorted by number of uses and then by most recent
  /// use.
  ///
  /// Use it to complete a payee as a person types. Payees and the text are folded by
  /// ``SearchFolding``, so case and accents are ignored. If many payees at the end of the list have
  /// the same number of uses, only about 250 of them are compared by most recent use.
  ///
  /// ```swift
  /// let choices = try snapshot.payees(startingWith: "caf", limit: 5, today: today)
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: The text; empty for all payees.
  ///   - limit: The maximum number of payees, from 0 to ``LedgerLimits/pageRowCountMax``.
  ///   - today: The last day considered for the most recent use.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the limit or the prefix is too large.
  /// - Complexity: O(payees with the prefix + limit · log transactions).
  public func payees(startingWith prefix: String = "", limit: Int = 10, today: Day) throws
    -> [PayeeUse]
  {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of payees")
    try Snapshot.check(
      prefix.utf8.count, LedgerLimits.searchTextByteCountMax, "The byte count of the prefix")
    return try PayeesAndTags.payees(prefix: prefix, limit: limit, today: today, in: view).map {
      PayeeUse(payee: $0.newest.payee, count: $0.count, last: $0.newest)
    }
  }

  /// Returns the open accounts that had no transactions in the last days, up to and including
  /// today.
  ///
  /// Accounts that were never used come first, followed by the accounts with the oldest last
  /// transaction.
  ///
  /// - Parameters:
  ///   - days: The number of days; 0 returns no accounts.
  ///   - today: The last of these days.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts · log transactions).
  public func dormantAccounts(days: Int, today: Day) throws -> [DormantAccount] {
    try Snapshot.check(days, "The number of days")
    if days == 0 { return [] }
    let whole = Day(rawValue: .min)..<today.adding(days: 1)
    let first = today.adding(days: 1 - days)
    var dormant: [DormantAccount] = []
    for row in try balances(on: today, includingClosed: false) {
      let filter = TransactionFilter(account: row.account.id, days: whole)
      let last = try transactions(filter, limit: 1).first.map { filter.day(of: $0) }
      if let last, last >= first { continue }
      dormant.append(
        DormantAccount(account: row.account, lastDay: last, balance: row.balance))
    }
    return dormant.sorted { left, right in
      if left.lastDay != right.lastDay {
        return (left.lastDay ?? Day(rawValue: .min)) < (right.lastDay ?? Day(rawValue: .min))
      }
      return left.account.number < right.account.number
    }
  }
}
