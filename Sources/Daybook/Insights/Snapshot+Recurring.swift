import Balances
import Recurring

/// A payment that a recurring series will make or has not made yet.
public struct UpcomingPayment: Hashable, Sendable, Codable {
  /// The series that makes it; its template says what is paid.
  public var series: Series
  /// The day it is due.
  public var due: Day
  /// The day it counts on: that of its transaction, else the due day.
  public var day: Day
  /// Its transaction, where it has been generated ahead.
  public var transaction: Transaction?
  /// Whether it is due by today and has not been generated.
  public var isOverdue: Bool

  /// A payment to come.
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

/// What an account is expected to hold on the days to come.
public struct CashFlowForecast: Hashable, Sendable, Codable {
  /// The account that is looked at; balances are in its currency.
  public var account: Account
  /// The balance at the end of today, and of every further step up to the last day.
  public var balances: [DatedTotal]
  /// What could not be converted into the account's currency, and is not in the balances.
  public var unconverted: [Total]

  /// A forecast as a test or preview gives it.
  public init(account: Account, balances: [DatedTotal], unconverted: [Total]) {
    self.account = account
    self.balances = balances
    self.unconverted = unconverted
  }
}

extension Snapshot {
  /// A recurring series by its id.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func series(_ id: SeriesID) throws -> Series? { try entity(Series.self, id.rawValue) }

  /// The transactions of a series, in order of their due days.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(log n + rows of the series).
  public func occurrences(of series: SeriesID) throws -> [Occurrence] {
    var found: [Occurrence] = []
    try Recurring.forEachOccurrence(of: series, in: view) { found.append($0) }
    return found
  }

  /// Whether nothing is generated for a due day: it was skipped, its row deleted or unlinked, or a pause is over it.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func isSkipped(_ link: SeriesLink) throws -> Bool {
    guard let series = try series(link.series) else { return false }
    return try series.isSkipped(link.occurrence)
      || isMarked(TransactionID(of: series, due: link.occurrence))
  }

  /// Whether the row of an id was deleted, or is not to come.
  private func isMarked(_ id: TransactionID) throws -> Bool {
    try entity(Fingerprint.self, id.rawValue) != nil
  }

  /// The payments that series make up to a day, in order of their days: those generated ahead,
  /// those not generated yet, and those overdue.
  ///
  /// Skipped and paused occurrences, and due days in the closed period, are left out.
  ///
  /// - Parameters:
  ///   - last: The last day.
  ///   - today: Payments recorded up to this day have been made.
  ///   - account: Only payments out of or into this account.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(due days from each series' first to `last`).
  public func upcoming(through last: Day, today: Day, account: AccountID? = nil) throws
    -> [UpcomingPayment]
  {
    let closed = try settings().closedThrough ?? Day(rawValue: .min)
    var payments: [UpcomingPayment] = []
    for series in try series() {
      var taken: Set<Day> = []
      for row in try occurrences(of: series.id) {
        taken.insert(row.due)
        guard let found = try transaction(row.transaction), found.day > today, found.day <= last,
          account.map({ found.touches(.account($0)) }) ?? true
        else { continue }
        payments.append(
          UpcomingPayment(
            series: series, due: row.due, day: found.day, transaction: found, isOverdue: false))
      }
      if let account, !series.template.touches(account) { continue }
      let ids = SeriesRowIDs(series)
      for due in series.scheduledDays {
        if due > last { break }
        if due <= closed || taken.contains(due) || series.isSkipped(due) { continue }
        let id = ids.id(due: due)
        if try isMarked(id) || entity(Transaction.self, id.rawValue) != nil { continue }
        payments.append(
          UpcomingPayment(
            series: series, due: due, day: due, transaction: nil, isOverdue: due <= today))
      }
    }
    return payments.sorted {
      ($0.day, $0.series.number, $0.due) < ($1.day, $1.series.number, $1.due)
    }
  }

  /// What an account will hold, if nothing else happens than what is planned and recurs.
  ///
  /// balance(d) = balance at the end of d, planned rows with it, + Σ upcoming payments not generated
  /// yet with today < day ≤ d. Overdue payments count on the day after today. A payment in another
  /// currency counts with the account's amount that its series states, else by the rate of its day or
  /// the nearest earlier one, each rounded half-even; what has no rate is listed and left out.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - last: The last day.
  ///   - today: The day from which payments are expected; the first point.
  ///   - step: The distance of the points.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there is no such account,
  ///   `last` is before `today`, or there are more than ``LedgerLimits/seriesPointCountMax`` points.
  /// - Complexity: That of ``balanceSeries(of:over:every:)`` and
  ///   ``upcoming(through:today:account:)``.
  public func forecast(
    of account: AccountID, through last: Day, today: Day, every step: Step = .day
  ) throws -> CashFlowForecast {
    guard last >= today else {
      throw DaybookError(
        code: .invalidQuery, message: "The forecast ends on \(last), before \(today).",
        remedy: "Give a last day that is today or later.")
    }
    var balances = try balanceSeries(
      of: account, over: today..<last.adding(days: 1), every: step)
    let found = try known(account)
    var converter = Converter(to: found.currency)
    var movements: [(day: Day, units: Int128)] = []
    var unconverted: [Currency: Int128] = [:]
    for payment in try upcoming(through: last, today: today, account: account)
    where payment.transaction == nil {
      let day = max(payment.day, today.adding(days: 1))
      for movement in payment.series.template.movements(of: found) {
        let units = try converter.convert(movement.units, movement.currency, on: day, in: self)
        if let units {
          movements.append((day, units))
        } else {
          unconverted[movement.currency, default: 0] += movement.units
        }
      }
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

extension SeriesTemplate {
  /// Whether it takes from an account, or gives to it.
  fileprivate func touches(_ id: AccountID) -> Bool {
    // Where no account is given, its rows are on the one that is built in.
    account ?? .outside == id || type == .transfer && otherAccount ?? .outside == id
  }

  /// What one occurrence adds to an account.
  ///
  /// Sums rather than amounts: in an older ledger the account's amount may be any number.
  fileprivate func movements(of target: Account) -> [Total] {
    // The stated amount is that of the account, or of a transfer's target.
    let isOwn = amount.currency == target.currency
    let given = Total(amount)
    let stated =
      isOwn
      ? nil : accountAmount.map { Total(units: Int128($0.minorUnits), currency: target.currency) }
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
