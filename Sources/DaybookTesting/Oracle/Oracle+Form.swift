/// Goal: determine the shape of stored postings, so that one part of it can be amended.
///
/// Method: count the accounts and categories of the postings.
import Daybook

extension Oracle {
  func form(of transaction: Transaction) -> Draft.Shape {
    let postings = transaction.postings
    let exchanges = postings.filter { $0.account == .account(.exchange) }.count
    var accounts: [(id: AccountID, amount: Money)] = []
    var parts: [(category: Category, posting: Posting)] = []
    // All parts, including those of the accounts after the first one.
    var all: [(category: Category?, posting: Posting)] = []
    for posting in postings {
      switch posting.account {
      case .account(let id):
        if id == .exchange { continue }
        if !accounts.isEmpty { all.append((nil, posting)) }
        accounts.append((id, posting.amount))
      case .category(let id):
        guard let category = try? known(id) else { return .postings(Array(postings)) }
        parts.append((category, posting))
        all.append((category, posting))
      }
    }
    let found: Draft.Shape? =
      switch (accounts.count, parts.count) {
      case (2, 0): transferForm(accounts, exchanges)
      case (1, 1): entryForm(accounts[0], parts[0], exchanges)
      case (1..., _) where all.count > 1:
        splitForm(accounts[0], all, exchanges, transaction.type)
      default: nil
      }
    return found ?? .postings(Array(postings))
  }

  private func transferForm(_ accounts: [(id: AccountID, amount: Money)], _ exchanges: Int)
    -> Draft.Shape?
  {
    var (from, to) = (accounts[0], accounts[1])
    if from.amount.minorUnits > 0 { swap(&from, &to) }
    guard from.amount.minorUnits <= 0, to.amount.minorUnits >= 0 else { return nil }
    let isForeign = from.amount.currency != to.amount.currency
    guard exchanges == (isForeign ? 2 : 0) else { return nil }
    return .transfer(
      Draft.Transfer(
        Money(-from.amount.minorUnits, from.amount.currency), from: from.id, to: to.id,
        targetAmount: isForeign ? to.amount : nil))
  }

  private func entryForm(
    _ account: (id: AccountID, amount: Money), _ part: (category: Category, posting: Posting),
    _ exchanges: Int
  ) -> Draft.Shape? {
    let (gain, into) = (account.amount.minorUnits, part.posting.amount.minorUnits)
    let isForeign = account.amount.currency != part.posting.amount.currency
    // One amount or both can be 0, but they must not have the same sign.
    guard exchanges == (isForeign ? 2 : 0), !(gain > 0 && into > 0), !(gain < 0 && into < 0) else {
      return nil
    }
    let leaves = gain < 0 || into > 0
    let direction: Draft.Direction
    switch part.category.kind {
    case .expense: direction = gain > 0 || into < 0 ? .refund : .expense
    case .income: direction = leaves ? .incomeReversal : .income
    }
    return .entry(
      Draft.Entry(
        direction, Money(abs(into), part.posting.amount.currency), account: account.id,
        category: part.category.id,
        accountAmount: isForeign ? Money(abs(gain), account.amount.currency) : nil))
  }

  private func splitForm(
    _ account: (id: AccountID, amount: Money), _ parts: [(category: Category?, posting: Posting)],
    _ exchanges: Int, _ type: TransactionType
  ) -> Draft.Shape? {
    guard !parts.contains(where: { $0.posting.account == .account(account.id) }) else {
      return nil
    }
    let foreign = Set(parts.map(\.posting.amount.currency)).subtracting([account.amount.currency])
    guard exchanges == (foreign.isEmpty ? 0 : foreign.count + 1) else { return nil }
    let made = parts.map { category, posting in
      let units = posting.amount.minorUnits
      if case .account(let id) = posting.account {
        return Draft.Part(
          Money(abs(units), posting.amount.currency), to: id, note: posting.note,
          isReversed: units < 0)
      }
      let isReversed = category?.kind == .income ? units > 0 : units < 0
      return Draft.Part(
        Money(abs(units), posting.amount.currency), category?.id, note: posting.note,
        isReversed: isReversed)
    }
    return .split(
      Draft.Split(
        account: account.id, kind: type == .income ? .income : .expense, parts: made,
        accountAmount: foreign.isEmpty ? nil : account.amount))
  }
}
