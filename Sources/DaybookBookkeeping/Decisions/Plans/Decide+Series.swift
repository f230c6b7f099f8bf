import DaybookEntities

extension BookkeepingState {
  /// Adds or replaces a recurring transaction without changing its existing transactions, except
  /// for descriptions that it set.
  mutating func put(_ given: Series) throws(Refusal) -> Outcome {
    var series = try checked(given)
    if series.id == .unassigned { series.id = SeriesID(newID()) }
    let stored: Stored<Series>? = try stored(series.entityID)
    if let stored {
      try replace(stored, by: &series, .seriesOnly)
    } else {
      series.skipped = Series.united(series.skipped)
      try emit(stored, series)
    }
    return .entity(.series, series.entityID)
  }

  /// Replaces a recurring transaction.
  ///
  /// The scope determines which of its transactions change.
  mutating func amend(_ given: Series, _ scope: SeriesScope) throws(Refusal) -> Outcome {
    let stored = try required(given.id)
    switch scope {
    case .seriesOnly: break
    case .future(let from), .all(let from):
      try check(
        from, "the day \(from) from which the transactions of “\(given.name.excerpt)” change")
    }
    var series = try checked(given)
    try replace(stored, by: &series, scope)
    return .entity(.series, series.entityID)
  }

  /// Replaces a stored series without generating any occurrence twice.
  ///
  /// Skipped dates stay skipped, and a new schedule adds no due dates in the time that existing
  /// transactions cover.
  private mutating func replace(
    _ stored: Stored<Series>, by series: inout Series, _ scope: SeriesScope
  ) throws(Refusal) {
    let old = stored.entity
    series.number = old.number
    series.skipped = Series.united(old.skipped + series.skipped)
    let isMoved = old.schedule != series.schedule || old.anchor != series.anchor
    let rows = try reading { try occurrences(of: old.id, on: nil) }
    let coveredTo: Day?
    switch scope {
    case .seriesOnly: coveredTo = rows.map(\.due).max()?.adding(days: 1)
    case .future(let from):
      coveredTo = rows.contains { $0.due < from } ? from : nil
      try amendRows(rows.filter { $0.due >= from }, of: old, to: series, from: from)
    case .all(let from):
      coveredTo = rows.contains { $0.due < from } ? from : nil
      try amendRows(rows, of: old, to: series, from: from)
    }
    try describeRows(rows, of: old, as: series)
    if isMoved, let coveredTo, series.anchor < coveredTo { series.skip(series.anchor..<coveredTo) }
    try emit(stored, series)
  }

  /// Updates the description of all transactions that got it from the series.
  ///
  /// The scope of the change doesn't matter, because the description isn't a figure.
  ///
  /// Descriptions changed by a person or a rule are kept.
  private mutating func describeRows(
    _ rows: [Occurrence], of old: Series, as new: Series
  ) throws(Refusal) {
    guard old.rowDescription != new.rowDescription else { return }
    var amendment = Amendment()
    amendment.description = new.rowDescription
    for row in rows {
      // A transaction that is no longer due may have been removed.
      guard let stored: Stored<Transaction> = try stored(row.transaction.rawValue),
        stored.entity.description == old.rowDescription,
        !new.rowDescription.isEmpty || !stored.entity.payee.isEmpty
      else { continue }
      _ = try amend(row.transaction, amendment)
    }
  }

  private mutating func amendRows(
    _ rows: [Occurrence], of old: Series, to new: Series, from day: Day
  ) throws(Refusal) {
    let isMoved =
      old.schedule != new.schedule || old.anchor != new.anchor || old.end != new.end
      || old.countMax != new.countMax
    let due = isMoved ? dueDays(of: new, through: rows.map(\.due).max()) : []
    let amendment = try amendment(from: old.template, to: new.template)
    let holidays = try reading { try settings() }.holidays
    for row in rows {
      if isMoved, row.due >= day, !due.contains(row.due) {
        try remove(try required(row.transaction))
        continue
      }
      var amendment = amendment ?? Amendment()
      let days = [old, new].map { $0.day(for: row.due, holidays: holidays) }
      // A day that somebody chose stays.
      if row.due >= day, days[0] != days[1],
        try required(row.transaction).entity.day == days[0]
      {
        amendment.day = days[1]
      }
      if amendment != Amendment() { _ = try amend(row.transaction, amendment) }
    }
  }

