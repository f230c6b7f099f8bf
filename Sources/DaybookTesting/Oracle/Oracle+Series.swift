/// Goal: reimplement recurring transactions. Method: follow the documentation of the commands and
/// rule 13 of SCENARIOS.
import Daybook

extension Oracle {
  mutating func put(_ given: Series) throws {
    let old = series.first { $0.id == given.id }
    if old != nil { return try replace(given, .seriesOnly) }
    var new = try checked(given)
    new.number = number(.series)
    new.skipped = skippedSpans(new.skipped)
    series.append(new)
  }

  mutating func replace(_ given: Series, _ scope: SeriesScope) throws {
    let index = try seriesIndex(given.id)
    let old = series[index]
    var new = try checked(given)
    new.number = old.number
    new.skipped = skippedSpans(old.skipped + new.skipped)
    let rows = rows(of: old.id)
    let isMoved = (old.schedule, old.anchor) != (new.schedule, new.anchor)
    var covered: Day?
    switch scope {
    case .seriesOnly: covered = rows.compactMap(\.occurrence).max()?.adding(days: 1)
    case .future(let from), .all(let from):
      if rows.contains(where: { ($0.occurrence ?? .max) < from }) { covered = from }
      let ends = (old.end, old.countMax) != (new.end, new.countMax)
      for row in rows {
        guard let due = row.occurrence else { continue }
        if case .future = scope, due < from { continue }
        if isMoved || ends, due >= from, !dueDays(of: new, through: due).contains(due) {
          try remove(try self.index(of: row.id))
        } else {
          var wish = try amendment(old.template, new.template)
          let (was, becomes) = (self.day(of: due, old), self.day(of: due, new))
          if due >= from, row.day == was, was != becomes { wish.day = becomes }
          try amend(row.id, wish)
        }
      }
    }
    let (was, becomes) = (description(of: old), description(of: new))
    for index in transactions.indices
    where was != becomes && transactions[index].series == old.id
      && transactions[index].description == was
    {
      var wish = Amendment()
      wish.description = becomes
      try amend(transactions[index].id, wish)
    }
    if isMoved, let covered, new.anchor < covered {
      new.skipped = skippedSpans(new.skipped + [new.anchor..<covered])
    }
    series[index] = new
  }

  private func amendment(_ old: SeriesTemplate, _ new: SeriesTemplate) throws -> Amendment {
    var wish = Amendment()
    let states = old.accountAmount != nil || new.accountAmount != nil
    let isMoved = old.account != new.account || old.accountAmount != new.accountAmount
    if old.type != new.type || old.parts != new.parts || !new.parts.isEmpty && states && isMoved {
      wish.shape = shape(of: new)
      wish.changesImportedTotal = true
      return wish
    }
    if old.amount != new.amount { wish.amount = new.amount }
    if old.account != new.account { wish.account = new.account ?? .outside }
    if new.type == .transfer {
      if old.otherAccount != new.otherAccount { wish.otherAccount = new.otherAccount ?? .outside }
    } else if old.category != new.category, new.parts.isEmpty {
      wish.category =
        new.category ?? (new.type == .income ? .uncategorizedIncome : .uncategorizedExpense)
    }
    wish.isOfSeries = wish.amount != nil || wish.account != nil || wish.otherAccount != nil
    return wish
  }

  /// Returns a valid recurring transaction.
  ///
  /// Several checks can fail, so no particular code is expected.
  private func checked(_ given: Series) throws -> Series {
    do {
      var new = given
      new.name = try checkedName(given.name)
      let template = given.template
      try check(TransactionDetails(description: template.description))
      try check(template.amount.minorUnits >= 0, .negative)
      try check(template.amount.currency)
      let account = try usable(template.account, [])
      _ = try usable(template.otherAccount, [])
      if !template.parts.isEmpty {
        try check(template.type != .transfer, nil)
        try check(template.category == nil && template.otherAccount == nil, nil)
        // Each part must be valid, and their sum must be what the account pays or receives.
        var split = template
        split.accountAmount = nil
        let made = try outsidePostings(shape(of: split), given.anchor)
        try check(Set(made.map(\.amount.currency)) == [template.amount.currency], nil)
        let total = Int128(template.amount.minorUnits) * (template.type == .income ? 1 : -1)
        try check(made[0].amount.minorUnits == total, .unbalanced)
      } else if template.type == .transfer {
        try check(template.category == nil && template.amount.minorUnits > 0, .transfer)
        try check(template.account != template.otherAccount, .transfer)
        try check(account.map { $0.currency == template.amount.currency } ?? true, nil)
      } else {
        let kind: CategoryKind = template.type == .income ? .income : .expense
        try check(try usable(template.category, kind, []).kind == kind, .kind)
        try check(template.otherAccount == nil, .kind)
      }
      try check(given.anchor.isInRange, .day)
      return new
    } catch { throw OracleRefusal(nil) }
  }

