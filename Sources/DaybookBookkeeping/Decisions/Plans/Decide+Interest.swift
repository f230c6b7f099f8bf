import DaybookEntities

/// Setting the terms on which accounts bear interest, and posting interest that is due.
extension BookkeepingState {
  /// Sets the terms of an account.
  mutating func put(_ terms: AccountTerms) throws(Refusal) -> Outcome {
    let account = try required(terms.account)
    try checkNotDeleted(account)
    let stored: Stored<AccountTerms>? = try stored(terms.entityID)
    try check(terms, of: account, isKnown: stored?.entity.category == terms.category)
    if let old = stored?.entity, !old.hasEqualDueDays(terms) {
      let last = try reading { try occurrences(of: .interest(on: account.id), on: nil) }
        .map(\.due).max()
      if let last, last > terms.from {
        throw Refusal(
          .inUse,
          "can't change the due days, day count or loan of account “\(account.name)” from "
            + "\(terms.from) on: \(last) is already settled; let the new terms begin on that day",
          [account.id.rawValue])
      }
    }
    try emit(stored, terms)
    return .entity(.terms, terms.entityID)
  }

  /// Removes the terms of an account, and unlinks its transactions.
  mutating func remove(termsOf id: AccountID) throws(Refusal) -> Outcome {
    guard let stored: Stored<AccountTerms> = try stored(TermsID(of: id).rawValue) else {
      throw noTerms(id)
    }
    try removeTerms(stored)
    return .entity(.terms, stored.entity.entityID)
  }

  /// Removes the terms of an account that is deleted or merged, if it has any.
  mutating func releaseTerms(of id: AccountID) throws(Refusal) {
    let stored: Stored<AccountTerms>? = try stored(TermsID(of: id).rawValue)
    if let stored { try removeTerms(stored) }
  }

  private mutating func removeTerms(_ stored: Stored<AccountTerms>) throws(Refusal) {
    let id = SeriesID(stored.entity.entityID)
    for row in try reading({ try occurrences(of: id, on: nil) }) {
      let transaction = try required(row.transaction)
      var new = transaction.entity
      new.series = nil
      new.occurrence = nil
      try emit(transaction, new)
    }
    try emit(stored, nil)
  }

  /// Posts the interest that is due through a day.
  mutating func postInterest(
    through day: Day, on only: AccountID?
  ) throws(Refusal) -> Outcome {
    try check(day, "the day \(day) to post interest through")
    var report = GenerationReport()
    if let only, try terms(of: only).entity.loan != nil {
      throw Refusal(
        .kind,
        "can't post interest on \(name(only)): a loan's interest is part of its payments; record a "
          + "payment",
        [only.rawValue])
    }
    for stored in try all(AccountTerms.self)
    where stored.entity.loan == nil && only ?? stored.entity.account == stored.entity.account {
      try post(stored.entity, through: day, &report)
    }
    return .generated(report)
  }

  private mutating func post(
    _ terms: AccountTerms, through day: Day, _ report: inout GenerationReport
  ) throws(Refusal) {
    let account = try required(terms.account)
    if account.isDeleted { return }
    let history = try history(of: terms, account, through: day)
    let due = try counting(account) { () throws(MoneyError) in
      try history.accrued(through: day).due
    }
    for one in due {
      guard report.recorded.count < Limits.generatedCountMax else {
        report.hasMore = true
        return
      }
      let link = SeriesLink(termsOf: account.id, due: one.due)
      do throws(Refusal) {
        guard let amount = one.amount.money else { throw tooLarge(account) }
        var draft = Draft(
          .entry(
            Draft.Entry(
              account.kind == .liability ? .expense : .income, amount, account: account.id,
              category: terms.category)),
          on: one.due, id: TransactionID(ofInterestOn: account.id, due: one.due),
          description: "Interest")
        draft.series = link
        let transaction = try transaction(of: draft)
        try emit(.transaction, transaction.entityID, number: nil, nil, transaction.record())
        report.recorded.append(transaction.id)
      } catch {
        guard error.code != .state else { throw error }
        report.faults.append(OccurrenceFault(link, error.code, error.message))
        return
      }
    }
  }

  // MARK: Reading

  /// The terms of an account, or a refusal.
  mutating func terms(of id: AccountID) throws(Refusal) -> Stored<AccountTerms> {
    _ = try required(id)
    guard let stored: Stored<AccountTerms> = try stored(TermsID(of: id).rawValue) else {
      throw noTerms(id)
    }
    return stored
  }

  private mutating func noTerms(_ id: AccountID) -> Refusal {
    Refusal(.missing, "\(name(id)) has no interest terms; set them first", [id.rawValue])
  }

