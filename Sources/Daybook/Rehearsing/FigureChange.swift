/// A figure that a write would change: what it is now, and what it would be.
///
/// `before` or `after` is `nil` where there is no such figure: the account is not there yet, or is gone.
public struct FigureChange: Hashable, Sendable, Codable {
  /// Which figure it is.
  public enum Figure: String, Hashable, Sendable, CaseIterable, Codable {
    /// What an account holds today.
    case balance
    /// What an account holds once all that is planned has happened.
    case plannedBalance
    /// What all accounts of a currency hold together today.
    case netWorth
    /// What all accounts are worth together today, in the base currency.
    case worth
    /// What came in, in a month.
    case income
    /// What was spent in a month.
    case expense
    /// What was moved between accounts in a month.
    case transfers
    /// What a category received in a month, with what was taken back off.
    case category
    /// What is spent of a budget in its period of today.
    case budgetSpent
    /// What is left of a budget in its period of today.
    case budgetRemaining
  }

  /// Which figure it is.
  public var figure: Figure
  /// The account, category or budget that it is of.
  public var subject: EntityID?
  /// The month that it is of.
  public var month: Month?
  /// What it is now.
  public var before: Total?
  /// What it would be.
  public var after: Total?

  /// A change, as a test compares it; a ledger tells its own.
  public init(
    figure: Figure, subject: EntityID? = nil, month: Month? = nil, before: Total?, after: Total?
  ) {
    self.figure = figure
    self.subject = subject
    self.month = month
    self.before = before
    self.after = after
  }
}

/// What a write would do.
public struct Rehearsal: Hashable, Sendable, Codable {
  /// The commit on which it was rehearsed: what it says holds while that is the newest.
  public var token: Token
  /// One outcome per command; ids of what is new are not those that the write would give.
  public var outcomes: [Outcome]
  /// How many entities would be made, changed or removed.
  public var changeCount: Int
  /// The figures that would change, those of accounts first; at most `Rehearsal.figureCountMax`.
  public var figures: [FigureChange]
  /// Whether there are more than are listed.
  public var isCutShort: Bool

  /// So many figures are listed at the most.
  public static let figureCountMax = 10_000
  /// Months and categories of so many months are compared at the most, the newest of those concerned.
  public static let monthCountMax = 120
}
