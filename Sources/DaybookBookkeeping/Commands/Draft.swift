/// A transaction to record.
///
/// Amounts are positive; the shape determines their direction.
public struct Draft: Hashable, Sendable, Detailed {
  /// The accounts, categories and amounts.
  public var shape: Shape
  /// The calendar day of the transaction; a transaction after today is planned.
  public var day: Day
  /// The id of the transaction; if `nil`, a new id is generated.
  public var id: TransactionID?
  /// The details, which are also members of the draft: `draft.payee`.
  public var details: TransactionDetails
  /// The identity of the imported row; set by imports.
  public var importIdentity: ImportIdentity?
  /// The occurrence of a recurring transaction that this transaction belongs to.
  public var series: SeriesLink?
  /// The rule that chose the category; the rule must exist.
  public var categorizedBy: RuleID?
  /// Whether an amount of the given postings was converted at a rate; see
  /// ``Transaction/isConverted``.
  ///
  /// Other shapes than postings leave out the amount to be converted.
  public var isConverted = false

  /// Creates a draft of the given shape.
  public init(
    _ shape: Shape, on day: Day, id: TransactionID? = nil, description: String = "",
    payee: String = "", note: String = "", tags: [String] = [], status: Status = .cleared
  ) {
    self.init(
      shape, on: day, id: id,
      details: TransactionDetails(
        status: status, description: description, payee: payee, note: note, tags: tags))
  }

  /// Creates a draft of the given shape and details.
  public init(
    _ shape: Shape, on day: Day, id: TransactionID? = nil, details: TransactionDetails
  ) {
    self.shape = shape
    self.day = day
    self.id = id
    self.details = details
  }
}

/// An occurrence of a recurring transaction.
public struct SeriesLink: Hashable, Sendable, Codable {
  /// The recurring transaction, which must exist.
  public var series: SeriesID
  /// The due date.
  public var occurrence: Day

  /// Creates a link to a due date of a series.
  public init(_ series: SeriesID, due occurrence: Day) {
    self.series = series
    self.occurrence = occurrence
  }
}

extension Draft {
  /// The accounts, categories and amounts, before rates and currencies are resolved.
  public enum Shape: Hashable, Sendable {
    /// One account and one category.
    case entry(Entry)
    /// Two accounts.
    case transfer(Transfer)
    /// One account, and several categories or other accounts.
    case split(Split)
    /// Explicit postings, which must sum to zero in every currency.
    case postings([Posting])
  }

  /// The direction of an entry.
  public enum Direction: Hashable, Sendable {
    /// Money moves from the account to an expense category.
    case expense
    /// Money moves from an expense category to the account, which reduces the category's expenses.
    case refund
    /// Money moves from an income category to the account.
    case income
    /// Money moves from the account to an income category, which reduces the category's income.
    case incomeReversal
  }

  /// One account and one category.
  public struct Entry: Hashable, Sendable {
    /// The direction.
    public var direction: Direction
    /// The amount, in any currency.
    public var amount: Money
    /// The account; `nil` for Outside.
    public var account: AccountID?
    /// The category; `nil` for the built-in *Uncategorised*.
    public var category: CategoryID?
    /// The amount in the account's currency, if the currencies differ; `nil` to convert at the
    /// day's rate.
    public var accountAmount: Money?

    /// Creates an entry between an account and a category.
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

  /// A transfer from one account to another.
  public struct Transfer: Hashable, Sendable {
    /// The amount, in the source account's currency.
    public var amount: Money
    /// The source account; `nil` for Outside.
    public var source: AccountID?
    /// The destination account; `nil` for Outside.
    public var target: AccountID?
    /// The amount in the destination account's currency, if the currencies differ; `nil` to convert
    /// at the day's rate.
    public var targetAmount: Money?

    /// Creates a transfer from one account to another.
    public init(
      _ amount: Money, from source: AccountID?, to target: AccountID?, targetAmount: Money? = nil
    ) {
      self.amount = amount
      self.source = source
      self.target = target
      self.targetAmount = targetAmount
    }
  }

  /// One part of a split: an amount in a category, or an amount that goes to another account.
  ///
  /// The kind of its category determines the part's direction.
  public struct Part: Hashable, Sendable {
    /// The amount.
    public var amount: Money
    /// The category; `nil` for the built-in *Uncategorised* of the split's kind.
    public var category: CategoryID?
    /// The account that receives the amount, which is in its currency; `nil` for a category.
    ///
    /// Such a part is a transfer: the repayment in a loan payment, or the savings in a salary.
    public var account: AccountID?
    /// A note.
    public var note: String
    /// Whether the direction is reversed: out of an expense category, into an income category, or
    /// out of the other account.
    public var isReversed: Bool

    /// Creates a part with a positive amount.
    public init(
      _ amount: Money, _ category: CategoryID?, note: String = "", isReversed: Bool = false
    ) {
      self.amount = amount
      self.category = category
      self.note = note
      self.isReversed = isReversed
    }

    /// Creates a part with a positive amount that goes to another account.
    public init(
      _ amount: Money, to account: AccountID, note: String = "", isReversed: Bool = false
    ) {
      self.init(amount, nil, note: note, isReversed: isReversed)
      self.account = account
    }
  }

  /// One account and several parts, which can mix income, expense and transfers.
  public struct Split: Hashable, Sendable {
    /// The account; `nil` for Outside.
    public var account: AccountID?
    /// The kind of parts that have no category.
    public var kind: CategoryKind
    /// The parts that make up the account's amount: 1 to ``Limits/partCountMax``.
    public var parts: [Part]
    /// The account's change, positive for a gain, in its currency, if parts are in other
    /// currencies; `nil` to convert at the day's rates.
    public var accountAmount: Money?

    /// Creates a split of one account's amount into parts.
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
