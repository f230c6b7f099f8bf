public import DaybookEntities

/// The rule by which a loan is repaid.
public enum Repayment: UInt8, NamedChoice {
  /// All payments are equal; each consists of interest and principal.
  case annuity = 0
  /// Each payment repays the same part of the principal, plus interest.
  case equalPrincipal = 1

  /// The case with code 0.
  public static var first: Repayment { .annuity }
}

/// The loan that an account's terms describe.
public struct LoanTerms: Hashable, Sendable {
  /// The amount owed when the terms begin, in the account's currency.
  public var principal: Money
  /// The number of payments, at least 1, over at most ``Limits/interestMonthCountMax`` months.
  public var paymentCount: Int64
  /// How the loan is repaid.
  public var repayment: Repayment

  /// Creates the terms of a loan.
  public init(principal: Money, paymentCount: Int64, repayment: Repayment = .annuity) {
    self.principal = principal
    self.paymentCount = paymentCount
    self.repayment = repayment
  }
}

/// The terms on which an account bears interest: a deposit, or a loan repaid in payments.
///
/// An account has at most one set of terms, whose id is derived from the account's. An asset account bears
/// interest while its balance is positive, a liability account while it is negative. Each day,
/// interest accrues on the balance at the end of the previous day, at the rate in force on the day.
/// It falls due on the *due days*, is rounded half to even then, and covers the days after the
/// previous due day, or after ``from``.
public struct AccountTerms: LedgerEntity {
  /// The recording number.
  public var number: UInt64
  /// The account.
  public var account: AccountID
  /// The day that the terms begin: interest accrues from the following day on, on the balance at
  /// the end of this day.
  public var from: Day
  /// The rates, in order of their days; before the first one, no interest accrues.
  public var rates: [RateStep]
  /// How days are counted.
  public var dayCount: DayCount
  /// Whether posted interest bears interest.
  ///
  /// If not, withdrawals take from posted interest first. Loans with payments ignore this.
  public var isCapitalised: Bool
  /// The distance between due days.
  public var interval: InterestInterval
  /// The first due day: of posted interest, or of a loan's payments.
  public var firstDue: Day
  /// The day of the month, 1 to 31, on which interest or payments fall due; in shorter months, the
  /// last day.
  public var dueDay: Int64
  /// The category of interest: income of an asset account, expense of a liability account; `nil`
  /// for *Uncategorised*.
  public var category: CategoryID?
  /// The loan to repay; `nil` if interest is posted to the account.
  public var loan: LoanTerms?
  /// The days of early repayments that lowered the later payments, instead of their number.
  public var loweredOn: [Day]

  /// The id, derived from the account's.
  public var id: TermsID { TermsID(of: account) }
  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of terms in the journal: 14.
  public static var kind: EntityKind { .terms }
}

extension AccountTerms {
  /// Creates terms of one rate.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - rate: The rate from the first day on; change ``rates`` for more.
  ///   - from: The day that the terms begin.
  ///   - dayCount: How days are counted.
  ///   - isCapitalised: Whether posted interest bears interest.
  ///   - interval: The distance between due days.
  ///   - firstDue: The first due day; by default, the last `dueDay` within one interval of `from`.
  ///   - dueDay: The day of the month; by default, the first due day's, or else that of `from`.
  ///   - category: The category of interest.
  ///   - loan: The loan to repay, if it is one.
  public init(
    of account: AccountID, rate: InterestRate, from: Day, dayCount: DayCount = .actual365,
    isCapitalised: Bool = false, interval: InterestInterval = .month, firstDue: Day? = nil,
    dueDay: Int? = nil, category: CategoryID? = nil, loan: LoanTerms? = nil
  ) {
    number = 0
    self.account = account
    self.from = from
    rates = [RateStep(from: from, rate: rate)]
    self.dayCount = dayCount
    self.isCapitalised = isCapitalised
    self.interval = interval
    let number = dueDay ?? (firstDue ?? from).day
    self.dueDay = Int64(number)
    self.firstDue =
      firstDue ?? Self.firstDue(after: from, every: interval.monthCount, on: number)
    self.category = category
    self.loan = loan
    loweredOn = []
  }

