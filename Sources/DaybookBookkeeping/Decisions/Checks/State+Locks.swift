extension BookkeepingState {
  /// Refuses to change a day's figures if the day is in the closed period.
  mutating func checkOpen(_ day: Day, _ what: @autoclosure () -> String) throws(Refusal) {
    guard let through = try reading({ try settings().closedThrough }), day <= through else {
      return
    }
    throw Refusal(
      .closedPeriod,
      "can't \(what()): the books are closed through \(through); reopen the period first, or use a "
        + "later day"
    )
  }

  /// Refuses a changed transaction if a lock forbids the change.
  ///
  /// A reconciled transaction keeps its days, accounts and all amounts; its categories may change.
  /// The days are those that count on its accounts: the value day of an expense can change.
  /// In a closed period all figures are locked. Texts and tags can always change.
  mutating func checkLocks(_ old: Transaction, _ new: Transaction) throws(Refusal) {
    let sameDay = old.day == new.day && old.arrivalDay == new.arrivalDay
    if old.status == .reconciled {
      guard sameDay, old.locked == new.locked else {
        throw Refusal(
          .reconciled,
          "\(old.title) is reconciled, so its accounts, day and amounts can't change; unreconcile "
            + "it "
            + "first", [old.id.rawValue])
      }
      guard new.status == .reconciled else {
        throw Refusal(
          .reconciled, "\(old.title) is reconciled; unreconcile it to give it another status",
          [old.id.rawValue])
      }
    }
    if sameDay, old.figures == new.figures { return }
    try checkOpen(min(old.earliestDay, new.earliestDay), "change the amounts of \(old.title)")
  }
}

extension Transaction {
  /// The locked values of a reconciled transaction: accounts with their amounts, and category
  /// amounts.
  fileprivate var locked: [LockedPosting] {
    postings.map { posting in
      if case .account(let id) = posting.account {
        return LockedPosting(account: id, amount: posting.amount)
      }
      return LockedPosting(account: nil, amount: posting.amount)
    }
  }

  /// The accounts, categories and amounts, without notes.
  fileprivate var figures: [Posting] {
    postings.map { Posting($0.account, $0.amount) }
  }
}

private struct LockedPosting: Equatable {
  var account: AccountID?
  var amount: Money
}
