/// A transaction that an app wants recorded.
///
/// Amounts are positive; the constructor says which way they go.
public struct Draft: Hashable, Sendable {
  /// What went where.
  public var shape: Shape
  /// The calendar day it happened on; later than today, it is planned.
  public var day: Day
  /// The id it shall have; without one it gets a new one.
  public var id: TransactionID?
  /// What it was.
  public var description: String
  /// Whom it was paid to or came from.
  public var payee: String
  /// Free text.
  public var note: String
  /// Free labels.
  public var tags: [String]
  /// How far it has been checked.
  public var status: Status
  /// The day from which the bank counts it, where that is another.
  public var valueDay: Day?
  /// The number that stands on the paper: of a cheque, an invoice.
  public var code = ""
  /// That it comes from elsewhere; set by imports.
  public var importIdentity: ImportIdentity?
  /// The series and due day it belongs to.
  public var series: SeriesLink?
  /// The rule that chose the category; it has to be there.
  public var categorizedBy: RuleID?

  /// A draft of a shape.
  public init(
    _ shape: Shape, on day: Day, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) {
    self.shape = shape
    self.day = day
    self.id = id
    self.description = description
    self.payee = payee
    self.note = note
    self.tags = tags
    self.status = status
  }
}

/// A place in a recurring series.
public struct SeriesLink: Hashable, Sendable, Codable {
  /// The series that the row belongs to, which has to be there.
  public var series: SeriesID
  /// The due day.
  public var occurrence: Day

  /// A due day of a series.
  public init(_ series: SeriesID, due occurrence: Day) {
    self.series = series
    self.occurrence = occurrence
  }
}

extension Draft {
  /// What went where, before rates and currencies are looked up.
  public enum Shape: Hashable, Sendable {
    /// One account and one category.
    case entry(Entry)
    /// Two accounts.
    case transfer(Transfer)
    /// One account and several categories.
    case split(Split)
    /// Anything, spelled out; must sum to zero in every currency.
    case postings([Posting])
  }

  /// Which way an entry goes.
  public enum Direction: Hashable, Sendable {
    /// Out of the account into an expense category.
    case expense
    /// Out of an expense category into the account: it was spent less than before.
    case refund
    /// Out of an income category into the account.
    case income
    /// Out of the account into an income category: it was earned less than before.
    case incomeReversal
  }

  /// One account and one category.
  public struct Entry: Hashable, Sendable {
    /// Which way.
    public var direction: Direction
    /// How much, in any currency.
    public var amount: Money
    /// The account; `nil` for Outside.
    public var account: AccountID?
    /// The category; `nil` for the uncategorised one.
    public var category: CategoryID?
    /// How much in the account's currency, where it is another; `nil` to compute it by the day's rate.
    public var accountAmount: Money?

    /// An amount between an account and a category; the direction says which way.
    public init(
      _ direction: Direction, _ amount: Money, account: AccountID?, category: CategoryID?,
      accountAmount: Money? = nil
    ) {
      self.direction = direction
      self.amount = amount
      self.account = account
      self.category = category
      self.accountAmount = accountAmount
    }
  }

  /// From one account to another.
  public struct Transfer: Hashable, Sendable {
    /// How much, in the source's currency.
    public var amount: Money
    /// The source; `nil` for Outside.
    public var source: AccountID?
    /// The target; `nil` for Outside.
    public var target: AccountID?
    /// How much in the target's currency, where it is another; `nil` to compute it by the day's rate.
    public var targetAmount: Money?

    /// An amount from one account to another.
    public init(
      _ amount: Money, from source: AccountID?, to target: AccountID?, targetAmount: Money? = nil
    ) {
      self.amount = amount
      self.source = source
      self.target = target
      self.targetAmount = targetAmount
    }
  }

  /// One part of a split; its category's kind says which way it goes.
  public struct Part: Hashable, Sendable {
    /// How much.
    public var amount: Money
    /// The category; `nil` for the uncategorised one of the split's direction.
    public var category: CategoryID?
    /// Free text.
    public var note: String
    /// Whether it goes the other way: out of an expense category, or into one of income.
    public var isReversed: Bool

    /// A positive amount for a category, or out of it where `isReversed`.
    public init(
      _ amount: Money, _ category: CategoryID?, note: String = "", isReversed: Bool = false
    ) {
      self.amount = amount
      self.category = category
      self.note = note
      self.isReversed = isReversed
    }
  }

  /// One account and several categories, of income and expense alike.
  public struct Split: Hashable, Sendable {
    /// The account; `nil` for Outside.
    public var account: AccountID?
    /// What parts without a category are.
    public var kind: CategoryKind
    /// What the account's amount is made of: 1 to ``Limits/partCountMax``.
    public var parts: [Part]
    /// What the account gains (positive) or loses (negative) in its currency, where parts are in others;
    /// `nil` to compute it by the day's rates.
    public var accountAmount: Money?

    /// One account's amount, in parts.
    public init(
      account: AccountID?, kind: CategoryKind, parts: [Part], accountAmount: Money? = nil
    ) {
      self.account = account
      self.kind = kind
      self.parts = parts
      self.accountAmount = accountAmount
    }
  }
}
