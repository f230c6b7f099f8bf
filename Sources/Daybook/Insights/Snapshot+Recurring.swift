internal import DaybookEngine
import DaybookProjections

/// An upcoming or overdue payment of a recurring transaction.
public struct UpcomingPayment: Hashable, Sendable, Codable {
  /// The recurring transaction, whose template describes the payment.
  public var series: Series
  /// The due date.
  public var due: Day
  /// The effective day of the payment: the day of its transaction, or else the due date or the
  /// business day that ``Series/weekends`` chooses.
  public var day: Day
  /// The payment's transaction, if it has been generated in advance.
  public var transaction: Transaction?
  /// Whether the payment is due by today but has not been generated.
  public var isOverdue: Bool

  /// Creates an upcoming payment.
  public init(
    series: Series, due: Day, day: Day, transaction: Transaction?, isOverdue: Bool
  ) {
    self.series = series
    self.due = due
    self.day = day
    self.transaction = transaction
    self.isOverdue = isOverdue
  }
}

/// The expected balances of an account on future days.
public struct CashFlowForecast: Hashable, Sendable, Codable {
  /// The account; balances are in its currency.
  public var account: Account
  /// The balance at the end of today and at each further step up to the last day.
  public var balances: [DatedTotal]
  /// The amounts that couldn't be converted to the account's currency; the balances don't include
  /// them.
  public var unconverted: [Total]

  /// Creates a forecast, for tests and previews.
  public init(account: Account, balances: [DatedTotal], unconverted: [Total]) {
    self.account = account
    self.balances = balances
    self.unconverted = unconverted
  }
}

extension Snapshot {
  /// Returns the recurring transaction with the given id.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func series(_ id: SeriesID) throws -> Series? { try entity(Series.self, id.rawValue) }

  /// Returns the transactions of a recurring transaction, in order of their due dates.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n + rows of the series).
  public func occurrences(of series: SeriesID) throws -> [Occurrence] {
    var found: [Occurrence] = []
    try Recurring.forEachOccurrence(of: series, in: view) { found.append($0) }
    return found
  }

