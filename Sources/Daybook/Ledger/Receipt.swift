/// What an append has done.
public struct Receipt: Hashable, Sendable, Codable {
  /// Identifies the commit.
  ///
  /// Pass it as `expecting` to append only if nothing came after it.
  public var token: Token
  /// One outcome per command, in the order of the commands: the ids created and what was imported.
  ///
  /// Where ``isRepeat`` is true they are read back from the first commit: ids are those of the
  /// first time; an import's lists of duplicates and skipped rows are empty, as is the list of what could
  /// not be generated. How many rows changed is not told again: `Outcome.rows` comes back as `done`.
  public var outcomes: [Outcome]
  /// Whether the idempotency key was known, so that nothing was recorded now.
  ///
  /// The token is then that of the first commit.
  public var isRepeat: Bool

  /// A receipt as a test gives it; a ledger gives its own.
  public init(token: Token, outcomes: [Outcome], isRepeat: Bool) {
    self.token = token
    self.outcomes = outcomes
    self.isRepeat = isRepeat
  }

  /// The accounts of the outcomes, in order.
  public var accounts: [AccountID] { outcomes.compactMap(\.account) }
  /// The categories of the outcomes, in order.
  public var categories: [CategoryID] { outcomes.compactMap(\.category) }
  /// The transactions of the outcomes, in order, those of imports and generated ones too.
  public var transactions: [TransactionID] {
    outcomes.flatMap { outcome in
      outcome.report?.recorded ?? outcome.generation?.recorded ?? outcome.transaction.map { [$0] }
        ?? []
    }
  }
  /// The budgets of the outcomes, in order.
  public var budgets: [BudgetID] { outcomes.compactMap(\.budget) }
  /// The series of the outcomes, in order.
  public var series: [SeriesID] { outcomes.compactMap(\.series) }
  /// The rules of the outcomes, in order; those of `setRules` are not told.
  public var rules: [RuleID] { outcomes.compactMap(\.rule) }
  /// The stated balances of the outcomes, in order.
  public var assertions: [AssertionID] { outcomes.compactMap(\.assertion) }
  /// The mappings of the outcomes, in order.
  public var mappings: [MappingID] { outcomes.compactMap(\.mapping) }
  /// The rates of the outcomes, in order.
  public var rates: [RateID] { outcomes.compactMap(\.rate) }
  /// What was generated, in order.
  public var generations: [GenerationReport] { outcomes.compactMap(\.generation) }
  /// What imports did, in order.
  public var imports: [ImportReport] { outcomes.compactMap(\.report) }
}
