/// What most rows are, without walking postings: one account, and one category or another account.
extension Transaction {
  /// The account it is on; of a transfer the one that the money leaves.
  ///
  /// `nil` where there is none, because it came from or went to Outside, or where there are several
  /// and it is no transfer.
  public var account: AccountID? { sides?.own.account.flatMap { $0.isBuiltin ? nil : $0 } }

  /// The account that a transfer goes to; `nil` where it is no transfer, or goes Outside.
  public var otherAccount: AccountID? { sides?.other.flatMap { $0.isBuiltin ? nil : $0 } }

  /// Its category, the built-in ones for *uncategorised* too; `nil` for a transfer, and where there
  /// are several.
  public var category: CategoryID? {
    var found: CategoryID?
    for posting in postings {
      guard let id = posting.categoryID else { continue }
      if found != nil, found != id { return nil }
      found = id
    }
    return found
  }

  /// What it adds to ``account``, in that account's currency: below zero where money leaves it, as in
  /// an expense, and in a transfer, which is seen from where it comes from.
  ///
  /// Of one that came from or went to Outside it is what Outside gained. `nil` where several accounts are
  /// involved and it is no transfer, or what it adds does not fit. `Draft` and `Amendment` take amounts
  /// without their sign.
  public var amount: Money? { sides?.own.amount }

  /// What it adds to an account: below zero where money leaves it; `nil` where it does not touch the
  /// account, or what it adds does not fit.
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

  /// Whether it has several parts: more than one posting to a category.
  public var isSplit: Bool {
    var count = 0
    for posting in postings where posting.categoryID != nil { count += 1 }
    return count > 1
  }

  /// The account it is on with what it gains, and the one that a transfer goes to.
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
  /// The id of the account, where it is no category.
  public var accountID: AccountID? { if case .account(let id) = account { id } else { nil } }
  /// The id of the category, where it is one.
  public var categoryID: CategoryID? { if case .category(let id) = account { id } else { nil } }
}
