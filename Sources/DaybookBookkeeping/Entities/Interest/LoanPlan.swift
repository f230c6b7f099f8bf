/// A payment of a loan's plan.
public struct PlannedPayment: Hashable, Sendable, Codable {
  /// The number of the payment, from 1.
  public var number: Int
  /// The due day.
  public var due: Day
  /// The interest.
  public var interest: Total
  /// The repaid principal.
  public var principal: Total
  /// The principal that remains after the payment.
  public var remaining: Total
  /// The transaction linked to the due day, if the payment was made.
  public var transaction: TransactionID?

  /// Creates a payment of a plan.
  public init(
    number: Int, due: Day, interest: Total, principal: Total, remaining: Total,
    transaction: TransactionID?
  ) {
    self.number = number
    self.due = due
    self.interest = interest
    self.principal = principal
    self.remaining = remaining
    self.transaction = transaction
  }

  /// The amount to pay, or paid: interest and principal.
  public var amount: Total {
    Total(units: interest.units + principal.units, currency: interest.currency)
  }
}

extension PlannedPayment {
  private enum CodingKeys: String, CodingKey {
    case number, due, amount, interest, principal, remaining, transaction
  }

  /// Writes the properties, and ``amount``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encode(due, forKey: .due)
    try container.encode(amount, forKey: .amount)
    try container.encode(interest, forKey: .interest)
    try container.encode(principal, forKey: .principal)
    try container.encode(remaining, forKey: .remaining)
    try container.encodeIfPresent(transaction, forKey: .transaction)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    due = try container.decode(Day.self, forKey: .due)
    interest = try container.decode(Total.self, forKey: .interest)
    principal = try container.decode(Total.self, forKey: .principal)
    remaining = try container.decode(Total.self, forKey: .remaining)
    transaction = try container.decodeIfPresent(TransactionID.self, forKey: .transaction)
  }
}

/// The plan of a loan's payments: those made, and those to come.
public struct LoanPlan: Hashable, Sendable, Codable {
  /// The account.
  public var account: AccountID
  /// The payments, by due day.
  public var payments: [PlannedPayment]
  /// The interest of all payments.
  public var interest: Total

  /// Creates the plan of an account.
  package init(account: AccountID, payments: [PlannedPayment], currency: Currency) {
    self.account = account
    self.payments = payments
    interest = Total(
      units: payments.reduce(0) { $0 + $1.interest.units }, currency: currency)
  }
}

extension InterestHistory {
  /// Returns the payments of a loan: linked transactions as they are, and planned payments on their
  /// due days, or today if they are overdue.
  ///
  /// The interest of a payment covers the days after the previous due day, on the amount owed at the
  /// end of each previous day. The payment is computed again at the first payment after a change of
  /// rate, and after an early repayment that lowers payments. The last payment repays the rest.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func plan(today: Day) throws(MoneyError) -> [PlannedPayment] {
    guard let loan = terms.loan else { return [] }
    var fold = PlanFold(self, loan, today: today)
    for index in 0..<terms.dueCount { try fold.take(index) }
    return fold.payments
  }
}

/// Walks over the due days of a loan.
private struct PlanFold {
  private let history: InterestHistory
  private let loan: LoanTerms
  private let today: Day
  private let perYear: Int
  /// The principal, if nothing has been paid out by the first due day.
  private let assumed: Int128
  /// The principal of planned payments that the account doesn't have yet, with the day from which it
  /// counts.
  private var repaid: [(from: Day, units: Int128)] = []
  private var repaidSum: Int128 = 0
  /// The payment, or with equal principal, the repaid part.
  private var level: Int128
  private var rate: InterestRate
  private var previous: Day
  private var lastPrincipal: Int128 = 0
  var payments: [PlannedPayment] = []

