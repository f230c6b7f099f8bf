/// The result of an append.
public struct Receipt: Hashable, Sendable, Codable {
  /// The commit's token.
  ///
  /// Pass it as `expecting` to append only if no other commit has been recorded since.
  public var token: Token
  /// The outcome of each command, in order, such as created ids and the results of imports.
  ///
  /// If ``isRepeat`` is `true`, the outcomes are reconstructed from the first commit. Ids are the
  /// same as in the first receipt. An import's lists of duplicates and skipped rows are empty, and
  /// so is the list of transactions that couldn't be generated. The number of changed rows isn't
  /// available, so `Outcome.rows` becomes `done`.
  public var outcomes: [Outcome]
  /// Whether the idempotency key had already been used, so that this call recorded nothing.
  ///
  /// If so, the token is the first commit's.
  public var isRepeat: Bool

  /// Creates a receipt, for tests.
  public init(token: Token, outcomes: [Outcome], isRepeat: Bool) {
    self.token = token
    self.outcomes = outcomes
    self.isRepeat = isRepeat
  }

  /// The accounts in the outcomes, in order.
  public var accounts: [AccountID] { outcomes.compactMap(\.account) }
  /// The categories in the outcomes, in order.
  public var categories: [CategoryID] { outcomes.compactMap(\.category) }
  /// The transactions in the outcomes, in order, including imported and generated ones.
  public var transactions: [TransactionID] {
    outcomes.flatMap { outcome in
      outcome.report?.recorded ?? outcome.generation?.recorded ?? outcome.transaction.map { [$0] }
        ?? []
    }
  }
  /// The budgets in the outcomes, in order.
  public var budgets: [BudgetID] { outcomes.compactMap(\.budget) }
  /// The series in the outcomes, in order.
  public var series: [SeriesID] { outcomes.compactMap(\.series) }
  /// The rules in the outcomes, in order; rules set by `setRules` aren't included.
  public var rules: [RuleID] { outcomes.compactMap(\.rule) }
  /// The balance assertions in the outcomes, in order.
  public var assertions: [AssertionID] { outcomes.compactMap(\.assertion) }
  /// The mappings in the outcomes, in order.
  public var mappings: [MappingID] { outcomes.compactMap(\.mapping) }
  /// The allocations in the outcomes, in order.
  public var allocations: [AllocationID] { outcomes.compactMap(\.allocation) }
  /// The terms in the outcomes, in order.
  public var terms: [TermsID] { outcomes.compactMap(\.terms) }
  /// The rates in the outcomes, in order.
  public var rates: [RateID] { outcomes.compactMap(\.rate) }
  /// The reports of generated transactions, in order.
  public var generations: [GenerationReport] { outcomes.compactMap(\.generation) }
  /// The reports of imports, in order.
  public var imports: [ImportReport] { outcomes.compactMap(\.report) }
}
