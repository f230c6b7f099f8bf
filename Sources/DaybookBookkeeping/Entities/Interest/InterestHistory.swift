/// Interest that has fallen due and isn't posted or paid yet.
public struct DueInterest: Hashable, Sendable, Codable {
  /// The due day.
  public var due: Day
  /// The interest since the previous due day, rounded half to even.
  public var amount: Total

  /// Creates interest that is due.
  public init(due: Day, amount: Total) {
    self.due = due
    self.amount = amount
  }
}

/// The interest that an account has accrued and that isn't posted or paid yet.
///
/// Amounts are positive: earned on an asset account, owed on a liability account.
public struct AccruedInterest: Hashable, Sendable, Codable {
  /// The account.
  public var account: AccountID
  /// The day at whose end the interest has accrued.
  public var day: Day
  /// The interest of due days up to the day that isn't posted or paid, oldest first.
  public var due: [DueInterest]
  /// The interest since the last due day, or since the terms began.
  public var current: ExactAmount

  /// Creates accrued interest.
  public init(account: AccountID, day: Day, due: [DueInterest], current: ExactAmount) {
    self.account = account
    self.day = day
    self.due = due
    self.current = current
  }

  /// The sum of all of it.
  public var total: ExactAmount {
    var sum = current
    for one in due { sum.numerator += one.amount.units * sum.denominator }
    return sum
  }
}

extension AccruedInterest {
  private enum CodingKeys: String, CodingKey { case account, day, due, current, total }

  /// Writes the properties, and the sum as `total`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(account, forKey: .account)
    try container.encode(day, forKey: .day)
    try container.encode(due, forKey: .due)
    try container.encode(current, forKey: .current)
    try container.encode(total, forKey: .total)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    account = try container.decode(AccountID.self, forKey: .account)
    day = try container.decode(Day.self, forKey: .day)
    due = try container.decode([DueInterest].self, forKey: .due)
    current = try container.decode(ExactAmount.self, forKey: .current)
  }
}

/// The transaction that posts the interest of a due day, or pays it.
package struct DueSettlement: Hashable, Sendable {
  /// The transaction; `nil` if nothing is to be posted, because the transaction was deleted.
  package var transaction: TransactionID?
  /// The day that counts on the account.
  package var day: Day
  /// The minor units that the transaction adds to the account.
  package var units: Int128
  /// The minor units in categories, in the account's currency: a payment's interest.
  package var categorised: Int128

  /// A due day for which nothing is to be posted.
  package static let waived = DueSettlement(transaction: nil, day: .min, units: 0, categorised: 0)

  init(transaction: TransactionID?, day: Day, units: Int128, categorised: Int128) {
    self.transaction = transaction
    self.day = day
    self.units = units
    self.categorised = categorised
  }

  /// Creates the settlement by a transaction.
  package init(_ transaction: Transaction, on account: Account) {
    self.init(
      transaction: transaction.id, day: transaction.day(on: account.id), units: 0, categorised: 0)
    for posting in transaction.postings where posting.amount.currency == account.currency {
      switch posting.account {
      case .account(account.id): units += Int128(posting.amount.minorUnits)
      case .account: break
      case .category: categorised += Int128(posting.amount.minorUnits)
      }
    }
  }
}

