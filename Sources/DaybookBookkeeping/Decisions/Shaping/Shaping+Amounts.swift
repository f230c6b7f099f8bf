extension BookkeepingState {
  /// The account's amount for an amount in another currency, either given or converted at the day's
  /// rate.
  mutating func accountAmount(
    _ given: Money?, for amount: Money, account: Account, on day: Day
  ) throws(Refusal) -> Int64 {
    guard let given else {
      let units = try convert(Total(amount), to: account, on: day)
      return try money(
        Total(units: units, currency: account.currency), "\(amount) in \(account.currency)"
      ).minorUnits
    }
    guard given.currency == account.currency else {
      throw Refusal.mismatch(given, account, "give the amount in that currency")
    }
    guard given.minorUnits >= 0 else {
      throw Refusal(
        .negative,
        "the amount \(given) for account “\(account.name)” is negative; give a positive amount",
        [account.id.rawValue])
    }
    return given.minorUnits
  }

  /// Converts a sum to an account's currency at the day's rate.
  mutating func convert(
    _ sum: Total, to account: Account, on day: Day
  ) throws(Refusal) -> Int128 {
    guard let conversion = try conversion(from: sum.currency, to: account.currency, on: day) else {
      var refusal = Refusal(
        .noRate,
        "can't convert \(sum) to \(account.currency) for account “\(account.name)”: there is no "
          + "rate between \(sum.currency) and \(account.currency) on or before \(day); add a rate, "
          + "or give the amount in \(account.currency)",
        [account.id.rawValue])
      refusal.missingRates = [MissingRates(from: sum.currency, to: account.currency, on: day)]
      throw refusal
    }
    do throws(MoneyError) {
      return try conversion.convert(sum.units)
    } catch {
      throw Refusal(.overflow, error.description, [account.id.rawValue])
    }
  }

  /// The conversion between two currencies on a day, found by `Conversion.find`.
  mutating func conversion(
    from source: Currency, to target: Currency, on day: Day
  ) throws(Refusal) -> Conversion? {
    try reading {
      try Conversion.find(from: source, to: target, on: day, pivots: try pivots()) {
        try rate($0, $1, on: day)
      }?.conversion
    }
  }

  private mutating func pivots() throws -> [Currency] {
    let base = try settings().baseCurrency
    return (base.map { [$0] } ?? []) + (try ratedCurrencies()).filter { $0 != base }
  }

  /// Refuses postings that their accounts can't accept.
  mutating func check(_ postings: [Posting], _ existing: [Posting]) throws(Refusal) {
    guard postings.count >= 2 else {
      throw Refusal(
        .shape,
        "a transaction needs at least two postings, not \(postings.count); add the account or "
          + "category that the money comes from or goes to"
      )
    }
    guard postings.count <= Limits.postingCountMax else {
      throw Refusal(
        .limit,
        "a transaction can have at most \(Limits.postingCountMax) postings, not \(postings.count); "
          + "divide it into several transactions"
      )
    }
    for posting in postings {
      try check(
        posting.note, "the note of the posting on \(name(posting.account))",
        max: Limits.postingNoteByteCountMax)
      switch posting.account {
      case .account(let id):
        if let account = try usableAccount(id, existing) {
          guard account.currency == posting.amount.currency else {
            throw Refusal.mismatch(
              posting.amount, account, "exchange it through the built-in account Exchange")
          }
        } else {
          try check(posting.amount.currency)
        }
      case .category(let id):
        _ = try usableCategory(id, .expense, existing)
        try check(posting.amount.currency)
      }
    }
  }

  /// Refuses postings that don't sum to zero in every currency, and transfers that move nothing.
  mutating func checkBalance(_ postings: [Posting]) throws(Refusal) {
    if postings.count == 2, case .category = postings[1].account,
      postings[0].amount.currency == postings[1].amount.currency,
      Int128(postings[0].amount.minorUnits) + Int128(postings[1].amount.minorUnits) == 0
    {
      return
    }
    var sums = CurrencySums()
    for posting in postings {
      sums.add(Int128(posting.amount.minorUnits), posting.amount.currency)
    }
    for sum in sums.sums where sum.units != 0 {
      throw Refusal(
        .unbalanced,
        "the postings in \(sum.currency) add up to \(sum) instead of zero; correct the amounts, "
          + "and exchange currencies through the built-in account Exchange"
      )
    }
    try checkTransfer(postings)
  }

  private mutating func checkTransfer(_ postings: [Posting]) throws(Refusal) {
    var accounts: [AccountID] = []
    var moves = false
    for posting in postings {
      switch posting.account {
      case .category: return
      case .account(let id):
        moves = moves || posting.amount.minorUnits != 0
        if id != .exchange, !accounts.contains(id) { accounts.append(id) }
      }
    }
    guard moves, accounts.count > 1 else {
      throw Refusal(
        .transfer,
        "a transfer needs two accounts and an amount above zero, but this one moves "
          + (moves ? "money within \(accounts.first.map { name($0) } ?? "Exchange")" : "nothing"))
    }
  }
}
