import DaybookEntities

extension BookkeepingState {
  mutating func open(_ new: NewAccount) throws(Refusal) -> Outcome {
    let name = try checkedName(new.name, of: "the account")
    try checkFree(account: name, except: nil)
    try check(new.currency)
    if let opening = new.opening {
      try check(opening, in: new.currency, "the opening balance", of: name)
    }
    var details = new.details
    details.name = name
    details.identifiers = try checkedIdentifiers(
      new.identifiers, of: name, in: new.currency, except: nil)
    var account = Account(
      id: try freshID(new.id), name: name, currency: new.currency, opening: new.opening,
      openingDay: new.openingDay)
    account.details = details
    try check(account.excess, of: "account “\(name)”")
    try checkOpening(account, before: nil)
    try emit(nil, account)
    return .account(account.id)
  }

  /// Changes an account's properties.
  mutating func amend(
    _ id: AccountID, _ given: AccountChange
  ) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    let old = stored.entity
    var change = given
    if given.seen != nil {
      let merge = Merge(
        policy: try reading { try settings().mergePolicy }, what: "account “\(old.name)”",
        id: id.rawValue)
      change = try change.merged(into: old.details, merge)
    }
    var new = old
    change.apply(to: &new.details)
    if let name = change.name {
      new.name = try checkedName(name, of: "account “\(old.name)”")
      if !old.isDeleted { try checkFree(account: new.name, except: id) }
    }
    if let identifiers = change.identifiers {
      new.identifiers = try checkedIdentifiers(
        identifiers, of: old.name, in: old.currency, except: id)
    }
    try check(new.excess, of: "account “\(old.name)”")
    try emit(stored, new)
    return .account(id)
  }

  /// Returns the distinct IBANs and numbers of an account.
  ///
  /// Refuses a number of another account in the same currency. Banks use one number for accounts in
  /// several currencies.
  mutating func checkedIdentifiers(
    _ identifiers: [String], of name: String, in currency: Currency, except id: AccountID?
  ) throws(Refusal) -> [String] {
    guard !identifiers.isEmpty else { return [] }
    guard identifiers.count <= Limits.identifierCountMax else {
      throw Refusal(
        .limit,
        "account “\(name)” can have at most \(Limits.identifierCountMax) numbers; remove some first"
      )
    }
    var keys: Set<String> = []
    var checked: [String] = []
    for identifier in identifiers {
      try check(
        identifier, "a number of account “\(name)”", max: Limits.identifierByteCountMax)
      let key = Account.identifierKey(identifier)
      guard !key.isEmpty else {
        throw Refusal(.value, "a number of account “\(name)” is empty; remove it")
      }
      guard keys.insert(key).inserted else { continue }
      checked.append(identifier)
      let others = try reading { try accounts(numbered: key) }
      guard let other = others.first(where: { $0.id != id && $0.currency == currency }) else {
        continue
      }
      let shared = other.identifiers.first { Account.identifierKey($0) == key } ?? identifier
      throw Refusal(
        .duplicateName,
        "account “\(other.name)” already has the number \(shared); remove it there first",
        [other.id.rawValue])
    }
    return checked
  }

  /// Closes or reopens an account.
  mutating func setClosed(_ id: AccountID, _ isClosed: Bool) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    try checkNotDeleted(stored.entity)
    var new = stored.entity
    new.isClosed = isClosed
    try emit(stored, new)
    return .account(id)
  }

  /// Sets an account's opening balance.
  mutating func setOpening(
    _ id: AccountID, _ opening: Money, _ day: Day?
  ) throws(Refusal) -> Outcome {
    let stored = try requiredStored(id)
    try checkNotDeleted(stored.entity)
    var new = stored.entity
    try check(opening, in: new.currency, "the opening balance", of: new.name)
    new.openingBalance = opening.minorUnits
    new.openingDay = day
    try checkOpening(new, before: stored.entity)
    try emit(stored, new)
    return .account(id)
  }

  /// Refuses an amount that isn't in its account's currency.
  func check(
    _ money: Money, in currency: Currency, _ what: String, of name: String
  ) throws(Refusal) {
    guard money.currency == currency else {
      throw Refusal(
        .currencyMismatch,
        "\(what) of account “\(name)”, \(money), isn't in the account's currency; give it in "
          + "\(currency)"
      )
    }
  }

  /// Refuses an opening balance on an invalid day, or an opening balance that changes the figures
  /// of the closed period.
  mutating func checkOpening(_ new: Account?, before old: Account?) throws(Refusal) {
    let name = new?.name ?? old?.name ?? ""
    if let day = new?.openingDay {
      try check(day, "the day \(day) of the opening balance of account “\(name)”")
    }
    guard let through = try reading({ try settings().closedThrough }) else { return }
    let before = old.flatMap { $0.closedOpening(through) }
    let after = new.flatMap { $0.closedOpening(through) }
    guard before?.units == after?.units, before?.day == after?.day else {
      throw Refusal(
        .closedPeriod,
        "can't change the opening balance of account “\(name)”: the books are closed through "
          + "\(through); reopen the period first, or give the opening balance a later day"
      )
    }
  }

  /// Returns an account that exists and is not built in, with its record, or refuses.
  mutating func requiredStored(_ id: AccountID) throws(Refusal) -> Stored<Account> {
    let account = try required(id)
    return try stored(id.rawValue) ?? Stored(entity: account, record: account.record())
  }

  func checkNotDeleted(_ account: Account) throws(Refusal) {
    guard !account.isDeleted else {
      throw Refusal(
        .closed,
        "account “\(account.name)” is deleted and keeps only its transactions; use another account",
        [account.id.rawValue])
    }
  }

  private mutating func checkFree(account name: String, except id: AccountID?) throws(Refusal) {
    guard let other = try reading({ try account(named: name) }), other.id != id else { return }
    throw Refusal(
      .duplicateName,
      "an account “\(other.name)” already exists; choose another name", [other.id.rawValue])
  }
}

extension Account {
  /// The opening balance, if it is included in the balance at the end of a day; `nil` if it is zero
  /// or starts later.
  fileprivate func closedOpening(_ through: Day) -> (units: Int64, day: Day?)? {
    guard openingBalance != 0, openingDay ?? through <= through else { return nil }
    return (openingBalance, openingDay)
  }
}