/// What interest is computed from: an account's terms, daily balances, and postings so far.
package struct InterestHistory: Sendable {
  /// The terms.
  package var terms: AccountTerms
  private let account: Account
  /// The balance at the end of each day, from ``AccountTerms/from`` on; the last one stays.
  private let balances: [Int128]
  private let settlements: [Day: DueSettlement]
  private let closedThrough: Day?

  /// Creates the history of an account.
  ///
  /// - Parameters:
  ///   - balances: The balances at the end of each of ``days(of:through:)``.
  ///   - settlements: The settled due days.
  ///   - closedThrough: The last day of the closed period, whose unposted interest isn't due.
  package init(
    _ terms: AccountTerms, of account: Account, balances: [Int128],
    settlements: [Day: DueSettlement], closedThrough: Day?
  ) {
    self.terms = terms
    self.account = account
    self.balances = balances
    self.settlements = settlements
    self.closedThrough = closedThrough
  }

  /// The days whose balances are required to compute interest through a day.
  package static func days(of terms: AccountTerms, through last: Day) -> ClosedRange<Day> {
    terms.from...max(terms.from, last)
  }

  /// The balance at the end of a day, positive if it bears interest.
  func held(_ day: Day) -> Int128 {
    let index = min(terms.from.distance(to: day), balances.count - 1)
    guard index >= 0 else { return 0 }
    return account.kind == .liability ? -balances[index] : balances[index]
  }

  /// The transaction that settles a due day; `nil` if the interest is due on or after it.
  func settlement(of due: Day, by day: Day = .max) -> DueSettlement? {
    guard let found = settlements[due] else {
      return closedThrough.map { due <= $0 } ?? false ? .waived : nil
    }
    return found.day <= day ? found : nil
  }

  /// Whether a transaction is linked to one of the due days.
  var hasTransactions: Bool { settlements.values.contains { $0.transaction != nil } }

  /// The denominator of sums of ``interest(of:on:in:)``.
  var denominator: Int128 { InterestRate.unit * terms.yearDenominator }

  /// The interest of one day on a balance, in minor units ÷ ``denominator``.
  ///
  /// - Throws: `MoneyError.overflow`.
  func interest(
    on day: Day, of balance: Int128, in period: (after: Day, through: Day)
  ) throws(MoneyError) -> Int128 {
    guard balance > 0 else { return 0 }
    let factor =
      Int128(terms.rate(on: day).millionths) * terms.yearPart(of: day, in: period)
    let (product, overflow) = balance.multipliedReportingOverflow(by: factor)
    // A sum of a hundred years must fit.
    guard !overflow, product.magnitude < UInt128(1) << 110 else { throw tooLarge }
    return product
  }

  private var tooLarge: MoneyError {
    .overflow("the interest on \(Total(units: balances.last ?? 0, currency: account.currency))")
  }

  /// Returns the interest that has accrued by the end of a day and isn't posted or paid by then.
  ///
  /// If interest is capitalised, interest that is due but not posted counts as if it were.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func accrued(through last: Day) throws(MoneyError) -> AccruedInterest {
    var found = AccruedInterest(
      account: account.id, day: last, due: [],
      current: ExactAmount(0, over: denominator, account.currency))
    guard last > terms.from else { return found }
    let postsSimply = terms.loan == nil && !terms.isCapitalised
    let posted = postsSimply ? unitsByDay() : [:]
    // Posted interest that bears no interest, and due interest that does.
    var (retained, capitalised): (Int128, Int128) = (0, 0)
    var index = terms.index(reaching: terms.from.adding(days: 1))
    var period = (after: terms.due(index - 1), through: terms.due(index))
    var day = terms.from
    while day < last {
      let before = held(day)
      if postsSimply, day > terms.from {
        let own = posted[day] ?? 0
        let change = before - held(day.adding(days: -1)) - own
        retained += own
        if change < 0 { retained = max(0, retained + change) }
      }
      day = day.adding(days: 1)
      if day > period.through {
        index += 1
        period = (period.through, terms.due(index))
      }
      found.current.numerator += try interest(
        on: day, of: before - retained + capitalised, in: period)
      guard day == period.through, index >= 0, index < terms.dueCount else { continue }
      if settlement(of: day, by: last) == nil {
        let amount = found.current.rounded
        if amount.units != 0 { found.due.append(DueInterest(due: day, amount: amount)) }
        if terms.isCapitalised, terms.loan == nil { capitalised += amount.units }
      }
      found.current.numerator = 0
    }
    // The current period may have been posted or paid early.
    let next = max(index, 0) + (period.through == last && index >= 0 ? 1 : 0)
    if next < terms.dueCount, let early = settlement(of: terms.due(next), by: last),
      early.transaction != nil
    {
      found.current.numerator = 0
    }
    return found
  }

  /// The minor units that linked transactions add to the balance, by day.
  private func unitsByDay() -> [Day: Int128] {
    var sums: [Day: Int128] = [:]
    for settlement in settlements.values where settlement.transaction != nil {
      let units = account.kind == .liability ? -settlement.units : settlement.units
      sums[settlement.day, default: 0] += units
    }
    return sums
  }
}