  /// Returns the last due day within one interval of a day.
  private static func firstDue(after day: Day, every months: Int, on number: Int) -> Day {
    let latest = day.adding(months: months)
    let due = latest.monthOf.day(number)
    return due <= latest ? due : latest.monthOf.adding(-1).day(number)
  }

  /// The rate in force on a day.
  public func rate(on day: Day) -> InterestRate {
    rates.last { $0.from <= day }?.rate ?? .zero
  }

  /// Monthly terms without rates.
  public static let blank = AccountTerms(
    number: 0, account: IDCoding.blank, from: DayCoding.blank, rates: [],
    dayCount: .first, isCapitalised: false, interval: .first, firstDue: DayCoding.blank, dueDay: 1,
    category: nil, loan: nil, loweredOn: [])

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> AccountTerms {
    let account = try p(1, "account", account, .id(), .plain)
    let from = try p(2, "from", from, .day, .plain)
    let rates = try p(3, "rates", rates, .list(), .plain)
    let dayCount = try p(4, "dayCount", dayCount, .choice(), .plain.register(2))
    let isCapitalised = try p(5, "isCapitalised", isCapitalised, .flag, .json("capitalised"))
    let interval = try p(6, "interval", interval, .choice(), .plain.register(2))
    let firstDue = try p(7, "firstDue", firstDue, .day, .plain.register(2))
    let dueDay = try p(8, "dueDay", dueDay, .number, .plain.register(2))
    let category = try p(9, "category", category, .optional(.id()), .plain)
    let given = self.loan
    let givenCount: Int64 = given?.paymentCount ?? 0
    let principal = try p(
      10, "principal", given?.principal, .optional(.money), .plain.register(2))
    let count = try p(11, "paymentCount", givenCount, .number, .plain.register(2))
    let repayment = try p(
      12, "repayment", given?.repayment, .optional(.choice()), .plain.register(2))
    let lowered = try p(13, "loweredOn", loweredOn, .list(), .plain)
    if principal == nil, count != 0 { try p.refuse("its payments have no principal") }
    let loan = principal.map {
      LoanTerms(principal: $0, paymentCount: count, repayment: repayment ?? .first)
    }
    return AccountTerms.init(
      number:account:from:rates:dayCount:isCapitalised:interval:firstDue:dueDay:category:loan:
      loweredOn:
    )(
      p.number, account, from, rates, dayCount, isCapitalised, interval, firstDue, dueDay,
      category, loan, lowered)
  }
}

extension Identifier where Owner == AccountTerms {
  /// The id of an account's terms, which is the same on every device.
  public init(of account: AccountID) {
    var hash = FNV128()
    for byte in "terms".utf8 { hash.add(byte) }
    hash.add(id: account.rawValue)
    self.init(EntityID(named: hash, on: Day(rawValue: 0)))
  }
}

extension SeriesLink {
  /// Creates a link to a day on which interest or a loan's payment falls due.
  ///
  /// Transactions are linked to the terms of an account as to a recurring transaction.
  public init(termsOf account: AccountID, due: Day) {
    self.init(.interest(on: account), due: due)
  }
}

extension Identifier where Owner == Series {
  /// The id by which transactions are linked to the terms of an account.
  package static func interest(on account: AccountID) -> SeriesID {
    SeriesID(TermsID(of: account).rawValue)
  }
}

extension Identifier where Owner == Transaction {
  /// The id of the transaction that posts the interest of a due day, which is the same on every
  /// device.
  package init(ofInterestOn account: AccountID, due: Day) {
    var hash = FNV128()
    for byte in "interest".utf8 { hash.add(byte) }
    hash.add(id: account.rawValue)
    hash.add(UInt64(due.biased), byteCount: 4)
    self.init(EntityID(named: hash, on: due))
  }
}