  private func dueDays(of series: Series, through last: Day?) -> Set<Day> {
    guard let last else { return [] }
    return Set(series.scheduledDays.prefix { $0 <= last })
  }

  /// The amendment that applies a changed template to its transactions, or `nil` if there is
  /// nothing to amend.
  private mutating func amendment(
    from old: SeriesTemplate, to new: SeriesTemplate
  ) throws(Refusal) -> Amendment? {
    var amendment = Amendment()
    if old.payee != new.payee { amendment.payee = new.payee }
    if old.note != new.note { amendment.note = new.note }
    if old.tags != new.tags { amendment.tags = new.tags }
    // Without a stated amount, a split can move to another account and keep its parts.
    let movesSplit =
      !new.parts.isEmpty && (old.account, old.accountAmount) != (new.account, new.accountAmount)
      && (old.accountAmount ?? new.accountAmount) != nil
    if old.type != new.type || old.parts != new.parts || movesSplit {
      amendment.shape = try shape(of: new)
      // Changing a series is meant to change the amounts of its transactions, including imported
      // ones.
      amendment.changesImportedTotal = true
      return amendment
    }
    let isTransfer = new.type == .transfer
    if old.amount != new.amount { amendment.amount = new.amount }
    if old.account != new.account { amendment.account = new.account ?? .outside }
    if !isTransfer, new.parts.isEmpty, old.category != new.category {
      amendment.category =
        new.category ?? (new.type == .income ? .uncategorizedIncome : .uncategorizedExpense)
    }
    if isTransfer, old.otherAccount != new.otherAccount {
      amendment.otherAccount = new.otherAccount ?? .outside
    }
    if old.accountAmount != new.accountAmount || amendment.amount != nil || amendment.account != nil
      || amendment.otherAccount != nil
    {
      let moved = try accountAmount(of: new)
      amendment.isOfSeries = true
      if isTransfer { amendment.targetAmount = moved } else { amendment.accountAmount = moved }
    }
    return amendment == Amendment() ? nil : amendment
  }

  /// Returns a series with trimmed texts, or refuses it if it is invalid.
  private mutating func checked(_ given: Series) throws(Refusal) -> Series {
    var series = given
    series.name = try checkedName(given.name, of: "the recurring transaction")
    let what = "the recurring transaction “\(series.name)”"
    let template = series.template
    try check(
      TransactionDetails(
        description: template.description, payee: template.payee, note: template.note,
        tags: template.tags), of: what)
    try checkSize(template.amount, "the amount of \(what)")
    if let moved = template.accountAmount {
      try checkSize(moved, "the account's amount of \(what)")
    }
    try check(template, what)
    series.schedule.normalize()
    if let fault = series.schedule.fault { throw Refusal(.value, "\(what) \(fault)") }
    guard (0...Int64(Limits.aheadCountMax)).contains(series.ahead),
      (0...Limits.occurrenceCountMax).contains(series.countMax)
    else {
      throw Refusal(
        .limit,
        "\(what) can record at most \(Limits.aheadCountMax) transactions in advance and have at "
          + "most \(Limits.occurrenceCountMax) in total"
      )
    }
    guard series.tolerance >= 0 else {
      throw Refusal(
        .value, "\(what) can't have a negative tolerance; give the largest difference of an amount")
    }
    try check(series.anchor, "the first day of \(what)")
    for day in [series.end, series.pausedFrom].compactMap(\.self) {
      try check(day, "a day of \(what)")
    }
    var days = series.schedule.days(from: series.anchor)
    if series.schedule.hasParts, days.next() == nil {
      throw Refusal(
        .value, "\(what) would never be due, because no day matches its schedule; change its days")
    }
    try check(series.skipped.count, "skipped periods", of: what, max: Limits.skippedCountMax)
    return series
  }

