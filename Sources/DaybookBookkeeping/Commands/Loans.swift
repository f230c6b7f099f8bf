/// A payment of a loan to record, divided into interest and principal automatically.
///
/// The interest goes to the category that the loan's terms name, and the principal to the loan's
/// account.
public struct LoanPayment: Hashable, Sendable {
  /// The loan's account.
  public var loan: AccountID
  /// The account that pays; `nil` for Outside.
  public var account: AccountID?
  /// The day of the payment; for an existing transaction, its day is kept.
  public var day: Day
  /// The amount, in the loan's currency; `nil` for the planned one.
  ///
  /// What exceeds the planned payment repays principal early.
  public var amount: Money?
  /// The due day that is paid; `nil` for the first unpaid one.
  public var due: Day?
  /// An existing transaction, such as an imported one, that becomes the payment; it keeps its day,
  /// account, amount and texts.
  public var transaction: TransactionID?
  /// The id of the new transaction; `nil` to generate one.
  public var id: TransactionID?
  /// The description of the new transaction.
  public var description: String

  /// Creates a new payment.
  public init(
    of loan: AccountID, from account: AccountID?, on day: Day, amount: Money? = nil,
    due: Day? = nil, description: String = ""
  ) {
    self.loan = loan
    self.account = account
    self.day = day
    self.amount = amount
    self.due = due
    self.description = description
  }

  /// Makes an existing transaction the payment of a loan.
  public init(of loan: AccountID, by transaction: Transaction, due: Day? = nil) {
    self.init(of: loan, from: nil, on: transaction.day, due: due)
    self.transaction = transaction.id
  }
}

/// An early repayment of a loan to record.
public struct LoanRepayment: Hashable, Sendable {
  /// The loan's account.
  public var loan: AccountID
  /// The account that pays; `nil` for Outside.
  public var account: AccountID?
  /// The day.
  public var day: Day
  /// The principal to repay, in the loan's currency; `nil` to repay everything with the interest
  /// accrued by the day.
  public var amount: Money?
  /// Whether later payments become lower; otherwise, there are fewer of them.
  public var lowersPayments: Bool
  /// The id of the new transaction; `nil` to generate one.
  public var id: TransactionID?
  /// The description of the new transaction.
  public var description: String

  /// Creates an early repayment.
  public init(
    of loan: AccountID, from account: AccountID?, on day: Day, amount: Money?,
    lowersPayments: Bool = false, description: String = ""
  ) {
    self.loan = loan
    self.account = account
    self.day = day
    self.amount = amount
    self.lowersPayments = lowersPayments
    self.description = description
  }
}

extension LoanPayment: Codable {
  private enum Key: String, CodingKey {
    case loan, account, day, amount, due, transaction, id, description
  }

  /// Writes the members that aren't `nil` or empty.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try container.encode(loan, forKey: .loan)
    try container.put(account, .account)
    try container.encode(day, forKey: .day)
    try container.put(amount, .amount)
    try container.put(due, .due)
    try container.put(transaction, .transaction)
    try container.put(description, .description)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      of: try container.decode(AccountID.self, forKey: .loan), from: try container.take(.account),
      on: try container.decode(Day.self, forKey: .day), amount: try container.take(.amount),
      due: try container.take(.due), description: try container.take(.description))
    transaction = try container.take(.transaction)
    id = try container.take(.id)
  }
}

extension LoanRepayment: Codable {
  private enum Key: String, CodingKey {
    case loan, account, day, amount, lowersPayments, id, description
  }

  /// Writes the members that aren't `nil`, empty or `false`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.put(id, .id)
    try container.encode(loan, forKey: .loan)
    try container.put(account, .account)
    try container.encode(day, forKey: .day)
    try container.put(amount, .amount)
    try container.put(lowersPayments, .lowersPayments)
    try container.put(description, .description)
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      of: try container.decode(AccountID.self, forKey: .loan), from: try container.take(.account),
      on: try container.decode(Day.self, forKey: .day), amount: try container.take(.amount),
      lowersPayments: try container.take(.lowersPayments),
      description: try container.take(.description))
    id = try container.take(.id)
  }
}
