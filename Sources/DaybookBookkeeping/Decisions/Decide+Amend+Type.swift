import DaybookEntities

/// Changes what a transaction is, and keeps the amount on its account.
extension BookkeepingState {
  /// Returns the shape as another type of transaction.
  ///
  /// - Parameter amendment: Loses the accounts of a new transfer, which the shape then has.
  mutating func recast(
    _ shape: Draft.Shape, as type: TransactionKind, _ amendment: inout Amendment,
    _ old: Transaction, on day: Day
  ) throws(Refusal) -> Draft.Shape {
    guard amendment.shape == nil else {
      throw Refusal(
        .shape,
        "the change of \(old.title) has both a type and new postings; give one of them",
        [old.id.rawValue])
    }
    if case .postings = shape {
      throw Refusal(
        .shape,
        "can't change the type of \(old.title): it has several accounts or currencies; change its "
          + "postings, or delete it and record it again",
        [old.id.rawValue])
    }
    guard let direction = type.direction else {
      if case .transfer = shape { return shape }
      return .transfer(try newTransfer(from: shape, &amendment, old, on: day))
    }
    return .entry(try newEntry(direction, from: shape, old))
  }

  private mutating func newEntry(
    _ direction: Draft.Direction, from shape: Draft.Shape, _ old: Transaction
  ) throws(Refusal) -> Draft.Entry {
    switch shape {
    case .entry(var entry):
      if entry.direction.kind != direction.kind { entry.category = nil }
      entry.direction = direction
      return entry
    case .transfer(let transfer):
      return direction.isOut
        ? Draft.Entry(direction, transfer.amount, account: transfer.source, category: nil)
        : Draft.Entry(
          direction, transfer.targetAmount ?? transfer.amount, account: transfer.target,
          category: nil)
    case .split, .postings:
      let (account, amount) = try ownSide(old)
      return Draft.Entry(direction, amount.size, account: account, category: nil)
    }
  }

  private mutating func newTransfer(
    from shape: Draft.Shape, _ amendment: inout Amendment, _ old: Transaction, on day: Day
  ) throws(Refusal) -> Draft.Transfer {
    let (own, moved) = try ownSide(old)
    let isOut =
      if case .entry(let entry) = shape { entry.direction.isOut } else { moved.minorUnits <= 0 }
    let (given, other) = (amendment.account, amendment.otherAccount)
    (amendment.account, amendment.otherAccount) = (nil, nil)
    let source = isOut || given != nil ? given ?? own : other
    let target = isOut || given != nil ? other ?? (isOut ? nil : own) : own
    guard let source, let target else {
      throw Refusal(
        .transfer,
        "can't make a transfer of \(old.title): name the other account, which "
          + "\(isOut ? "receives" : "sends") the money",
        [old.id.rawValue])
    }
    var transfer = Draft.Transfer(moved.size, from: source, to: target)
    // The price in another currency is what the other account sent or received.
    let price: Money? =
      if case .entry(let entry) = shape, entry.accountAmount != nil, amendment.amount == nil {
        entry.amount
      } else { nil }
    if isOut {
      if let price, try currency(of: target) == price.currency { transfer.targetAmount = price }
    } else if let account = try usableAccount(source, Array(old.postings)),
      account.currency != transfer.amount.currency
    {
      transfer.targetAmount = transfer.amount
      if let price, price.currency == account.currency {
        transfer.amount = price
      } else if amendment.amount == nil {
        let units = try convert(Total(transfer.amount), to: account, on: day)
        transfer.amount = try money(
          Total(units: units, currency: account.currency), "the amount sent")
      }
    }
    return transfer
  }

  private mutating func currency(of id: AccountID) throws(Refusal) -> Currency? {
    id.isBuiltin ? nil : try required(id).currency
  }

  /// The first account of a transaction, and its change.
  private func ownSide(
    _ old: Transaction
  ) throws(Refusal) -> (account: AccountID, amount: Money) {
    for posting in old.postings {
      if let id = posting.accountID, id != .exchange {
        guard posting.amount.minorUnits != .min else {
          throw Refusal(.overflow, "the amount of \(old.title) is too large", [old.id.rawValue])
        }
        return (id, posting.amount)
      }
    }
    throw Refusal(.shape, "\(old.title) has no account", [old.id.rawValue])
  }
}

extension Money {
  /// The amount without its sign; the lowest amount has none.
  fileprivate var size: Money { Money(abs(minorUnits), currency) }
}
