extension BookkeepingState {
  /// Refuses to touch figures of a day in the closed period.
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

  /// Refuses a changed transaction where a lock forbids it.
  ///
  /// A reconciled one keeps its day, what its accounts moved by, and every amount; its categories may
  /// change. In the closed period all figures stay. Texts and tags are always free.
  mutating func checkLocks(_ old: Transaction, _ new: Transaction) throws(Refusal) {
    let sameDay = old.day == new.day
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
    try checkOpen(min(old.day, new.day), "change the amounts of \(old.title)")
  }
}

extension Transaction {
  /// What a reconciled transaction keeps: accounts with their amounts, and the categories' amounts.
  fileprivate var locked: [LockedPosting] {
    postings.map { posting in
      if case .account(let id) = posting.account {
        return LockedPosting(account: id, amount: posting.amount)
      }
      return LockedPosting(account: nil, amount: posting.amount)
    }
  }

  /// Accounts and amounts, without notes.
  fileprivate var figures: [Posting] {
    postings.map { Posting($0.account, $0.amount) }
  }
}

private struct LockedPosting: Equatable {
  var account: AccountID?
  var amount: Money
}
