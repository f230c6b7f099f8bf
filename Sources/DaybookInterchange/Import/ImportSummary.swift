public import Daybook

/// The result of an import or of a dry run.
public struct ImportSummary: Sendable {
  /// The number of recorded rows.
  public var imported = 0
  /// The number of rows that were already recorded.
  public var duplicates = 0
  /// The number of rows that became one half of a transfer which a rule made of the other one.
  public var completed = 0
  /// The number of transactions that were replaced because they were edited in the books.
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
  /// The stated balances that don't match the rows, in file order.
  public var statedBalanceMismatches: [BalanceMismatch] = []
  /// The balances of accounts before their first row, derived from the stated balances.
  ///
  /// Zero balances are omitted.
  public var impliedOpenings: [String: Money] = [:]
  /// The number of rows that were skipped because the bank hasn't booked them yet.
  public var pendingLeftOut = 0
  /// The number of transfers that were skipped because the other account's statement in the file
  /// also contains them.
  public var mirrored = 0
  /// The rows that match pending transactions or due dates of the ledger, in file order.
  ///
  /// A row whose transaction was already recorded isn't counted in ``imported``.
  public var matches: [RowMatch] = []
  /// The rows that match a transaction which can't be updated with their values, in file order.
  ///
  /// They are recorded as new transactions; ``RowMatch/obstacle`` is the reason.
  public var unsettled: [RowMatch] = []
  /// The rows that are likely to be one half of a transfer between two accounts, each with its other
  /// half.
  public var transfers: [ProposedTransfer] = []
  /// The pending transactions of the file's accounts that the file lists neither as booked nor as
  /// pending, up to its last booked day.
  public var stillPending: [Transaction] = []
  /// Notices about parts of the file that weren't imported.
  public var notices: [FileNotice] = []
  /// The balances stated in the file, with the ledger's balances.
  public var balances: [BalanceReport] = []
  /// The recorded transactions, in file order; empty for a dry run.
  public var transactions: [TransactionID] = []
  /// The newest commit after the import; if any row was recorded, this is the import's commit.
  ///
  /// `nil` for a dry run.
  public var token: Token?
  /// The indices of the rows that were already recorded, and of rows that the ledger refuses.
  var duplicateIndices: [Int] = []
  var faults: [RowFault] = []
  /// Whether this is the result of a dry run, which records nothing.
  public var isDryRun = false
  /// The figures that the import would change, with their old and new values.
  ///
  /// Set only in a dry run with ``ImportSettings/figuresOn``.
  public var rehearsal: Rehearsal?

  /// Creates the summary of an import without any rows.
  public init() {}
}

/// A row of a file that matches a pending transaction or a due date of the ledger.
public struct RowMatch: Hashable, Sendable {
  /// The row's index among the rows to record.
  var index: Int
  /// The line of the file; 0 if unknown.
  public var line: Int
  /// The row's day.
  public var day: Day
  /// The change of the account's balance.
  public var amount: Money
  /// The row's payee, or its description if there is none.
  public var payee: String
  /// The transaction before the import; `nil` if a recurring transaction hadn't been generated yet.
  public var transaction: Transaction?
  /// The recurring transaction, if the row matches one of its due dates.
  public var series: Series?
  /// The due date, if the row matches one.
  public var due: Day?
  /// Why the transaction can't take the row's values; `nil` if it can.
  public internal(set) var obstacle: Obstacle?

  /// Why a transaction can't take a row's values.
  public enum Obstacle: String, Hashable, Sendable, Codable {
    /// It is in the closed period.
    case closedPeriod
    /// It is a transfer of another amount, and the row doesn't say how much the other account moves.
    case otherAmount
    /// It changed during the import.
    case changed
  }

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

  /// Returns the reason why the transaction didn't take the row's values.
  func reason(closedThrough: Day?) -> Obstacle {
    guard let transaction else { return .changed }
    if let closedThrough, transaction.day <= closedThrough { return .closedPeriod }
    let isSame = transaction.accountMovements.contains { $0.amount == amount }
    return transaction.type == .transfer && !isSame ? .otherAmount : .changed
  }
}

/// A transaction of an earlier import that is no longer in the books.
public struct MissingTransaction: Hashable, Sendable, CustomStringConvertible {
  /// The result of the import for the transaction.
  public enum Result: String, Hashable, Sendable, Codable {
    /// The transaction was deleted.
    case deleted
    /// The transaction was kept because the import doesn't follow deletions.
    case listed
    /// The transaction was kept because it was changed in the ledger.
    case changed
    /// The transaction was kept because the period is closed.
    case closed
  }

  /// The transaction, as it is or was in the ledger.
  public var transaction: Transaction
  /// The result of the import for the transaction.
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
  /// If `false`, the import fails if any accounts or categories are missing.
  public var createsMissing: Bool
  /// Whether to restore deleted transactions that were imported before.
  public var restoresDeleted: Bool
  /// Whether to record rows again that are already recorded.
  public var keepsDuplicates: Bool
  /// Whether to match rows with the ledger's pending transactions and due dates; otherwise, every
  /// row is recorded as a separate transaction.
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
  /// A key that makes the import idempotent.
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