  mutating func removeSeries(_ id: SeriesID, withRows: Bool) throws {
    let index = try seriesIndex(id)
    for row in rows(of: id) {
      let place = try self.index(of: row.id)
      if withRows {
        do { try remove(place) } catch { throw OracleRefusal(nil) }
      } else {
        transactions[place].series = nil
        transactions[place].occurrence = nil
      }
    }
    series.remove(at: index)
  }

  // MARK: Rows

  /// Returns the occurrences of a recurring transaction, in the order of their due dates.
  func rows(of id: SeriesID) -> [Transaction] {
    transactions.filter { $0.series == id }
      .sorted { ($0.occurrence ?? .min) < ($1.occurrence ?? .min) }
  }

  mutating func generateDue(through day: Day) throws {
    try check(day.isInRange, .day)
    for series in series { try generate(series, through: day) }
  }

  private mutating func generate(_ series: Series, through day: Day) throws {
    var ahead = series.ahead
    // This range is long enough for all occurrences that test scripts record in advance.
    for due in dueDays(of: series, through: day.adding(days: 4_000)) where !isSkipped(due, series) {
      let on = self.day(of: due, series)
      if on > day {
        if ahead == 0 { break }
        ahead -= 1
      }
      let id = TransactionID(of: series, due: due)
      if rows(of: series.id).contains(where: { $0.occurrence == due }) { continue }
      if let closed = settings?.closedThrough, on <= closed { continue }
      if transactions.contains(where: { $0.id == id }) { continue }
      let unused = givenIDs
      do {
        var draft = Draft(shape(of: series.template), on: on)
        draft.id = id
        draft.description = description(of: series)
        var row = try transaction(of: draft)
        row.series = series.id
        row.occurrence = due
        try insert(row, verb: true)
      } catch is OracleRefusal {
        givenIDs = unused
        return
      }
    }
  }

  private func description(of series: Series) -> String {
    series.template.description.isEmpty ? series.name : series.template.description
  }

  /// Returns the postings of a split as if its account had no currency.
  private func outsidePostings(_ shape: Draft.Shape, _ day: Day) throws -> [Posting] {
    guard case .split(var split) = shape else { return [] }
    let own = split.account
    split.account = nil
    try check(!split.parts.contains { $0.account != nil && $0.account == own }, .transfer)
    return try postings(.split(split), day, [])
  }

  func shape(of template: SeriesTemplate) -> Draft.Shape {
    if !template.parts.isEmpty {
      let moved = template.accountAmount.flatMap { given -> Money? in
        let account = accounts.first { $0.id == template.account }
        guard let account, account.currency != template.amount.currency else { return nil }
        let units = template.type == .income ? given.minorUnits : -given.minorUnits
        return Money(units, given.currency)
      }
      return .split(
        Draft.Split(
          account: template.account, kind: template.type == .income ? .income : .expense,
          parts: template.parts, accountAmount: moved))
    }
    if template.type == .transfer {
      return .transfer(
        Draft.Transfer(template.amount, from: template.account, to: template.otherAccount))
    }
    return .entry(
      Draft.Entry(
        template.type == .income ? .income : .expense, template.amount, account: template.account,
        category: template.category))
  }

  mutating func pause(_ id: SeriesID, after day: Day) throws {
    try check(day.isInRange, .day)
    let index = try seriesIndex(id)
    let from = day.adding(days: 1)
    series[index].pausedFrom = min(series[index].pausedFrom ?? from, from)
    try removeRows(of: id, after: day)
  }

  mutating func stop(_ id: SeriesID, after day: Day) throws {
    try check(day.isInRange, .day)
    let index = try seriesIndex(id)
    let end = day.adding(days: 1)
    series[index].end = min(series[index].end ?? end, end)
    try removeRows(of: id, after: day)
  }

  private mutating func removeRows(of id: SeriesID, after day: Day) throws {
    for row in rows(of: id) where row.occurrence ?? .min > day && row.day > day {
      do { try remove(try index(of: row.id)) } catch { throw OracleRefusal(nil) }
    }
  }

