/// A figure before and after a rehearsed write.
///
/// If the figure doesn't exist before or after the write, the value is `nil`. For example, an
/// account may not have been opened yet, or may have been deleted.
public struct FigureChange: Hashable, Sendable, Codable {
  /// The kinds of figures.
  public enum Figure: String, Hashable, Sendable, CaseIterable, Codable {
    /// An account's balance today.
    case balance
    /// An account's balance after all planned transactions.
    case plannedBalance
    /// The total of all accounts in a currency today.
    case netWorth
    /// The net worth today, in the base currency.
    case worth
    /// The income of a month.
    case income
    /// The expense of a month.
    case expense
    /// The transfers of a month.
    case transfers
    /// A category's net total in a month.
    case category
    /// The amount spent from a budget in its current period.
    case budgetSpent
    /// The amount remaining in a budget in its current period.
    case budgetRemaining
    /// The amount available in a category's envelope in a month.
    case envelope
    /// The amount that the goal of a category's envelope still needs in a month.
    case needed
    /// The amount available for the payment of a card in a month.
    case payment
    /// The money that is ready to assign in a month.
    case readyToAssign
  }

  /// The kind of figure.
  public var figure: Figure
  /// The figure's account, category or budget.
  public var subject: EntityID?
  /// The figure's month.
  public var month: Month?
  /// The current value.
  public var before: Total?
  /// The value after the write.
  public var after: Total?

  /// Creates a change, for tests.
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

/// The effects of a write that has not been made.
public struct Rehearsal: Hashable, Sendable, Codable {
  /// The commit on which the write was rehearsed; the result is valid as long as this is the newest
  /// commit.
  public var token: Token
  /// The outcome of each command; the ids of new entities differ from those of the actual write.
  public var outcomes: [Outcome]
  /// The number of entities that would be created, changed or deleted.
  public var changeCount: Int
  /// The figures that would change, accounts first; at most `Rehearsal.figureCountMax`.
  public var figures: [FigureChange]
  /// Whether figures are missing from the list because there are too many.
  public var isCutShort: Bool

  /// The maximum number of listed figures.
  public static let figureCountMax = 10_000
  /// The maximum number of months whose figures are compared.
  ///
  /// If more months are affected, the newest are compared.
  public static let monthCountMax = 120
}
