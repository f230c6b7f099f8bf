import PayeesAndTags

/// A tag, how many transactions have it, and when it was used last.
public struct TagUse: Hashable, Sendable, Codable {
  /// The tag, as it is written.
  public var tag: String
  /// How many transactions have it, later ones than today too.
  public var count: Int
  /// The day of the newest of them up to today; where all are later, of the newest.
  public var lastDay: Day

  /// A tag's use.
  public init(tag: String, count: Int, lastDay: Day) {
    self.tag = tag
    self.count = count
    self.lastDay = lastDay
  }
}

/// A payee, and what was last recorded about it: enough to fill in a form.
public struct PayeeUse: Hashable, Sendable, Codable {
  /// The payee, as the newest transaction writes it.
  public var payee: String
  /// How many transactions have it, later ones than today too.
  public var count: Int
  /// The newest of them up to today; where all are later, the newest.
  public var last: Transaction

  /// A payee's use.
  public init(payee: String, count: Int, last: Transaction) {
    self.payee = payee
    self.count = count
    self.last = last
  }

  /// The day it was used last.
  public var lastDay: Day { last.day }

  /// The category of the first posting that has one.
  public var lastCategory: CategoryID? {
    for posting in last.postings { if case .category(let id) = posting.account { return id } }
    return nil
  }

  /// The account of the first posting to one that is not built in.
  public var lastAccount: AccountID? { accountPosting?.account }

  /// What that posting moved: negative where it left the account.
  public var lastAmount: Money? { accountPosting?.amount }

  private var accountPosting: (account: AccountID, amount: Money)? {
    for posting in last.postings {
      if case .account(let id) = posting.account, !id.isBuiltin { return (id, posting.amount) }
    }
    return nil
  }
}

/// An open account that nothing was recorded on for a while.
public struct DormantAccount: Hashable, Sendable, Codable {
  /// The account, which is open.
  public var account: Account
  /// The day of its newest row up to today, or `nil` where there is none.
  public var lastDay: Day?
  /// What it holds at the end of today.
  public var balance: Total

  /// An account and its newest row.
  public init(account: Account, lastDay: Day?, balance: Total) {
    self.account = account
    self.lastDay = lastDay
    self.balance = balance
  }
}

extension Snapshot {
  /// The tags in use, the most used first; of those used equally often the most recent.
  ///
  /// Tags are the same where their characters are; nothing is renamed or merged.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(tags · log transactions).
  public func tags(today: Day) throws -> [TagUse] {
    try PayeesAndTags.tags(today: today, in: view).map { tag, use in
      TagUse(tag: tag, count: use.count, lastDay: use.newest.day)
    }
  }

  /// The payees in use that begin with a text, for completing what is typed: the most used first, of
  /// those used equally often the most recent.
  ///
  /// Payees are the same where ``SearchFolding`` makes them the same: neither case nor accents count,
  /// here and in the prefix. Of payees that are used equally often at the end of the list, some 250 are
  /// looked at for the most recent.
  ///
  /// ```swift
  /// let choices = try snapshot.payees(startingWith: "caf", limit: 5, today: today)
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: What they begin with; empty for all.
  ///   - limit: How many, from 0 to ``LedgerLimits/pageRowCountMax``.
  ///   - today: The last day whose rows are taken for the most recent.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where the limit or the prefix is too
  ///   large.
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

  /// The open accounts without a row on the last days up to and with today, those longest without
  /// one first; never used ones before them.
  ///
  /// - Parameters:
  ///   - days: How many days; 0 lists none.
  ///   - today: The last of these days.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(accounts · log transactions).
  public func dormantAccounts(days: Int, today: Day) throws -> [DormantAccount] {
    try Snapshot.check(days, "The number of days")
    if days == 0 { return [] }
    let whole = Day(rawValue: .min)..<today.adding(days: 1)
    let first = today.adding(days: 1 - days)
    var dormant: [DormantAccount] = []
    for row in try balances(on: today, includingClosed: false) {
      let filter = TransactionFilter(account: row.account.id, days: whole)
      let last = try transactions(filter, limit: 1).first?.day
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