  mutating func resume(_ id: SeriesID, on day: Day) throws {
    try check(day.isInRange, .day)
    let index = try seriesIndex(id)
    guard let from = series[index].pausedFrom else { throw OracleRefusal(.value) }
    series[index].pausedFrom = nil
    if from < day { series[index].skipped = skippedSpans(series[index].skipped + [from..<day]) }
    try generate(series[index], through: day)
  }

  mutating func skip(_ link: SeriesLink) throws {
    if let terms = linkedTerms(link) {
      let isDue = dueDays(of: terms, through: link.occurrence).contains(link.occurrence)
      try check(terms.loan == nil && isDue, .day)
      for row in rows(of: link.series) where row.occurrence == link.occurrence {
        try delete(try self.index(of: row.id))
      }
      return markSkipped(link)
    }
    let index = try seriesIndex(link.series)
    try check(dueDays(of: series[index], through: link.occurrence).contains(link.occurrence), .day)
    for row in rows(of: link.series) where row.occurrence == link.occurrence {
      try delete(try self.index(of: row.id))
    }
    markSkipped(link)
  }

  mutating func unskip(_ link: SeriesLink) throws {
    if let terms = linkedTerms(link), terms.loan == nil {
      skipped.remove(TransactionID(ofInterestOn: terms.account, due: link.occurrence))
      return
    }
    let index = try seriesIndex(link.series)
    skipped.remove(TransactionID(of: series[index], due: link.occurrence))
    series[index].skipped = skippedSpans(
      series[index].skipped.flatMap { span in
        span.filter { $0 != link.occurrence }.map { $0..<$0.adding(days: 1) }
      })
  }

  mutating func markSkipped(_ link: SeriesLink) {
    let id: TransactionID
    if let terms = linkedTerms(link), terms.loan == nil {
      id = TransactionID(ofInterestOn: terms.account, due: link.occurrence)
    } else if let index = series.firstIndex(where: { $0.id == link.series }) {
      id = TransactionID(of: series[index], due: link.occurrence)
    } else {
      return
    }
    if !transactions.contains(where: { $0.id == id }) { skipped.insert(id) }
  }

  mutating func link(_ id: TransactionID, _ link: SeriesLink?) throws {
    let index = try index(of: id)
    if let link {
      try check(link.occurrence.isInRange, .day)
      if let terms = linkedTerms(link) {
        let isDue = dueDays(of: terms, through: link.occurrence).contains(link.occurrence)
        try check(isDue, .day)
        let isOnAccount = touches(transactions[index], .account(terms.account))
        try check(isOnAccount || terms.loan != nil, .shape)
      } else {
        _ = try seriesIndex(link.series)
      }
      let others = rows(of: link.series).filter { $0.occurrence == link.occurrence }
      try check(others.allSatisfy { $0.id == id }, .inUse)
    }
    let old = transactions[index].seriesLink
    transactions[index].series = link?.series
    transactions[index].occurrence = link?.occurrence
    if let old, old != link { markSkipped(old) }
  }

  /// Returns the terms that a transaction is linked to.
  private func linkedTerms(_ link: SeriesLink) -> AccountTerms? {
    terms.first { SeriesID.interest(on: $0.account) == link.series }
  }

  func seriesIndex(_ id: SeriesID) throws -> Int {
    guard let found = series.firstIndex(where: { $0.id == id }) else {
      throw OracleRefusal(.missing)
    }
    return found
  }

  /// Returns the upcoming payments.
  func upcoming(through last: Day, today: Day) -> [UpcomingPayment] {
    var found: [UpcomingPayment] = []
    let there = Set(transactions.map(\.id))
    for series in series {
      let rows = rows(of: series.id)
      for row in rows where row.day > today && row.day <= last {
        found.append(
          UpcomingPayment(
            series: series, due: row.occurrence ?? row.day, day: row.day, transaction: row.compared,
            isOverdue: false))
      }
      for due in dueDays(of: series, through: last.adding(days: 400))
      where !isSkipped(due, series) {
        let on = self.day(of: due, series)
        if on > last { continue }
        if rows.contains(where: { $0.occurrence == due }) { continue }
        if let closed = settings?.closedThrough, on <= closed { continue }
        if there.contains(TransactionID(of: series, due: due)) { continue }
        found.append(
          UpcomingPayment(
            series: series, due: due, day: on, transaction: nil, isOverdue: on <= today))
      }
    }
    return found.sorted { ($0.day, $0.series.number, $0.due) < ($1.day, $1.series.number, $1.due) }
  }
}
