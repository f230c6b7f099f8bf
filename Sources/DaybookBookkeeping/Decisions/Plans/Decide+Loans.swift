import DaybookEntities

/// Paying loans, and repaying them early.
extension BookkeepingState {
  /// Records the payment of a due day, or makes an existing transaction that payment.
  mutating func pay(_ given: LoanPayment) throws(Refusal) -> Outcome {
    var payment = given
    let (terms, account) = try loan(given.loan)
    if let id = given.transaction {
      let paid = try required(id).entity
      (payment.account, payment.amount) = try outflow(of: paid, for: account)
      payment.day = paid.day
    }
    try check(payment.day, "the day \(payment.day) of the payment")
    let paid = Set(
      try reading { try occurrences(of: .interest(on: account.id), on: nil) }.map(\.due))
    let next = payment.due ?? terms.entity.dueDays(through: .max).first { !paid.contains($0) }
    let history = try history(
      of: terms.entity, account, through: max(payment.day, next ?? payment.day))
    let plan = try counting(account) { () throws(MoneyError) in
      try history.plan(today: payment.day)
    }
    let unpaid = plan.first { $0.transaction == nil && $0.due == payment.due ?? $0.due }
    guard let unpaid else {
      throw Refusal(
        .missing,
        payment.due.map {
          "no payment of account “\(account.name)” is due on \($0), or it is already paid; see the "
            + "plan"
        } ?? "every payment of account “\(account.name)” is made",
        [account.id.rawValue])
    }
    guard history.owed(on: max(unpaid.due, payment.day)) > 0 else {
      throw Refusal(
        .value,
        "nothing is owed on account “\(account.name)” on \(unpaid.due); record its opening balance "
          + "or the money it paid out first",
        [account.id.rawValue])
    }
    let amount = payment.amount.map { Int128($0.minorUnits) } ?? unpaid.amount.units
    if let given = payment.amount, given.currency != account.currency {
      throw Refusal.mismatch(given, account, "give the amount in that currency")
    }
    let most = unpaid.interest.units + unpaid.principal.units + unpaid.remaining.units
    guard (unpaid.interest.units...most).contains(amount), amount > 0 else {
      let (least, most) = (unpaid.interest, Total(units: most, currency: account.currency))
      throw Refusal(
        .value,
        "the payment of \(Total(units: amount, currency: account.currency)) for \(unpaid.due) must "
          + "be at least the interest, \(least), and at most everything that is owed, \(most)",
        [account.id.rawValue])
    }
    let shape = try shape(
      interest: unpaid.interest.units, principal: amount - unpaid.interest.units,
      from: payment.account, terms.entity, account)
    let link = SeriesLink(termsOf: account.id, due: unpaid.due)
    guard let id = payment.transaction else {
      var draft = Draft(
        shape, on: payment.day, id: payment.id, description: payment.description)
      draft.series = link
      return try record(draft)
    }
    var amendment = Amendment(shape: shape)
    amendment.series = .some(link)
    return try amend(id, amendment)
  }

  /// Records an early repayment.
  mutating func repay(_ repayment: LoanRepayment) throws(Refusal) -> Outcome {
    let (terms, account) = try loan(repayment.loan)
    try check(repayment.day, "the day \(repayment.day) of the repayment")
    let owed = -(try reading { try balance(of: account.id, on: repayment.day) })
    guard owed > 0 else {
      throw Refusal(
        .value, "nothing is owed on account “\(account.name)” on \(repayment.day)",
        [account.id.rawValue])
    }
    guard let amount = repayment.amount else {
      return try settle(repayment, terms.entity, account, owed: owed)
    }
    guard amount.currency == account.currency else {
      throw Refusal.mismatch(amount, account, "give the amount in that currency")
    }
    guard amount.minorUnits > 0, Int128(amount.minorUnits) <= owed else {
      throw Refusal(
        .value,
        "can't repay \(amount) of account “\(account.name)”: the amount must be above zero and at "
          + "most \(Total(units: owed, currency: account.currency)); to repay everything with the "
          + "accrued interest, leave out the amount",
        [account.id.rawValue])
    }
    let draft = Draft(
      .transfer(Draft.Transfer(amount, from: repayment.account, to: account.id)),
      on: repayment.day, id: repayment.id, description: repayment.description)
    let outcome = try record(draft)
    if repayment.lowersPayments, !terms.entity.loweredOn.contains(repayment.day) {
      var lowered = terms.entity
      lowered.loweredOn = (lowered.loweredOn + [repayment.day]).sorted()
      try emit(terms, lowered)
    }
    return outcome
  }