  /// Returns whether no transaction is generated for a due date.
  ///
  /// This is the case if the due date was skipped or is in a pause, or if its transaction was
  /// deleted or unlinked.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func isSkipped(_ link: SeriesLink) throws -> Bool {
    guard let series = try series(link.series) else {
      let terms = try entity(AccountTerms.self, link.series.rawValue)
      guard let terms, terms.loan == nil else { return false }
      return try isMarked(TransactionID(ofInterestOn: terms.account, due: link.occurrence))
    }
    return try series.isSkipped(link.occurrence)
      || isMarked(TransactionID(of: series, due: link.occurrence))
  }

  /// Returns whether the transaction with the given id was deleted or must not be generated.
  func isMarked(_ id: TransactionID) throws -> Bool {
    try entity(Fingerprint.self, id.rawValue) != nil
  }

  /// Returns the payments of recurring transactions up to a day, in order of their days.
  ///
  /// The result includes payments generated in advance, payments not generated yet, and overdue
  /// ones. Skipped and paused occurrences, and due dates in the closed period, are left out.
  ///
  /// - Parameters:
  ///   - last: The last day.
  ///   - today: The current day; payments recorded up to this day are not upcoming.
  ///   - account: If given, only payments from or to this account are included.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(transactions after `today` up to `last`, and due dates from the closed period
  ///   to `last`).
  public func upcoming(through last: Day, today: Day, account: AccountID? = nil) throws
    -> [UpcomingPayment]
  {
    let known = try settings()
    let closed = known.closedThrough ?? Day(rawValue: .min)
    let all = try series()
    var payments = try recordedPayments(all, through: last, today: today, account: account)
    // Weekends and holidays move a due date out of a closed period by at most a year.
    let first = closed.adding(days: -366)
    for series in all {
      if let account, !series.template.touches(account) { continue }
      var taken: Set<Day> = []
      try Recurring.forEachOccurrence(of: series.id, from: first, in: view) {
        taken.insert($0.due)
      }
      let ids = SeriesRowIDs(series)
      for due in series.scheduledDays(from: first) {
        let day = series.day(for: due, holidays: known.holidays)
        if day > last { break }
        if day <= closed || taken.contains(due) || series.isSkipped(due) { continue }
        let id = ids.id(due: due)
        if try isMarked(id) || entity(Transaction.self, id.rawValue) != nil { continue }
        payments.append(
          UpcomingPayment(
            series: series, due: due, day: day, transaction: nil, isOverdue: day <= today))
      }
    }
    return payments.sorted {
      ($0.day, $0.series.number, $0.due) < ($1.day, $1.series.number, $1.due)
    }
  }

  /// Returns the payments of recurring transactions that are recorded on days after `today`.
  private func recordedPayments(
    _ all: [Series], through last: Day, today: Day, account: AccountID?
  ) throws -> [UpcomingPayment] {
    let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var payments: [UpcomingPayment] = []
    guard !all.isEmpty, today < last else { return payments }
    try view.forEachEntity(
      .transaction, from: StatePosition(cluster: today.adding(days: 1).biased, number: 0),
      to: StatePosition(cluster: last.adding(days: 1).biased, number: 0)
    ) { position, id, record in
      guard let place = try Recurring.place(of: record), let series = byID[place.series] else {
        return true
      }
      let found = try Transaction(record, id: id, number: position.number)
      if account.map({ found.touches(.account($0)) }) ?? true {
        payments.append(
          UpcomingPayment(
            series: series, due: place.due, day: found.day, transaction: found, isOverdue: false))
      }
      return true
    }
    return payments
  }

  /// Returns the expected balances of an account, based on planned and recurring transactions.
  ///
  /// The balance on day *d* is the balance at the end of *d*, including planned transactions, plus
  /// all upcoming payments that aren't generated yet with today < day ≤ *d*. Overdue payments count
  /// on the day after today. For a payment in another currency, the amount in the account's
  /// currency is used if the series states one. Otherwise it is converted at the rate of its day or
  /// the nearest earlier one, rounded half to even. Amounts without a rate are left out and listed
  /// separately.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - last: The last day.
  ///   - today: The day of the first point; payments are expected after this day.
  ///   - step: The distance between later points, counted back from `last`.
  ///   - includesInterest: Whether to include the interest that falls due on the account, and the
  ///     planned payments of a loan.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account, `last` is before `today`, or there are more than
  ///   ``LedgerLimits/seriesPointCountMax`` points.
  /// - Complexity: The cost of ``balanceSeries(of:over:every:)`` and
  ///   ``upcoming(through:today:account:)``.
  public func forecast(
    of account: AccountID, through last: Day, today: Day, every step: Step = .day,
    includesInterest: Bool = false
  ) throws -> CashFlowForecast {
    guard last >= today else {
      throw DaybookError(
        code: .invalidQuery, message: "The forecast ends on \(last), before \(today).",
        remedy: "Pass a last day that is today or later.")
    }
    let found = try known(account)
    let points = try step.points(in: today..<last.adding(days: 1))
    var balances = try balances(of: found, on: points.first == today ? points : [today] + points)
    var converter = Converter(to: found.currency)
    var movements: [(day: Day, units: Int128)] = []
    var unconverted: [Currency: Int128] = [:]
    for payment in try upcoming(through: last, today: today, account: account)
    where payment.transaction == nil {
      let day = payment.expectedDay(today: today)
      for movement in payment.series.template.movements(of: found) {
        let units = try converter.convert(movement.units, movement.currency, on: day, in: self)
        if let units {
          movements.append((day, units))
        } else {
          unconverted[movement.currency, default: 0] += movement.units
        }
      }
    }
    if includesInterest {
      movements += try expectedInterest(of: found, through: last, today: today)
    }
    movements.sort { $0.day < $1.day }
    var (next, sum) = (0, Int128(0))
    for index in balances.indices {
      while next < movements.count, movements[next].day <= balances[index].day {
        sum += movements[next].units
        next += 1
      }
      balances[index].total.units += sum
    }
    return CashFlowForecast(
      account: found, balances: balances, unconverted: unconverted.sortedTotals())
  }
}

extension UpcomingPayment {
  /// The day on which forecasts count the payment; for an overdue payment, the day after `today`.
  func expectedDay(today: Day) -> Day { max(day, today.adding(days: 1)) }
}

extension SeriesTemplate {
  /// Returns whether payments go from or to an account.
  fileprivate func touches(_ id: AccountID) -> Bool {
    // Transactions without an account are recorded on the built-in account `outside`.
    account ?? .outside == id || type == .transfer && otherAccount ?? .outside == id
      || parts.contains { $0.account == id }
  }

  /// Returns the amounts that one occurrence adds to an account.
  ///
  /// The result is `Total`, not `Money`, because older versions didn't limit the account's amount.
  fileprivate func movements(of target: Account) -> [Total] {
    // The stated amount is the amount for the account or, in a transfer, for the destination.
    let isOwn = amount.currency == target.currency
    let given = Total(amount)
    let stated =
      isOwn
      ? nil : accountAmount.map { Total(units: Int128($0.minorUnits), currency: target.currency) }
    if account != target.id, !parts.isEmpty {
      return partMovements.filter { $0.account == target.id }.map { Total($0.amount) }
    }
    switch type {
    case .expense: return [negated(stated ?? given)]
    case .income: return [stated ?? given]
    case .transfer:
      return (account == target.id ? [negated(given)] : [])
        + (otherAccount == target.id ? [stated ?? given] : [])
    }
  }

  private func negated(_ total: Total) -> Total {
    Total(units: -total.units, currency: total.currency)
  }
}
