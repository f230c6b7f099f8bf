extension BookkeepingState {
  /// The postings of a split.
  mutating func postings(
    for split: Draft.Split, on day: Day, _ existing: [Posting]
  ) throws(Refusal) -> [Posting] {
    guard (1...Limits.partCountMax).contains(split.parts.count) else {
      throw Refusal(
        .limit,
        "a split can have 1 to \(Limits.partCountMax) parts, not \(split.parts.count); divide it "
          + "into several transactions"
      )
    }
    let account = try usableAccount(split.account, existing)
    var categories: [Posting] = []
    var nets = CurrencySums()
    for part in split.parts {
      let posting = try self.posting(for: part, of: split, existing)
      categories.append(posting)
      nets.add(-Int128(posting.amount.minorUnits), posting.amount.currency)
    }
    guard let account else {
      try checkSame(split.accountAmount, parts: nets)
      let id = split.account ?? .outside
      return try nets.sums.map { sum throws(Refusal) in
        Posting(.account(id), try money(sum, "the sum of the split's parts"))
      } + categories
    }
    return try settle(split, account, nets, categories, on: day)
  }

  /// Adds the account's posting, and Exchange postings if parts are in other currencies.
  private mutating func settle(
    _ split: Draft.Split, _ account: Account, _ nets: CurrencySums, _ categories: [Posting],
    on day: Day
  ) throws(Refusal) -> [Posting] {
    let own = nets[account.currency]
    let foreign = nets.sums.filter { $0.currency != account.currency }
    if foreign.isEmpty {
      let net = try money(
        Total(units: own, currency: account.currency), "the sum of the split's parts")
      try checkSame(split.accountAmount, net, account.id)
      return [Posting(.account(account.id), net)] + categories
    }
    var exchanged: Int128 = 0
    if let given = split.accountAmount {
      guard given.currency == account.currency else {
        throw Refusal.mismatch(given, account, "give the amount in that currency")
      }
      exchanged = Int128(given.minorUnits) - own
    } else {
      for sum in foreign {
        exchanged += try convert(sum, to: account, on: day)
      }
    }
    var postings = [
      Posting(
        .account(account.id),
        try money(
          Total(units: own + exchanged, currency: account.currency), "the sum of the split's parts")
      ),
      Posting(
        .account(.exchange),
        try money(Total(units: -exchanged, currency: account.currency), "the exchanged sum")),
    ]
    for sum in foreign {
      postings.append(Posting(.account(.exchange), try money(sum, "the exchanged sum")))
    }
    return postings + categories
  }

  /// The posting of a part on its category or other account.
  mutating func posting(
    for part: Draft.Part, of split: Draft.Split, _ existing: [Posting]
  ) throws(Refusal) -> Posting {
    guard part.amount.minorUnits >= 0 else {
      throw Refusal(
        .negative,
        "the part of \(part.amount) of a split is negative; give a positive amount, and mark a "
          + "part in the other direction, such as a refund, as reversed"
      )
    }
    if let account = part.account {
      return try posting(for: part, to: account, of: split, existing)
    }
    let category = try usableCategory(part.category, split.kind, existing)
    try check(part.amount.currency)
    try check(
      part.note, "the note of the part for \(name(category.id))",
      max: Limits.postingNoteByteCountMax)
    let isIn = (category.kind == .expense) != part.isReversed
    let units = part.amount.minorUnits
    return Posting(
      .category(category.id), Money(isIn ? units : -units, part.amount.currency), note: part.note)
  }

  /// The posting of a part that goes to another account.
  private mutating func posting(
    for part: Draft.Part, to id: AccountID, of split: Draft.Split, _ existing: [Posting]
  ) throws(Refusal) -> Posting {
    guard part.category == nil else {
      throw Refusal(
        .shape,
        "a part of a split has both the category \(name(part.category ?? .uncategorizedExpense)) "
          + "and the account \(name(id)); give one of them, or divide it into two parts",
        [id.rawValue])
    }
    guard id != split.account ?? .outside, id != .exchange else {
      throw Refusal(
        .transfer,
        "a part of a split on \(name(split.account ?? .outside)) can't go to \(name(id)); choose "
          + "another account, or a category",
        [id.rawValue])
    }
    try check(part.amount.currency)
    try check(
      part.note, "the note of the part for \(name(id))", max: Limits.postingNoteByteCountMax)
    if let account = try usableAccount(id, existing), account.currency != part.amount.currency {
      throw Refusal.mismatch(
        part.amount, account,
        "give the part in that currency, and the amount of the split's account")
    }
    let units = part.amount.minorUnits
    return Posting(
      .account(id), Money(part.isReversed ? -units : units, part.amount.currency), note: part.note)
  }

  private func checkSame(_ given: Money?, parts: CurrencySums) throws(Refusal) {
    guard let given else { return }
    guard parts.sums.count == 1, Total(given) == parts.sums[0] else {
      throw Refusal(
        .currencyMismatch,
        "a split without an account can't have the account amount \(given); leave it out")
    }
  }

  /// Returns a total as an amount, or refuses it if it is too large.
  func money(_ total: Total, _ what: @autoclosure () -> String) throws(Refusal) -> Money {
    guard let money = total.money else {
      throw Refusal(
        .overflow,
        "\(what()), \(total), is too large for one amount; divide it into several transactions")
    }
    return money
  }
}

/// Sums by currency, in the order in which the currencies were added.
struct CurrencySums {
  var sums: [Total] = []

  subscript(currency: Currency) -> Int128 {
    for sum in sums where sum.currency == currency { return sum.units }
    return 0
  }

  mutating func add(_ units: Int128, _ currency: Currency) {
    for index in sums.indices where sums[index].currency == currency {
      sums[index].units += units
      return
    }
    sums.append(Total(units: units, currency: currency))
  }
}
