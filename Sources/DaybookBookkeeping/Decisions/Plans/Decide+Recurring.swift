import DaybookEntities

extension BookkeepingState {
  /// Generates all due recurring transactions; see `Command.generateDue(through:)`.
  mutating func generateDue(through day: Day) throws(Refusal) -> Outcome {
    try check(day, "the day \(day) to generate through")
    var report = GenerationReport()
    for series in try all(Series.self) {
      try generate(series.entity, through: day, &report)
    }
    return .generated(report)
  }

  /// Records the transactions of a series that are due through a day, and as many later ones as the
  /// series generates in advance.
  ///
  /// Skipped due dates, and due dates with a transaction (even if it has moved to another day), are
  /// left out. When a transaction is deleted or skipped, its id remains marked, so no device ever
  /// creates it twice.
  private mutating func generate(
    _ series: Series, through day: Day, _ report: inout GenerationReport
  ) throws(Refusal) {
    let taken = Set(try reading { try occurrences(of: series.id, on: nil) }.map(\.due))
    let known = try reading { try settings() }
    let closed = known.closedThrough
    let ids = SeriesRowIDs(series)
    var ahead = series.ahead
    // Weekends and holidays move a due date out of a closed period by at most a year.
    let first = min(day, closed ?? .min).adding(days: -366)
    for due in series.scheduledDays(from: first) {
      let on = series.day(for: due, holidays: known.holidays)
      if on > day, ahead <= 0 || series.pausedFrom.map({ due >= $0 }) ?? false { return }
      if series.isSkipped(due) { continue }
      let isSettled = taken.contains(due) || closed.map { on <= $0 } ?? false
      if isSettled, on <= day { continue }
      let id = ids.id(due: due)
      if try isMarked(id.rawValue) { continue }
      if on > day { ahead -= 1 }
      if isSettled { continue }
      if try isThere(id) { continue }
      guard report.recorded.count < Limits.generatedCountMax else {
        report.hasMore = true
        return
      }
      let link = SeriesLink(series.id, due: due)
      do throws(Refusal) {
        var draft = try draft(of: series, due: due, on: on)
        draft.id = id
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

  private mutating func draft(of series: Series, due: Day, on day: Day) throws(Refusal) -> Draft {
    let template = series.template
    var draft = Draft(
      try shape(of: template), on: day, description: series.rowDescription,
      payee: template.payee, note: template.note, tags: template.tags,
      status: template.isPending ? .pending : .cleared)
    draft.series = SeriesLink(series.id, due: due)
    return draft
  }

  /// The shape that a template records, without a day.
  mutating func shape(of template: SeriesTemplate) throws(Refusal) -> Draft.Shape {
    let moved = try accountAmount(of: template)
    if !template.parts.isEmpty { return .split(template.split(accountAmount: moved)) }
    guard template.type == .transfer else {
      return .entry(
        Draft.Entry(
          template.type == .income ? .income : .expense, template.amount,
          account: template.account, category: template.category, accountAmount: moved))
    }
    return .transfer(
      Draft.Transfer(
        template.amount, from: template.account, to: template.otherAccount, targetAmount: moved))
  }

  /// The amount of a template in the currency of its account (for a transfer, the destination
  /// account).
  ///
  /// `nil` if the currencies are equal, or if the template has no such amount.
  mutating func accountAmount(of template: SeriesTemplate) throws(Refusal) -> Money? {
    guard let given = template.accountAmount,
      let id = template.type == .transfer ? template.otherAccount : template.account, !id.isBuiltin
    else { return nil }
    let account = try required(id)
    return account.currency == template.amount.currency ? nil : given
  }

  // MARK: Pausing and stopping

  /// Pauses a series: removes its transactions after a day and stops generating.
  mutating func pause(_ id: SeriesID, after day: Day) throws(Refusal) -> Outcome {
    try check(day, "the day \(day) to pause after")
    let from = day.adding(days: 1)
    return try change(id, removingRowsAfter: day) {
      $0.pausedFrom = min($0.pausedFrom ?? from, from)
    }
  }

  /// Stops a series: removes its transactions after a day and sets its end.
  mutating func stop(_ id: SeriesID, after day: Day) throws(Refusal) -> Outcome {
    try check(day, "the day \(day) to stop after")
    let end = day.adding(days: 1)
    return try change(id, removingRowsAfter: day) { $0.end = min($0.end ?? end, end) }
  }

  /// Ends a pause: skips the due dates of the pause and generates the transactions due through
  /// `day`.
  mutating func resume(_ id: SeriesID, on day: Day) throws(Refusal) -> Outcome {
    try check(day, "the day \(day) to resume on")
    let stored = try required(id)
    guard let pausedFrom = stored.entity.pausedFrom else {
      throw Refusal(
        .value, "can't resume the recurring transaction “\(stored.entity.name)”: it isn't paused",
        [id.rawValue])
    }
    var series = stored.entity
    series.pausedFrom = nil
    if pausedFrom < day { series.skip(pausedFrom..<day) }
    try emit(stored, series)
    var report = GenerationReport()
    try generate(series, through: day, &report)
    return .generated(report)
  }

  private mutating func change(
    _ id: SeriesID, removingRowsAfter day: Day, _ body: (inout Series) -> Void
  ) throws(Refusal) -> Outcome {
    let stored = try required(id)
    var series = stored.entity
    body(&series)
    try emit(stored, series)
    try removeRows(of: id, after: day)
    return .entity(.series, id.rawValue)
  }

  /// Removes the transactions of a series that are both due and dated after a day.
  ///
  /// A later occurrence that was paid early has already happened; an earlier occurrence that was
  /// postponed is still owed.
  private mutating func removeRows(of id: SeriesID, after day: Day) throws(Refusal) {
    for row in try reading({ try occurrences(of: id, on: nil) }) where row.due > day {
      let stored = try required(row.transaction)
      if stored.entity.day > day { try remove(stored) }
    }
  }

  // MARK: Single occurrences

  /// Skips a due date: removes its transaction, or prevents it from being generated.
  mutating func skip(_ link: SeriesLink) throws(Refusal) -> Outcome {
    if try series(link) == nil, let terms = try terms(link) {
      guard terms.loan == nil, terms.isDue(link.occurrence) else {
        throw notDue(link, terms)
      }
      try skipRows(link)
      return .entity(.terms, link.series.rawValue)
    }
    let stored = try required(link.series)
    guard stored.entity.isScheduled(link.occurrence) else {
      throw Refusal(
        .day,
        "\(link.occurrence) isn't a due date of the recurring transaction “\(stored.entity.name)”; "
          + "list its due dates",
        [link.series.rawValue])
    }
    try skipRows(link)
    return .entity(.series, link.series.rawValue)
  }

  private mutating func skipRows(_ link: SeriesLink) throws(Refusal) {
    for row in try reading({ try occurrences(of: link.series, on: link.occurrence) }) {
      try delete(try required(row.transaction))
    }
    try markSkipped(link)
  }

  /// Allows the transaction of a skipped due date, or a deleted transaction, to be generated again.
  mutating func unskip(_ link: SeriesLink) throws(Refusal) -> Outcome {
    if try series(link) == nil, try terms(link) != nil, let id = try generatedID(link) {
      try unmark(id.rawValue)
      return .entity(.terms, link.series.rawValue)
    }
    let stored = try required(link.series)
    try unmark(TransactionID(of: stored.entity, due: link.occurrence).rawValue)
    var series = stored.entity
    series.unskip(link.occurrence)
    try emit(stored, series)
    return .entity(.series, link.series.rawValue)
  }

  /// Prevents the transaction of a due date from ever being generated again, if the series or the
  /// terms still exist.
  mutating func markSkipped(_ link: SeriesLink) throws(Refusal) {
    guard let id = try generatedID(link) else { return }
    // If the transaction exists, its id already prevents this, and deleting the transaction adds
    // the mark.
    if try !isThere(id) { try mark(id.rawValue) }
  }

  /// The id of the transaction that is generated for a due date; `nil` if none is, because the series
  /// or the terms don't exist, or because it is a payment of a loan.
  mutating func generatedID(_ link: SeriesLink) throws(Refusal) -> TransactionID? {
    if let series = try series(link) { return TransactionID(of: series, due: link.occurrence) }
    guard let terms = try terms(link), terms.loan == nil else { return nil }
    return TransactionID(ofInterestOn: terms.account, due: link.occurrence)
  }

  private mutating func series(_ link: SeriesLink) throws(Refusal) -> Series? {
    let stored: Stored<Series>? = try stored(link.series.rawValue)
    return stored?.entity
  }

  private mutating func terms(_ link: SeriesLink) throws(Refusal) -> AccountTerms? {
    let stored: Stored<AccountTerms>? = try stored(link.series.rawValue)
    return stored?.entity
  }

  private mutating func notDue(_ link: SeriesLink, _ terms: AccountTerms) -> Refusal {
    Refusal(
      .day,
      "\(link.occurrence) isn't a day on which interest or a payment of \(name(terms.account)) falls "
        + "due; see its terms",
      [link.series.rawValue])
  }

  private mutating func isThere(_ id: TransactionID) throws(Refusal) -> Bool {
    try reading { try record(.transaction, id.rawValue) } != nil
  }

  // MARK: Links

  /// Links a transaction to a due date.
  mutating func link(_ id: TransactionID, _ link: SeriesLink) throws(Refusal) -> Outcome {
    if try series(link) == nil, let terms = try terms(link) {
      let found = try required(id).entity
      guard terms.isDue(link.occurrence) else { throw notDue(link, terms) }
      let isOnAccount = found.postings.contains { $0.account == .account(terms.account) }
      guard isOnAccount || terms.loan != nil else {
        throw Refusal(
          .shape,
          "can't link \(found.title): it isn't on \(name(terms.account)); choose a transaction of that "
            + "account",
          [id.rawValue, link.series.rawValue])
      }
    }
    var amendment = Amendment()
    amendment.series = .some(link)
    return try amend(id, amendment)
  }

  /// Unlinks a transaction from its series.
  ///
  /// The transaction of its due date is not generated again.
  mutating func unlink(_ id: TransactionID) throws(Refusal) -> Outcome {
    var amendment = Amendment()
    amendment.series = .some(nil)
    return try amend(id, amendment)
  }

  /// Refuses an occurrence whose series doesn't exist, or that already has another transaction.
  mutating func check(_ link: SeriesLink, for id: TransactionID?) throws(Refusal) {
    try check(link.occurrence, "the due date \(link.occurrence)")
    let what: String
    if let series = try series(link) {
      what = "the recurring transaction “\(series.name)”"
    } else if let terms = try terms(link) {
      what = name(terms.account)
    } else {
      throw Refusal(
        .missing, "there is no recurring transaction with the id \(link.series); create it first",
        [link.series.rawValue])
    }
    let rows = try reading { try occurrences(of: link.series, on: link.occurrence) }
    guard let other = rows.first(where: { $0.transaction != id }) else { return }
    throw Refusal(
      .inUse,
      "\(what) already has a transaction for \(link.occurrence); unlink or delete that transaction "
        + "first, or choose another due date",
      [link.series.rawValue, other.transaction.rawValue])
  }

  /// Returns a series that exists, or refuses.
  mutating func required(_ id: SeriesID) throws(Refusal) -> Stored<Series> {
    guard let series: Stored<Series> = try stored(id.rawValue) else {
      throw Refusal(
        .missing, "there is no recurring transaction with the id \(id); check the id", [id.rawValue]
      )
    }
    return series
  }
}

extension Series {
  /// The description of each transaction.
  ///
  /// If the template has neither a description nor a payee, the description is the series' name.
  package var rowDescription: String {
    template.description.isEmpty && template.payee.isEmpty ? name : template.description
  }
}

extension Transaction {
  /// The occurrence of a recurring transaction that the transaction belongs to, or `nil`.
  public var seriesLink: SeriesLink? {
    series.map { SeriesLink($0, due: occurrence ?? day) }
  }
}
