import DaybookEntities

extension BookkeepingState {
  /// Closes the ledger through a day.
  mutating func close(through day: Day) throws(Refusal) -> Outcome {
    try check(day, "the day \(day) to close the books through")
    let stored = try storedSettings()
    if let through = stored?.entity.closedThrough, day < through {
      throw Refusal(
        .day,
        "the books are already closed through \(through); to reopen days, reopen the period")
    }
    var new = stored?.entity ?? LedgerSettings()
    new.closedThrough = day
    try emit(stored, new)
    return .done
  }

  /// Reopens the days after a day, or all days.
  mutating func reopen(after day: Day?) throws(Refusal) -> Outcome {
    if let day { try check(day, "the day \(day) to reopen the books after") }
    let stored = try storedSettings()
    if let day, day > stored?.entity.closedThrough ?? .min {
      throw Refusal(
        .day,
        "the books are already open after \(day)"
          + (stored?.entity.closedThrough.map { ": they are closed through \($0)" } ?? ""))
    }
    var new = stored?.entity ?? LedgerSettings()
    new.closedThrough = stored?.entity.closedThrough == nil ? nil : day
    try emit(stored, stored == nil ? nil : new)
    return .done
  }

  /// Changes settings.
  mutating func set(_ change: SettingsChange) throws(Refusal) -> Outcome {
    let stored = try storedSettings()
    var new = stored?.entity ?? LedgerSettings()
    if let base = change.baseCurrency {
      if let base { try check(base) }
      new.baseCurrency = base
    }
    if let weekday = change.firstWeekday {
      guard (1...7).contains(weekday) else {
        throw Refusal(
          .value, "\(weekday) isn't a weekday; give 1 (Monday) to 7 (Sunday)")
      }
      new.firstWeekday = weekday
    }
    new.mergePolicy = change.mergePolicy ?? new.mergePolicy
    for day in change.addedHolidays + change.removedHolidays {
      try check(day, "the holiday \(day)")
    }
    let holidays = Set(new.holidays).union(change.addedHolidays).subtracting(change.removedHolidays)
    try check(holidays.count, "holidays", of: "the ledger", max: Limits.holidayCountMax)
    new.holidays = holidays.sorted()
    try emit(stored, new)
    return .done
  }

  private mutating func storedSettings() throws(Refusal) -> Stored<LedgerSettings>? {
    try stored(LedgerSettings.id)
  }

  /// Sets the rate of a day.
  ///
  /// A rate can be added for a closed period because rates aren't part of a period's figures: each
  /// converted total is reported with the rates used.
  mutating func set(_ rate: ExchangeRate) throws(Refusal) -> Outcome {
    try check(rate.day, "the day \(rate.day) of the rate from \(rate.base) to \(rate.quoted)")
    try check(rate.base)
    try check(rate.quoted)
    guard rate.base != rate.quoted else {
      throw Refusal(
        .value, "a rate from \(rate.base) to itself has no effect; choose two currencies")
    }
    let stored: Stored<ExchangeRate>? = try stored(rate.entityID)
    try emit(stored, rate)
    return .entity(.rate, rate.entityID)
  }

  /// Removes the rate of a day.
  mutating func removeRate(
    _ base: Currency, _ quoted: Currency, _ day: Day
  ) throws(Refusal) -> Outcome {
    let id = ExchangeRate.id(base: base, quoted: quoted, day: day)
    guard let stored: Stored<ExchangeRate> = try stored(id.rawValue) else {
      throw Refusal(
        .missing, "can't remove the rate from \(base) to \(quoted): there is none on \(day)",
        [id.rawValue])
    }
    try emit(stored, nil)
    return .entity(.rate, id.rawValue)
  }

  /// Defines a currency.
  mutating func define(_ definition: CurrencyDefinition) throws(Refusal) -> Outcome {
    let currency = definition.currency
    guard currency.isWellFormed else {
      throw Refusal(
        .currency,
        "invalid currency; use a code of 1 to 7 letters (A–Z) or digits, and 0 to 18 decimals")
    }
    guard Currency.iso(packedCode: currency.packedCode) == nil else {
      throw Refusal(
        .duplicateID,
        "\(currency) is an ISO 4217 currency and needs no definition; choose another code")
    }
    var new = definition
    if !new.name.isEmpty { new.name = try checkedName(new.name, of: "currency \(currency)") }
    let stored: Stored<CurrencyDefinition>? = try stored(definition.entityID)
    if let known = stored?.entity.currency, known != currency {
      throw Refusal(
        .inUse,
        "can't redefine \(currency), which has \(known.digits) decimals: amounts depend on "
          + "them; choose another code"
      )
    }
    try emit(stored, new)
    return .entity(.currency, definition.entityID)
  }

  /// Records a balance assertion.
  mutating func state(
    _ id: AccountID, _ balance: Money, on day: Day, note: String, id given: AssertionID
  ) throws(Refusal) -> Outcome {
    let account = try required(id)
    try check(day, "the day \(day) of the balance of account “\(account.name)”")
    try check(balance, in: account.currency, "the stated balance", of: account.name)
    try check(
      note, "the note of the balance of account “\(account.name)”", max: Limits.noteByteCountMax)
    let assertion = BalanceAssertion(
      id: given == .unassigned ? AssertionID(newID()) : given, account: id, day: day,
      balance: balance, note: note)
    let stored: Stored<BalanceAssertion>? = try stored(assertion.entityID)
    try emit(stored, assertion)
    return .entity(.assertion, assertion.entityID)
  }
}
