import DaybookEntities

extension BookkeepingState {
  /// Corrects an account's balance at the end of a day.
  mutating func correct(
    _ id: AccountID, _ balance: Money, on day: Day, by correction: BalanceCorrection
  ) throws(Refusal) -> Outcome {
    let account = try required(id)
    try checkNotDeleted(account)
    try check(day, "the day \(day) of the balance of account “\(account.name)”")
    try check(balance, in: account.currency, "the balance", of: account.name)
    let held = try reading { try self.balance(of: id, on: day) }
    let difference = Int128(balance.minorUnits) - held
    guard difference != 0 else {
      // Refuse a missing category even if there is nothing to record.
      if case .transaction(let category?, _) = correction { _ = try anyCategory(category) }
      return .done
    }
    switch correction {
    case .transaction(let category, let description):
      let amount = try money(difference.magnitude, account, balance)
      let kind = try category.map { category throws(Refusal) in try anyCategory(category).kind }
      let comesIn = difference > 0
      let direction: Draft.Direction =
        switch kind ?? (comesIn ? .income : .expense) {
        case .income: comesIn ? .income : .incomeReversal
        case .expense: comesIn ? .refund : .expense
        }
      return try record(
        Draft(
          .entry(.init(direction, amount, account: id, category: category)), on: day,
          description: description))
    case .opening:
      if let first = account.openingDay, first > day {
        throw Refusal(
          .day,
          "can't correct the balance on \(day): the opening balance of account “\(account.name)” "
            + "starts on \(first); give the opening balance an earlier day, or record the "
            + "difference as a transaction",
          [id.rawValue])
      }
      let opening = Int128(account.openingBalance) + difference
      guard let units = Int64(exactly: opening) else { throw tooLarge(account, balance) }
      return try setOpening(id, Money(units, account.currency), account.openingDay)
    }
  }

  private func money(
    _ units: UInt128, _ account: Account, _ balance: Money
  ) throws(Refusal) -> Money {
    guard let units = Int64(exactly: units) else { throw tooLarge(account, balance) }
    return Money(units, account.currency)
  }

  private func tooLarge(_ account: Account, _ balance: Money) -> Refusal {
    Refusal(
      .limit,
      "the difference from \(balance) in account “\(account.name)” is too large for one amount; "
        + "check the balance",
      [account.id.rawValue])
  }
}