  /// What the interest of an account through a day is computed from.
  mutating func history(
    of terms: AccountTerms, _ account: Account, through last: Day
  ) throws(Refusal) -> InterestHistory {
    guard last <= terms.lastDay else {
      throw Refusal(
        .limit,
        "can't compute the interest on account “\(account.name)” for more than a hundred years; "
          + "let its terms begin later",
        [account.id.rawValue])
    }
    var settlements: [Day: DueSettlement] = [:]
    for row in try reading({ try occurrences(of: .interest(on: account.id), on: nil) }) {
      let transaction = try required(row.transaction).entity
      settlements[row.due] = DueSettlement(transaction, on: account)
    }
    // A payment of a loan that was deleted is due again; interest that was deleted isn't.
    let posted = terms.loan == nil ? terms.dueDays(through: last) : []
    for due in posted where settlements[due] == nil {
      let id = TransactionID(ofInterestOn: account.id, due: due).rawValue
      if try reading({ try record(.transaction, id) }) != nil {
        settlements[due] = .waived
      } else if try isMarked(id) {
        settlements[due] = .waived
      }
    }
    var balances: [Int128] = []
    for day in InterestHistory.days(of: terms, through: last) {
      balances.append(try reading { try balance(of: account.id, on: day) })
    }
    return InterestHistory(
      terms, of: account, balances: balances, settlements: settlements,
      closedThrough: try reading { try settings() }.closedThrough)
  }

  /// Runs a computation, and refuses amounts that are too large for it.
  func counting<Value>(
    _ account: Account, _ body: () throws(MoneyError) -> Value
  ) throws(Refusal) -> Value {
    do throws(MoneyError) { return try body() } catch { throw tooLarge(account) }
  }

  func tooLarge(_ account: Account) -> Refusal {
    Refusal(
      .overflow,
      "the interest on account “\(account.name)” is too large for an amount; check its balance and "
        + "rates",
      [account.id.rawValue])
  }

  // MARK: Checks

  private mutating func check(
    _ terms: AccountTerms, of account: Account, isKnown: Bool
  ) throws(Refusal) {
    let what = "the terms of account “\(account.name)”"
    func refuse(_ code: Refusal.Code, _ message: String) throws(Refusal) {
      throw Refusal(code, message, [account.id.rawValue])
    }
    guard account.kind != .equity else {
      throw Refusal(
        .kind, "account “\(account.name)” bears no interest; choose an asset or a liability",
        [account.id.rawValue])
    }
    for day in [terms.from, terms.firstDue] + terms.rates.map(\.from) + terms.loweredOn {
      try check(day, "the day \(day) in \(what)")
    }
    guard !terms.rates.isEmpty, terms.rates.isAscending(by: \.from),
      terms.loweredOn.isAscending(by: \.self)
    else {
      return try refuse(
        .value, "\(what) require at least one rate, and their days must be ascending")
    }
    guard max(terms.rates.count, terms.loweredOn.count) <= Limits.rateStepCountMax else {
      return try refuse(
        .limit, "\(what) have more than \(Limits.rateStepCountMax) rates or lowered payments")
    }
    guard (1...31).contains(terms.dueDay), terms.due(0) == terms.firstDue else {
      return try refuse(
        .day,
        "the first due day \(terms.firstDue) in \(what) isn't on day \(terms.dueDay) of its month "
          + "or the last day of a shorter month; change one of them")
    }
    guard terms.firstDue > terms.from else {
      return try refuse(
        .day,
        "the first due day \(terms.firstDue) in \(what) isn't after the day they begin, "
          + "\(terms.from); choose a later one")
    }
    if !isKnown {
      _ = try usableCategory(
        terms.category, account.kind == .liability ? .expense : .income, [])
    }
    try check(terms.category, account.kind == .liability ? .expense : .income, of: what)
    guard let loan = terms.loan else { return }
    guard account.kind == .liability else {
      return try refuse(
        .kind, "account “\(account.name)” isn't a liability, so it can't be a loan; change its kind"
      )
    }
    guard loan.principal.currency == account.currency else {
      throw Refusal.mismatch(loan.principal, account, "give the principal in that currency")
    }
    guard loan.principal.minorUnits > 0 else {
      return try refuse(.value, "\(what) require a principal above zero")
    }
    let months = Int64(terms.interval.monthCount)
    guard (1...Int64(Limits.interestMonthCountMax) / months).contains(loan.paymentCount) else {
      return try refuse(
        .limit, "\(what) can have 1 to \(Int64(Limits.interestMonthCountMax) / months) payments")
    }
  }

  private mutating func check(
    _ category: CategoryID?, _ kind: CategoryKind, of what: String
  ) throws(Refusal) {
    guard let category, try anyCategory(category).kind != kind else { return }
    throw Refusal(
      .kind, "\(what) take a category of \(kind), but \(name(category)) isn't one",
      [category.rawValue])
  }
}

extension AccountTerms {
  /// The last day through which interest is computed.
  package var lastDay: Day { from.adding(months: Limits.interestMonthCountMax) }

  /// Whether other terms divide time and the loan in the same way.
  fileprivate func hasEqualDueDays(_ other: AccountTerms) -> Bool {
    from == other.from && dayCount == other.dayCount && interval == other.interval
      && firstDue == other.firstDue && dueDay == other.dueDay && loan == other.loan
  }
}

extension Array {
  fileprivate func isAscending(by day: (Element) -> Day) -> Bool {
    zip(self, dropFirst()).allSatisfy { day($0) < day($1) }
  }
}
