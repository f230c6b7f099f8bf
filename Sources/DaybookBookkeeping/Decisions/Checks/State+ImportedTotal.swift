/// The total of an imported transaction: the amounts by which its accounts changed according to the
/// bank.
extension BookkeepingState {
  /// Refuses parts that don't add up to the total of an imported transaction, unless the amendment
  /// allows it.
  ///
  /// Parts given as a `shape` can miss the total by mistake, and another `type` can change the sign
  /// of the amount on the account. A new `amount`, `accountAmount` or
  /// `targetAmount` is an intended change, and is never refused here. Nor is a total that changes
  /// because a new day or account has a different rate.
  mutating func checkImportedTotal(
    _ old: Transaction, _ new: Transaction, _ amendment: Amendment
  ) throws(Refusal) {
    let isChecked =
      amendment.shape != nil || amendment.type != nil && !amendment.setsAmount
    guard old.importIdentity != nil, isChecked, !amendment.changesImportedTotal else { return }
    let (before, after) = (old.movements, new.movements)
    guard let first = before.first else { return }
    let shared = before.filter { movement in after.contains { $0.account == movement.account } }
    if shared.isEmpty {
      // If all accounts changed, one of the new movements must have the amount of an old movement.
      let isKept = before.contains { movement in
        after.contains { $0.amount == movement.amount }
      }
      if isKept { return }
      throw differing(old, first, after.first?.amount, amendment)
    }
    for movement in shared where !after.contains(movement) {
      let now = after.first { $0.account == movement.account }?.amount
      throw differing(old, movement, now, amendment)
    }
  }

  private mutating func differing(
    _ old: Transaction, _ movement: Movement, _ now: Total?, _ amendment: Amendment
  ) -> Refusal {
    if amendment.type != nil {
      let change = now.map { "change by \($0)" } ?? "not change"
      return Refusal(
        .importedTotal,
        "can't change the type of \(old.title): \(name(movement.account)) would \(change), but the "
          + "bank booked \(movement.amount); choose a type in the same direction, or allow the total "
          + "to change",
        [old.id.rawValue])
    }
    // Parts are entered without a sign.
    let isOut = movement.amount.units < 0
    func text(_ total: Total) -> String {
      "\(Total(units: isOut ? -total.units : total.units, currency: total.currency))"
    }
    let was = text(movement.amount)
    let sum = now.map { "add up to \(text($0))" } ?? "don't affect the account"
    return Refusal(
      .importedTotal,
      "the parts of \(old.title) \(sum), but the total of this imported transaction is \(was); use "
        + "parts that add up to \(was) (the rest can be uncategorised), or allow the total to "
        + "change",
      [old.id.rawValue])
  }
}

/// The change of an account's balance in one currency.
struct Movement: Equatable {
  var account: AccountID
  var amount: Total
}

extension Transaction {
  /// The changes of the accounts' balances, one per account and currency, without currency
  /// exchanges.
  var movements: [Movement] {
    var movements: [Movement] = []
    for posting in postings {
      guard case .account(let id) = posting.account, id != .exchange else { continue }
      let (units, currency) = (Int128(posting.amount.minorUnits), posting.amount.currency)
      let known = movements.firstIndex { $0.account == id && $0.amount.currency == currency }
      if let known {
        movements[known].amount.units += units
      } else {
        movements.append(Movement(account: id, amount: Total(units: units, currency: currency)))
      }
    }
    return movements
  }
}