  /// Repays everything that is owed with the interest accrued by the day.
  ///
  /// The transaction settles the next due day, so that no interest falls due then.
  private mutating func settle(
    _ repayment: LoanRepayment, _ terms: AccountTerms, _ account: Account, owed: Int128
  ) throws(Refusal) -> Outcome {
    let history = try history(of: terms, account, through: repayment.day)
    let accrued = try counting(account) { () throws(MoneyError) in
      try history.accrued(through: repayment.day)
    }
    let unpaid = terms.dueDays(through: repayment.day).filter {
      history.settlement(of: $0, by: repayment.day) == nil
    }
    guard unpaid.isEmpty || unpaid == [repayment.day] else {
      throw Refusal(
        .inUse,
        "can't repay all of account “\(account.name)”: the payment due on \(unpaid[0]) isn't made; "
          + "record it first",
        [account.id.rawValue])
    }
    var draft = Draft(
      try shape(
        interest: accrued.total.rounded.units, principal: owed, from: repayment.account, terms,
        account),
      on: repayment.day, id: repayment.id, description: repayment.description)
    let next = terms.due(max(0, terms.index(reaching: repayment.day)))
    if terms.isDue(next), history.settlement(of: next) == nil {
      draft.series = SeriesLink(termsOf: account.id, due: next)
    }
    return try record(draft)
  }

  // MARK: Parts

  /// The terms of a loan and its account, or a refusal.
  private mutating func loan(
    _ id: AccountID
  ) throws(Refusal) -> (Stored<AccountTerms>, Account) {
    let terms = try terms(of: id)
    let account = try required(id)
    guard terms.entity.loan != nil, account.kind == .liability else {
      throw Refusal(
        .kind,
        "account “\(account.name)” isn't a loan with payments; set its principal and number of "
          + "payments first",
        [id.rawValue])
    }
    return (terms, account)
  }

  private func shape(
    interest: Int128, principal: Int128, from account: AccountID?, _ terms: AccountTerms,
    _ loan: Account
  ) throws(Refusal) -> Draft.Shape {
    guard let interest = Int64(exactly: interest), let principal = Int64(exactly: principal) else {
      throw tooLarge(loan)
    }
    let parts = (
      interest: Money(interest, loan.currency), principal: Money(principal, loan.currency)
    )
    if interest == 0 { return .transfer(.init(parts.principal, from: account, to: loan.id)) }
    if principal == 0 {
      return .entry(.init(.expense, parts.interest, account: account, category: terms.category))
    }
    return .split(
      Draft.Split(
        account: account, kind: .expense,
        parts: [
          Draft.Part(parts.principal, to: loan.id), Draft.Part(parts.interest, terms.category),
        ]))
  }

  /// The account and the amount of a transaction that is to become a payment.
  private func outflow(
    of transaction: Transaction, for loan: Account
  ) throws(Refusal) -> (AccountID?, Money) {
    for posting in transaction.postings where posting.amount.minorUnits < 0 {
      guard case .account(let id) = posting.account, id != loan.id,
        posting.amount.currency == loan.currency, posting.amount.minorUnits != .min
      else { continue }
      return (id, Money(-posting.amount.minorUnits, loan.currency))
    }
    throw Refusal(
      .shape,
      "can't make a payment of \(transaction.title): no account pays an amount in \(loan.currency); "
        + "choose another transaction, or record the payment",
      [transaction.id.rawValue])
  }
}

extension InterestHistory {
  /// The amount that the account owes at the end of a day.
  fileprivate func owed(on day: Day) -> Int128 { held(day) }
}
