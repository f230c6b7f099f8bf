public import Daybook

/// What an import did, or would do.
public struct ImportSummary: Sendable {
  /// How many rows were recorded.
  public var imported = 0
  /// How many rows were there already.
  public var duplicates = 0
  /// The names of accounts that were opened, in order of appearance.
  public var createdAccounts: [String] = []
  /// The categories that were created, in order of appearance.
  public var createdCategories: [CreatedCategory] = []
  /// The bad lines that were left out, in file order; empty unless the caller asked to skip them.
  public var skipped: [BadLine] = []
  /// The rates that skipped lines need and that are not there, each pair of currencies once.
  public var missingRates: [MissingRates] = []
  /// How many rows the mapping leaves out by its rules.
  public var leftOut = 0
  /// Where the stated balances do not follow from the rows, in file order.
  public var statedBalanceMismatches: [BalanceMismatch] = []
  /// What the stated balances say that accounts held before their first row, where not zero.
  public var impliedOpenings: [String: Money] = [:]
  /// How many rows were left out because the bank has not booked them yet.
  public var pendingLeftOut = 0
  /// How many rows were left out because the other account's statement in the file has them too.
  public var mirrored = 0
  /// What the file says and was not taken.
  public var notices: [FileNotice] = []
  /// What statements say that accounts hold, and what the ledger says.
  public var balances: [BalanceReport] = []
  /// The transactions that were recorded, in file order; empty for a dry run.
  public var transactions: [TransactionID] = []
  /// The newest commit after recording: the import's, where it recorded anything; `nil` for a dry run.
  public var token: Token?
  /// Which rows of the batch were there already, and which the ledger refuses.
  var duplicateIndices: [Int] = []
  var faults: [RowFault] = []
  /// Whether nothing was recorded because only a rehearsal was asked for.
  public var isDryRun = false
  /// The figures that recording would change, old and new, where ``ImportSettings/figuresOn`` asked for them.
  public var rehearsal: Rehearsal?

  /// The summary of an import that did nothing.
  public init() {}
}

/// How an import goes on.
public enum ImportProgress: Hashable, Sendable {
  /// The file is being read; the share of it, from 0 to 1.
  case reading(Double)
  /// So many rows are being recorded, in one commit.
  case recording(Int)
}

/// How rows are imported.
public struct ImportSettings: Sendable {
  /// Whether bad lines are left out and listed, instead of refusing the whole file.
  public var skipsBadRows: Bool
  /// Whether missing accounts and categories are created; otherwise they refuse the file.
  public var createsMissing: Bool
  /// Whether rows that were imported before and then deleted come back.
  public var restoresDeleted: Bool
  /// Whether rows are recorded even where they are there already.
  public var keepsDuplicates: Bool
  /// Whether to say what would happen, and record nothing.
  public var isDryRun: Bool
  /// A dry run says which figures would change, as of this day, where it is given.
  public var figuresOn: Day?
  /// The author of the commit; the ledger's where `nil`.
  public var author: String?
  /// Makes the import repeatable: the same key for the same request records nothing again, and the summary
  /// has the transactions of the first time.
  public var key: RequestKey?

  /// Settings; by default one bad line refuses the file and nothing comes twice.
  public init(
    skipsBadRows: Bool = false, createsMissing: Bool = true, restoresDeleted: Bool = false,
    keepsDuplicates: Bool = false, isDryRun: Bool = false, author: String? = nil
  ) {
    self.skipsBadRows = skipsBadRows
    self.createsMissing = createsMissing
    self.restoresDeleted = restoresDeleted
    self.keepsDuplicates = keepsDuplicates
    self.isDryRun = isDryRun
    self.author = author
  }
}