  private mutating func check(_ template: SeriesTemplate, _ what: String) throws(Refusal) {
    let account = try usableAccount(template.account, [])
    let other = try usableAccount(template.otherAccount, [])
    try check(template.accountAmount, template, template.type == .transfer ? other : account, what)
    if !template.parts.isEmpty { return try checkParts(of: template, what) }
    guard template.type == .transfer else {
      let kind: CategoryKind = template.type == .income ? .income : .expense
      let category = try usableCategory(template.category, kind, [])
      guard category.kind == kind, template.otherAccount == nil else {
        throw Refusal(
          .kind,
          "\(what) is of kind \(kind): it takes \(kind) categories only, and no receiving account",
          [category.id.rawValue])
      }
      return
    }
    guard template.category == nil, template.account != template.otherAccount,
      template.amount.minorUnits > 0, template.accountAmount?.minorUnits != 0
    else {
      throw Refusal(
        .transfer,
        "\(what) is a transfer: it requires two accounts and amounts above zero, and takes no "
          + "category"
      )
    }
    if let account, account.currency != template.amount.currency {
      throw Refusal.mismatch(
        template.amount, account, "give the amount in the sending account's currency")
    }
  }

  /// Refuses parts that can't be recorded, or that don't make up the amount.
  private mutating func checkParts(
    of template: SeriesTemplate, _ what: String
  ) throws(Refusal) {
    guard template.type != .transfer, template.category == nil, template.otherAccount == nil else {
      throw Refusal(
        .shape,
        "\(what) is split into parts: it has no category or receiving account of its own, and must "
          + "be an expense or income; name them in the parts")
    }
    try check(template.parts.count, "parts", of: what, max: Limits.partCountMax)
    let split = template.split(accountAmount: nil)
    var sum: Int128 = 0
    for part in template.parts {
      let amount = try posting(for: part, of: split, []).amount
      guard amount.currency == template.amount.currency else {
        throw Refusal(
          .currencyMismatch,
          "\(what) is in \(template.amount.currency), but one of its parts is \(part.amount); give "
            + "all parts in one currency")
      }
      sum += Int128(amount.minorUnits)
    }
    let total = Total(
      units: template.type == .income ? -sum : sum, currency: template.amount.currency)
    guard total == Total(template.amount) else {
      throw Refusal(
        .unbalanced,
        "the parts of \(what) add up to \(total) instead of its amount of \(template.amount); "
          + "correct the parts or the amount")
    }
  }

  /// Refuses an account amount in a currency other than the account's.
  ///
  /// Without an account, nothing is converted, so the account amount must have the same currency as
  /// the template's amount.
  private func check(
    _ moved: Money?, _ template: SeriesTemplate, _ account: Account?, _ what: String
  ) throws(Refusal) {
    guard let moved, moved.currency != account?.currency ?? template.amount.currency else { return }
    guard let account else {
      throw Refusal(
        .currencyMismatch,
        "\(what) has a second amount, \(moved), but no account in that currency; leave it out")
    }
    throw Refusal.mismatch(moved, account, "give the second amount of \(what) in that currency")
  }

  /// Removes a series, and either removes its transactions or unlinks them.
  mutating func removeSeries(_ id: SeriesID, withRows: Bool) throws(Refusal) -> Outcome {
    let series = try required(id)
    let rows = try reading { try occurrences(of: id, on: nil) }
    for row in rows {
      let stored = try required(row.transaction)
      if withRows {
        try remove(stored)
      } else {
        var new = stored.entity
        new.series = nil
        new.occurrence = nil
        try emit(stored, new)
      }
    }
    try emit(series, nil)
    return .rows(rows.count)
  }
}
