/// Recovers the shape of stored postings, so that an amendment can change one part of it.
extension BookkeepingState {
  /// The shape for which `postings(for:on:)` returns these postings, or `.postings`.
  mutating func shape(
    of postings: [Posting], type: TransactionType
  ) throws(Refusal) -> Draft.Shape {
    var accounts: [(id: AccountID, amount: Money)] = []
    var categories: [Posting] = []
    // The postings after the one of the account: those of categories and of other accounts.
    var others: [Posting] = []
    var exchangeCount = 0
    for posting in postings {
      switch posting.account {
      case .account(.exchange): exchangeCount += 1
      case .account(let id):
        if !accounts.isEmpty { others.append(posting) }
        accounts.append((id, posting.amount))
      case .category:
        categories.append(posting)
        others.append(posting)
      }
    }
    if categories.isEmpty, accounts.count == 2 {
      return transfer(accounts, exchangeCount) ?? .postings(postings)
    }
    guard let account = accounts.first, !others.isEmpty else { return .postings(postings) }
    let found =
      others.count == 1
      ? try entry(account, others[0], exchangeCount)
      : try split(account, others, exchangeCount, type)
    return found ?? .postings(postings)
  }

  private func transfer(
    _ accounts: [(id: AccountID, amount: Money)], _ exchangeCount: Int
  ) -> Draft.Shape? {
    let isForward = accounts[0].amount.minorUnits <= 0
    let (source, target) = isForward ? (accounts[0], accounts[1]) : (accounts[1], accounts[0])
    let isSame = source.amount.currency == target.amount.currency
    guard source.amount.minorUnits <= 0, target.amount.minorUnits >= 0,
      exchangeCount == (isSame ? 0 : 2), let amount = try? source.amount.negated()
    else { return nil }
    return .transfer(
      Draft.Transfer(
        amount, from: source.id, to: target.id, targetAmount: isSame ? nil : target.amount))
  }

  private mutating func entry(
    _ account: (id: AccountID, amount: Money), _ posting: Posting, _ exchangeCount: Int
  ) throws(Refusal) -> Draft.Shape? {
    guard case .category(let id) = posting.account else { return nil }
    let isSame = account.amount.currency == posting.amount.currency
    let isOut = posting.amount.minorUnits > 0 || account.amount.minorUnits < 0
    let accountAmount = isOut ? try? account.amount.negated() : account.amount
    let amount = isOut ? posting.amount : try? posting.amount.negated()
    guard exchangeCount == (isSame ? 0 : 2), let amount, let accountAmount,
      amount.minorUnits >= 0, accountAmount.minorUnits >= 0
    else { return nil }
    let isExpense = try anyCategory(id).kind == .expense
    // An entry of zero has no direction, so keep its label.
    let isPlain = amount.minorUnits == 0 && accountAmount.minorUnits == 0
    let direction: Draft.Direction =
      isExpense
      ? (isOut || isPlain ? .expense : .refund) : (isOut && !isPlain ? .incomeReversal : .income)
    return .entry(
      Draft.Entry(
        direction, amount, account: account.id, category: id,
        accountAmount: isSame ? nil : accountAmount))
  }

  private mutating func split(
    _ account: (id: AccountID, amount: Money), _ others: [Posting], _ exchangeCount: Int,
    _ type: TransactionType
  ) throws(Refusal) -> Draft.Shape? {
    var parts: [Draft.Part] = []
    var foreign = CurrencySums()
    for posting in others {
      let isIn = posting.amount.minorUnits >= 0
      guard let amount = isIn ? posting.amount : try? posting.amount.negated() else { return nil }
      switch posting.account {
      case .account(let id):
        guard id != account.id else { return nil }
        parts.append(Draft.Part(amount, to: id, note: posting.note, isReversed: !isIn))
      case .category(let id):
        let isExpense = try anyCategory(id).kind == .expense
        let isReversed = amount.minorUnits != 0 && isIn != isExpense
        parts.append(Draft.Part(amount, id, note: posting.note, isReversed: isReversed))
      }
      if amount.currency != account.amount.currency {
        foreign.add(0, amount.currency)
      }
    }
    let count = foreign.sums.count
    guard exchangeCount == (count == 0 ? 0 : count + 1) else { return nil }
    return .split(
      Draft.Split(
        account: account.id, kind: type == .income ? .income : .expense, parts: parts,
        accountAmount: count == 0 ? nil : account.amount))
  }

  /// The type of postings: income if any category is income, else expense if there is a category,
  /// else transfer.
  mutating func type(of postings: [Posting]) throws(Refusal) -> TransactionType {
    var type = TransactionType.transfer
    for posting in postings {
      guard case .category(let id) = posting.account else { continue }
      if try anyCategory(id).kind == .income { return .income }
      type = .expense
    }
    return type
  }
}
