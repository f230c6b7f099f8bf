import DaybookEntities

/// Converts shapes to balanced postings.
extension BookkeepingState {
  /// The postings of a shape on a day.
  ///
  /// - Parameter existing: The transaction's previous postings, whose accounts and categories may
  ///   be closed or deleted.
  mutating func postings(
    for shape: Draft.Shape, on day: Day, existing: [Posting] = []
  ) throws(Refusal) -> [Posting] {
    let postings: [Posting]
    switch shape {
    case .entry(let entry): postings = try self.postings(for: entry, on: day, existing)
    case .transfer(let transfer): postings = try self.postings(for: transfer, on: day, existing)
    case .split(let split): postings = try self.postings(for: split, on: day, existing)
    case .postings(let given):
      try check(given, existing)
      postings = given
    }
    try checkBalance(postings)
    return postings
  }

  private mutating func postings(
    for entry: Draft.Entry, on day: Day, _ existing: [Posting]
  ) throws(Refusal) -> [Posting] {
    let amount = entry.amount
    guard amount.minorUnits >= 0 else { throw Refusal.negative(entry) }
    let isOut = entry.direction == .expense || entry.direction == .incomeReversal
    let kind: CategoryKind =
      entry.direction == .expense || entry.direction == .refund ? .expense : .income
    let category = try usableCategory(entry.category, kind, existing)
    guard category.kind == kind else {
      throw Refusal(
        .kind,
        "can't use \(name(category.id)) for this \(entry.direction) of \(amount); choose a "
          + "category of kind \(kind)",
        [category.id.rawValue])
    }
    let account = try usableAccount(entry.account, existing)
    try check(amount.currency)
    let sign: Int64 = isOut ? 1 : -1
    let place = PostingAccount.category(category.id)
    guard let account, account.currency != amount.currency else {
      try checkSame(entry.accountAmount, amount, entry.account)
      let id = account?.id ?? entry.account ?? .outside
      return [
        Posting(.account(id), Money(-sign * amount.minorUnits, amount.currency)),
        Posting(place, Money(sign * amount.minorUnits, amount.currency)),
      ]
    }
    let moved = try accountAmount(entry.accountAmount, for: amount, account: account, on: day)
    return [
      Posting(.account(account.id), Money(-sign * moved, account.currency)),
      Posting(.account(.exchange), Money(sign * moved, account.currency)),
      Posting(.account(.exchange), Money(-sign * amount.minorUnits, amount.currency)),
      Posting(place, Money(sign * amount.minorUnits, amount.currency)),
    ]
  }

  private mutating func postings(
    for transfer: Draft.Transfer, on day: Day, _ existing: [Posting]
  ) throws(Refusal) -> [Posting] {
    let amount = transfer.amount
    let source = transfer.source ?? .outside
    let target = transfer.target ?? .outside
    guard source != target else {
      throw Refusal(
        .transfer,
        "a transfer of \(amount) from \(name(source)) to itself moves nothing; choose two "
          + "different accounts",
        [source.rawValue])
    }
    guard amount.minorUnits > 0, transfer.targetAmount?.minorUnits ?? 1 > 0 else {
      let wrong = amount.minorUnits > 0 ? transfer.targetAmount ?? amount : amount
      throw Refusal(
        .transfer,
        "the amount \(wrong) of a transfer from \(name(source)) to \(name(target)) isn't above "
          + "zero; give a positive amount, and swap the accounts for the other direction"
      )
    }
    let from = try usableAccount(source, existing)
    let into = try usableAccount(target, existing)
    try check(amount.currency)
    if let from, from.currency != amount.currency {
      throw Refusal.mismatch(
        amount, from,
        "give the amount sent in that currency, and the amount received in the other account's")
    }
    let arriving: Money
    if let into, into.currency != amount.currency {
      let units = try accountAmount(transfer.targetAmount, for: amount, account: into, on: day)
      arriving = Money(units, into.currency)
    } else if into == nil, let given = transfer.targetAmount, given.currency != amount.currency {
      try check(given.currency)
      arriving = given
    } else {
      try checkSame(transfer.targetAmount, amount, target)
      arriving = amount
    }
    let out = Posting(.account(source), Money(-amount.minorUnits, amount.currency))
    guard arriving.currency != amount.currency else {
      return [out, Posting(.account(target), arriving)]
    }
    return [
      out, Posting(.account(.exchange), amount),
      Posting(.account(.exchange), Money(-arriving.minorUnits, arriving.currency)),
      Posting(.account(target), arriving),
    ]
  }

  /// Returns an account that accepts postings, or `nil` for a built-in account, which accepts every
  /// currency.
  mutating func usableAccount(
    _ id: AccountID?, _ existing: [Posting]
  ) throws(Refusal) -> Account? {
    guard let id, !id.isBuiltin else { return nil }
    let account = try required(id)
    guard !account.isClosed && !account.isDeleted || existing.has(.account(id)) else {
      throw Refusal(
        .closed,
        "account “\(account.name)” is \(account.isDeleted ? "deleted" : "closed") and accepts no "
          + "transactions; "
          + (account.isDeleted ? "choose another one" : "reopen it first, or choose another one"),
        [id.rawValue])
    }
    return account
  }

  /// Returns a category that accepts postings; without an id, the built-in *Uncategorised* of a
  /// kind.
  mutating func usableCategory(
    _ id: CategoryID?, _ kind: CategoryKind, _ existing: [Posting]
  ) throws(Refusal) -> Category {
    guard let id else {
      return try anyCategory(kind == .expense ? .uncategorizedExpense : .uncategorizedIncome)
    }
    let category = try anyCategory(id)
    guard !category.isDeleted || existing.has(.category(id)) else {
      throw Refusal(
        .closed,
        "\(name(id)) is deleted and accepts no transactions; choose another one", [id.rawValue])
    }
    return category
  }

  /// Refuses a second amount that contradicts the first in the same currency.
  mutating func checkSame(
    _ given: Money?, _ amount: Money, _ account: AccountID?
  ) throws(Refusal) {
    guard let given, given != amount else { return }
    throw Refusal(
      .currencyMismatch,
      "the second amount \(given) for \(name(account ?? .outside)) contradicts \(amount) in the "
        + "same currency; leave out the second amount"
    )
  }
}

extension Refusal {
  static func negative(_ entry: Draft.Entry) -> Refusal {
    let remedy =
      switch entry.direction {
      case .expense: "record returned money with `refund` and an amount above zero"
      case .refund: "record spent money with `expense`"
      case .income:
        "record returned income with `incomeReversal` or `expense`"
      case .incomeReversal: "record earned money with `income`"
      }
    return Refusal(
      .negative,
      "the amount \(entry.amount) of this \(entry.direction) is negative; give a positive amount, "
        + "or "
        + remedy)
  }

  static func mismatch(_ money: Money, _ account: Account, _ remedy: String) -> Refusal {
    Refusal(
      .currencyMismatch,
      "can't record \(money) in account “\(account.name)”, which is in \(account.currency); "
        + "\(remedy)",
      [account.id.rawValue])
  }
}

extension [Posting] {
  /// Returns whether any posting is to an account or category.
  func has(_ account: PostingAccount) -> Bool { contains { $0.account == account } }
}