  init(_ history: InterestHistory, _ loan: LoanTerms, today: Day) {
    self.history = history
    self.loan = loan
    self.today = today
    let terms = history.terms
    perYear = 12 / terms.interval.monthCount
    let isEmpty =
      history.held(terms.from) == 0 && history.held(terms.firstDue) == 0
      && !history.hasTransactions
    assumed = isEmpty ? Int128(loan.principal.minorUnits) : 0
    rate = terms.rate(on: terms.from.adding(days: 1))
    previous = terms.from
    level = 0
    level = level(Int128(loan.principal.minorUnits), Int(clamping: loan.paymentCount))
  }

  mutating func take(_ index: Int) throws(MoneyError) {
    let terms = history.terms
    let due = terms.due(index)
    let left = Int(clamping: loan.paymentCount) - index
    adjust(before: due, left: left)
    var interest = ExactAmount(0, over: history.denominator, loan.principal.currency)
    var day = previous
    while day < due {
      let owed = owed(day)
      day = day.adding(days: 1)
      interest.numerator += try history.interest(on: day, of: owed, in: terms.period(of: day))
    }
    previous = due
    lastPrincipal = 0
    if let made = history.settlement(of: due) {
      guard let transaction = made.transaction else { return }
      lastPrincipal = made.day == due ? made.units : 0
      return add(
        index, due, interest: made.categorised, principal: made.units,
        remaining: owed(max(due, made.day)), transaction)
    }
    let on = max(due, today)
    let (owed, units) = (owed(on), interest.rounded.units)
    var principal = loan.repayment == .annuity ? max(0, level - units) : level
    if left == 1 || principal > owed { principal = owed }
    guard principal > 0 || units > 0 else { return }
    add(index, due, interest: units, principal: principal, remaining: owed - principal, nil)
    repaid.append((on, principal))
    repaidSum += principal
    lastPrincipal = on == due ? principal : 0
  }

  /// Computes the payment again if the rate has changed, or if early repayments lower it.
  private mutating func adjust(before due: Day, left: Int) {
    let current = history.terms.rate(on: previous.adding(days: 1))
    if current != rate, loan.repayment == .annuity {
      let owed = owed(previous)
      let count = count(repaying: owed, max: left)
      rate = current
      if owed > 0 { level = level(owed, count) }
    }
    for day in history.terms.loweredOn where day >= previous && day < due {
      // The number of payments is as it was before the early repayment.
      let before = owed(day.adding(days: -1)) - (day == previous ? lastPrincipal : 0)
      let (count, owed) = (count(repaying: before, max: left), owed(day))
      if owed > 0 { level = level(owed, count) }
    }
  }

  /// The amount owed at the end of a day.
  private func owed(_ day: Day) -> Int128 {
    var owed = history.held(day) + assumed - repaidSum
    // Nearly all days asked about are after the last planned payment.
    for one in repaid.reversed() {
      if one.from <= day { break }
      owed += one.units
    }
    return max(0, owed)
  }

  private func level(_ owed: Int128, _ count: Int) -> Int128 {
    switch loan.repayment {
    case .annuity:
      Annuity.payment(owed, count: count, rate: rate, periodsPerYear: perYear)
    case .equalPrincipal: ExactAmount.rounded(owed, by: Int128(max(count, 1)))
    }
  }

  private func count(repaying owed: Int128, max: Int) -> Int {
    let rate = loan.repayment == .annuity ? rate : .zero
    return Annuity.count(
      repaying: owed, payment: level, rate: rate, periodsPerYear: perYear, max: max)
  }

  private mutating func add(
    _ index: Int, _ due: Day, interest: Int128, principal: Int128, remaining: Int128,
    _ transaction: TransactionID?
  ) {
    func total(_ units: Int128) -> Total { Total(units: units, currency: loan.principal.currency) }
    payments.append(
      PlannedPayment(
        number: index + 1, due: due, interest: total(interest), principal: total(principal),
        remaining: total(remaining), transaction: transaction))
  }
}
