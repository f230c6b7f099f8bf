/// Accessors for the common case of one account, and one category or another account.
extension Transaction {
  /// The account of the transaction; for a transfer, the source account.
  ///
  /// `nil` if the money came from or went to Outside, or if there are several accounts and the
  /// transaction isn't a transfer.
  public var account: AccountID? { sides?.own.account.flatMap { $0.isBuiltin ? nil : $0 } }

  /// The destination account of a transfer; `nil` if the transaction isn't a transfer, or if the
  /// money goes to Outside.
  public var otherAccount: AccountID? { sides?.other.flatMap { $0.isBuiltin ? nil : $0 } }

  /// The category, which can be a built-in one for *uncategorised*.
  ///
  /// `nil` for a transfer, or if there are several categories.
  public var category: CategoryID? {
    var found: CategoryID?
    for posting in postings {
      guard let id = posting.categoryID else { continue }
      if found != nil, found != id { return nil }
      found = id
    }
    return found
  }

  /// The change of ``account``, in its currency; it is negative for expenses and transfers.
  ///
  /// If the money came from or went to Outside, this is the change of Outside. `nil` if there are
  /// several accounts and the transaction isn't a transfer, or if the amount is too large. `Draft`
  /// and `Amendment` take unsigned amounts.
  public var amount: Money? { sides?.own.amount }

  /// The change of an account: negative if money leaves it.
  ///
  /// `nil` if the transaction has no posting to the account, or if the amount is too large.
  ///
  /// - Complexity: O(postings).
  public func amount(on account: AccountID) -> Money? {
    var sum: Money?
    for posting in postings where posting.account == .account(account) {
      guard let before = sum else {
        sum = posting.amount
        continue
      }
      guard let after = try? before + posting.amount else { return nil }
      sum = after
    }
    return sum
  }

  /// The day on which the transaction counts on an account.
  ///
  /// Money can be on the way for some days: a transfer leaves one account on ``day`` and arrives on
  /// its ``TransactionDetails/valueDay``. So the value day, if there is one, counts on every account
  /// but the first of the postings. An account's balance, its list, its reconciliation and its
  /// stated balances use this day; totals, months and lists of all transactions use ``day``.
  public func day(on account: AccountID) -> Day {
    guard let valueDay = details.valueDay, !account.isBuiltin, let first = firstAccount,
      first != account,
      postings.contains(where: { $0.account == .account(account) })
    else { return day }
    return valueDay
  }

  /// The first account of the postings that isn't built in.
  var firstAccount: AccountID? {
    for posting in postings {
      if let id = posting.accountID, !id.isBuiltin { return id }
    }
    return nil
  }

  /// The day on which the money arrives on the accounts after the first one; `nil` if it arrives on
  /// the transaction's day, or if there is only one account.
  public var arrivalDay: Day? {
    guard let valueDay = details.valueDay, valueDay != day, hasOtherAccount else { return nil }
    return valueDay
  }

  /// Whether there is a second account that isn't built in.
  var hasOtherAccount: Bool {
    guard let first = firstAccount else { return false }
    return postings.contains { $0.accountID.map { !$0.isBuiltin && $0 != first } ?? false }
  }

  /// The earliest day on which the transaction counts on any account.
  var earliestDay: Day { min(day, arrivalDay ?? day) }

  /// Whether the transaction has more than one category posting.
  public var isSplit: Bool {
    var count = 0
    for posting in postings where posting.categoryID != nil { count += 1 }
    return count > 1
  }

  /// The account with its change, and the destination account of a transfer.
  private var sides: (own: (account: AccountID?, amount: Money), other: AccountID?)? {
    var accounts: [Posting] = []
    var hasCategory = false
    for posting in postings {
      switch posting.account {
      case .account(.exchange): continue
      case .account: accounts.append(posting)
      case .category: hasCategory = true
      }
    }
    if accounts.count == 1 { return ((accounts[0].accountID, accounts[0].amount), nil) }
    guard accounts.count == 2, !hasCategory else { return nil }
    let isForward = accounts[0].amount.minorUnits <= 0
    let (from, to) = isForward ? (accounts[0], accounts[1]) : (accounts[1], accounts[0])
    guard from.amount.minorUnits <= 0, to.amount.minorUnits >= 0 else { return nil }
    return ((from.accountID, from.amount), to.accountID)
  }
}

extension Posting {
  /// The id of the account; `nil` for a category.
  public var accountID: AccountID? { if case .account(let id) = account { id } else { nil } }
  /// The id of the category; `nil` for an account.
  public var categoryID: CategoryID? { if case .category(let id) = account { id } else { nil } }
}
