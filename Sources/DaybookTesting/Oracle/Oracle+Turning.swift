/// Goal: reimplement the amendment of a transaction's type. Method: follow the documentation of
/// `Amendment.type`, from the change of the first account.
import Daybook

extension Oracle {
  /// Returns the type of a shape with a single amount.
  func kind(of shape: Draft.Shape) -> TransactionKind? {
    switch shape {
    case .entry(let entry):
      switch entry.direction {
      case .expense: .expense
      case .refund: .refund
      case .income: .income
      case .incomeReversal: .incomeReversal
      }
    case .transfer: .transfer
    case .split, .postings: nil
    }
  }

  /// Returns the shape as the wanted type, and what remains of the amendment.
  func turned(
    _ shape: Draft.Shape, _ given: Amendment, _ old: Transaction, _ day: Day
  ) throws -> (Draft.Shape, Amendment) {
    guard let type = given.type else { return (shape, given) }
    try check(given.shape == nil, .shape)
    if case .postings = shape { throw OracleRefusal(.shape) }
    guard let direction = directions[type] else { return try transfer(shape, given, old, day) }
    let kind: CategoryKind = type == .expense || type == .refund ? .expense : .income
    switch shape {
    case .entry(let entry):
      let keeps = try entry.category.map { try known($0).kind == kind } ?? true
      return (
        .entry(
          Draft.Entry(
            direction, entry.amount, account: entry.account,
            category: keeps ? entry.category : nil, accountAmount: entry.accountAmount)), given
      )
    case .transfer(let transfer):
      let leaves = type == .expense || type == .incomeReversal
      return (
        .entry(
          Draft.Entry(
            direction, leaves ? transfer.amount : transfer.targetAmount ?? transfer.amount,
            account: leaves ? transfer.source : transfer.target, category: nil)), given
      )
    case .split, .postings:
      let (own, gain) = try firstChange(of: old)
      return (
        .entry(
          Draft.Entry(
            direction, Money(abs(gain.minorUnits), gain.currency), account: own, category: nil)),
        given
      )
    }
  }

  private func transfer(
    _ shape: Draft.Shape, _ given: Amendment, _ old: Transaction, _ day: Day
  ) throws -> (Draft.Shape, Amendment) {
    if case .transfer = shape { return (shape, given) }
    var rest = given
    rest.account = nil
    rest.otherAccount = nil
    let (own, gain) = try firstChange(of: old)
    let size = Money(abs(gain.minorUnits), gain.currency)
    var (leaves, paid) = (gain.minorUnits <= 0, Money?.none)
    if case .entry(let entry) = shape {
      leaves = entry.direction == .expense || entry.direction == .incomeReversal
      if entry.accountAmount != nil, given.amount == nil { paid = entry.amount }
    }
    if leaves {
      guard let target = given.otherAccount else { throw OracleRefusal(.transfer) }
      var made = Draft.Transfer(size, from: given.account ?? own, to: target)
      if let paid, try currency(target) == paid.currency { made.targetAmount = paid }
      return (.transfer(made), rest)
    }
    guard let source = given.account ?? given.otherAccount else { throw OracleRefusal(.transfer) }
    let target = given.account == nil ? own : given.otherAccount ?? own
    var made = Draft.Transfer(size, from: source, to: target)
    if let sent = try usable(source, Array(old.postings))?.currency, sent != size.currency {
      made.targetAmount = size
      if let paid, paid.currency == sent {
        made.amount = paid
      } else if given.amount == nil {
        guard
          let units = converted(Int128(size.minorUnits), size.currency, sent, day)
        else { throw OracleRefusal(.noRate) }
        guard let fitting = Int64(exactly: units) else { throw OracleRefusal(.overflow) }
        made.amount = Money(fitting, sent)
      }
    }
    return (.transfer(made), rest)
  }

  /// Returns whether a conversion that a shape keeps has the same basis in another type of shape.
  func isTurned(_ before: Draft.Shape, _ after: Draft.Shape, _ wish: Amendment) -> Bool {
    guard wish.type != nil else { return false }
    if case .entry(let old) = before, case .entry(let new) = after {
      return old.amount == new.amount && old.account == new.account
    }
    return kind(of: before) != kind(of: after)
  }

  private var directions: [TransactionKind: Draft.Direction] {
    [.expense: .expense, .refund: .refund, .income: .income, .incomeReversal: .incomeReversal]
  }

  private func currency(_ id: AccountID) throws -> Currency? {
    id.isBuiltin ? nil : accounts[try accountIndex(id)].currency
  }

  private func firstChange(of row: Transaction) throws -> (AccountID, Money) {
    let first = row.postings.first {
      if case .account(let id) = $0.account { id != .exchange } else { false }
    }
    guard let first, case .account(let id) = first.account else { throw OracleRefusal(.shape) }
    try check(first.amount.minorUnits != .min, .overflow)
    return (id, first.amount)
  }
}
