public import Daybook

/// The result of an import or of a dry run.
public struct ImportSummary: Sendable {
  /// The number of recorded rows.
  public var imported = 0
  /// The number of rows that were already recorded.
  public var duplicates = 0
  /// The number of transactions that were replaced, because they were edited in the books.
  public var replaced = 0
  /// The transactions of earlier imports that are no longer in the books, by day.
  ///
  /// They are deleted if ``ImportSettings/followsDeletions`` is set, unless they were changed in
  /// the ledger.
  public var missing: [MissingTransaction] = []
  /// The names of new accounts, in order of appearance.
  public var createdAccounts: [String] = []
  /// The new categories, in order of appearance.
  public var createdCategories: [CreatedCategory] = []
  /// The skipped bad lines, in file order.
  ///
  /// Empty unless ``ImportSettings/skipsBadRows`` is set.
  public var skipped: [BadLine] = []
  /// The missing exchange rates of skipped lines, with one element for each pair of currencies.
  public var missingRates: [MissingRates] = []
  /// The number of rows that the rules of the mapping or importer skipped.
  public var leftOut = 0
  /// The stated balances that the rows don't add up to, in file order.
  public var statedBalanceMismatches: [BalanceMismatch] = []
  /// The balances of accounts before their first row, derived from the stated balances.
  ///
  /// Zero balances are omitted.
  public var impliedOpenings: [String: Money] = [:]
  /// The number of rows that were skipped because the bank hasn't booked them yet.
  public var pendingLeftOut = 0
  /// The number of transfers that were skipped because the other account's statement in the file
  /// contains them, too.
  public var mirrored = 0
  /// The rows that are pending transactions or due dates of the ledger, in file order.
  ///
  /// A row whose transaction was already recorded isn't counted in ``imported``.
  public var matches: [RowMatch] = []
  /// The rows that match a recorded transaction that can't take their values, in file order.
  ///
  /// They are recorded as new transactions: the other one is in the closed period, or is a transfer
  /// of another amount.
  public var unsettled: [RowMatch] = []
  /// The rows that are likely to be one half of a transfer between two accounts, each with its other
  /// half.
  public var transfers: [ProposedTransfer] = []
  /// The pending transactions of the file's accounts that the file neither books nor lists, up to
  /// the last day that it books.
  public var stillPending: [Transaction] = []
  /// Notices about parts of the file that weren't imported.
  public var notices: [FileNotice] = []
  /// The balances stated in the file, with the ledger's balances.
  public var balances: [BalanceReport] = []
  /// The recorded transactions, in file order; empty for a dry run.
  public var transactions: [TransactionID] = []
  /// The newest commit after the import; it is the import's commit if any row was recorded.
  ///
  /// `nil` for a dry run.
  public var token: Token?
  /// The rows of the batch that were already recorded, and those that the ledger refuses.
  var duplicateIndices: [Int] = []
  var faults: [RowFault] = []
  /// Whether this is the result of a dry run, which records nothing.
  public var isDryRun = false
  /// The figures that the import would change, with their old and new values.
  ///
  /// Set in a dry run with ``ImportSettings/figuresOn``.
  public var rehearsal: Rehearsal?

  /// Creates the summary of an import without any rows.
  public init() {}
}

/// A row of a file that is a pending transaction or a due date of the ledger.
public struct RowMatch: Hashable, Sendable {
  /// The row's index among the rows to record.
  var index: Int
  /// The line of the file; 0 if there is none.
  public var line: Int
  /// The row's day.
  public var day: Day
  /// The change of the account's balance.
  public var amount: Money
  /// The row's payee, or its description if there is none.
  public var payee: String
  /// The transaction before the import; `nil` if a recurring transaction hadn't been generated yet.
  public var transaction: Transaction?
  /// The recurring transaction, if the row is one of its due dates.
  public var series: Series?
  /// The due date, if the row is one.
  public var due: Day?
  /// Whether the transaction is in the closed period, so that it can't take the row's values.
  public internal(set) var isLocked = false

  init(index: Int, _ row: ImportRow, _ expected: ExpectedTransaction) {
    self.index = index
    line = row.line
    day = row.draft.day
    let movements = row.draft.accountMovements
    let movement =
      movements.first { expected.movements.contains(where: $0.isAlong) } ?? movements.first
    amount = movement?.amount ?? expected.movements[0].amount
    payee = row.draft.payee.isEmpty ? row.draft.description : row.draft.payee
    transaction = expected.transaction
    series = expected.series
    due = expected.due
  }
}

/// A transaction of an earlier import that is no longer in the books.
public struct MissingTransaction: Hashable, Sendable, CustomStringConvertible {
  /// What the import did with the transaction.
  public enum Result: String, Hashable, Sendable, Codable {
    /// It was deleted.
    case deleted
    /// It was kept, because the import doesn't follow deletions.
    case listed
    /// It was kept, because it was changed in the ledger.
    case changed
    /// It was kept, because the period is closed.
    case closed
  }

  /// The transaction, as it is or was in the ledger.
  public var transaction: Transaction
  /// What the import did with it.
  public var result: Result

  /// The day, description and amount.
  public var description: String { transaction.summary }
}

extension Transaction {
  /// The day, description and amount of the first account.
  var summary: String {
    let name = [details.description, details.payee, details.note].first { !$0.isEmpty }
    let amount = postings.first { $0.accountID != nil && $0.accountID != .exchange }?.amount
    return [
      "\(day)", name.map { "“\($0)”" }, amount.map { "\(Total($0))" },
    ].compactMap { $0 }.joined(separator: " ")
  }
}

/// The progress of an import.
public enum ImportProgress: Hashable, Sendable {
  /// The file is being read. The value is the fraction that has been read, from 0 to 1.
  case reading(Double)
  /// The given number of rows is being recorded, in one commit.
  case recording(Int)
}

/// The settings of an import.
public struct ImportSettings: Sendable {
  /// Whether to skip and list bad lines instead of refusing the whole file.
  public var skipsBadRows: Bool
  /// Whether to create missing accounts and categories.
  ///
  /// If `false`, the import fails if any are missing.
  public var createsMissing: Bool
  /// Whether to restore deleted transactions that were imported before.
  public var restoresDeleted: Bool
  /// Whether to record rows again that are already recorded.
  public var keepsDuplicates: Bool
  /// Whether rows can be pending transactions and due dates of the ledger; otherwise every row is a
  /// transaction of its own.
  public var findsMatches = true
  /// Whether to delete transactions of earlier imports that are no longer in the books.
  ///
  /// Transactions that were changed in the ledger aren't deleted.
  public var followsDeletions = false
  /// Whether to report the effects of the import without recording anything.
  public var isDryRun: Bool
  /// The day as of which a dry run reports changed figures; `nil` for none.
  public var figuresOn: Day?
  /// The author of the commit; `nil` for the ledger's author.
  public var author: String?
  /// A key that makes the import repeatable.
  ///
  /// Another import with the same key and the same request records nothing. Its summary contains
  /// the transactions of the first import.
  public var key: RequestKey?

  /// Creates settings.
  ///
  /// By default, a single bad line makes the import fail, and duplicates are skipped.
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
