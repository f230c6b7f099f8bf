public import DaybookEntities

/// One row of an imported file.
public struct ImportRow: Hashable, Sendable {
  /// The transaction that the row records.
  public var draft: Draft
  /// The line of the file, for messages; 0 if there is none.
  public var line: Int
  /// The row's id in the file, prefixed with the format and a colon (`ofx:20240131-7`), or empty.
  ///
  /// Two rows with the same account, day, amount and reference are the same row, whatever their
  /// text. Two rows of one format with different references are different rows. Rows without a
  /// reference, and rows of different formats, are matched by day, amount and text.
  public var reference: String
  /// The number of the row's statement, if the file has several of one account.
  ///
  /// A row that an earlier statement has, too, is recorded once, as if each statement had been
  /// imported on its own. Equal rows of one statement are different rows.
  public var statement: Int
  /// Changes to the row that the user chose.
  ///
  /// The row is still identified by the file's own values.
  public var choice: Amendment?
  /// The recorded or expected transaction that the row is; `nil` to record a new transaction.
  public var match: ImportMatch?

  /// Creates a row; `line` and `reference` locate it in the file.
  public init(
    _ draft: Draft, line: Int = 0, reference: String = "", statement: Int = 0,
    choice: Amendment? = nil, match: ImportMatch? = nil
  ) {
    self.draft = draft
    self.line = line
    self.reference = reference
    self.statement = statement
    self.choice = choice
    self.match = match
  }
}

/// The recorded or expected transaction that an imported row is.
///
/// If the transaction can't take the row's values, because it has been changed or is locked, the row
/// is imported as if it had no match.
public enum ImportMatch: Hashable, Sendable {
  /// A pending transaction, or one that a series generated.
  ///
  /// It takes the day, amount, status and texts of the row, and keeps its category, its tags, and
  /// texts that a person entered. The row isn't recorded again by later imports.
  case transaction(TransactionID)
  /// A due date of a recurring transaction, whether its transaction has been generated or not.
  case occurrence(SeriesLink)
  /// A pending row that the bank has booked in the meantime. It is a duplicate.
  case booked
}

/// Options for an import.
public struct ImportOptions: Hashable, Sendable {
  /// Whether bad rows are skipped and listed, instead of the whole file being refused.
  public var skipsBadRows: Bool
  /// Whether rows that were imported and then deleted are imported again.
  public var restoresDeleted: Bool
  /// Whether rows are recorded even if they are duplicates.
  public var keepsDuplicates: Bool
  /// Transactions to delete before the rows are recorded.
  ///
  /// Unlike other deleted rows of files, they are imported again if a later file contains them. If
  /// a row can't be recorded, the whole import is refused, even if ``skipsBadRows`` is set.
  public var removed: [TransactionID] = []

  /// Creates options.
  ///
  /// By default, one bad row refuses the file, and duplicates and deleted rows are left out.
  public init(
    skipsBadRows: Bool = false, restoresDeleted: Bool = false, keepsDuplicates: Bool = false
  ) {
    self.skipsBadRows = skipsBadRows
    self.restoresDeleted = restoresDeleted
    self.keepsDuplicates = keepsDuplicates
  }
}

/// A row that could not be imported, and why.
public struct RowFault: Hashable, Sendable, Codable {
  /// The row's index in the command, from 0.
  public var index: Int
  /// The line of the file; 0 if it was not given.
  public var line: Int
  /// The kind of problem, for code to switch on.
  public var code: Refusal.Code
  /// The problem and what to do about it.
  public var message: String
  /// The missing exchange rates, if they are the reason.
  public var missingRates: [MissingRates] = []

  /// Creates a description of a row that could not be imported.
  public init(
    index: Int, line: Int, code: Refusal.Code, message: String, missingRates: [MissingRates] = []
  ) {
    self.index = index
    self.line = line
    self.code = code
    self.message = message
    self.missingRates = missingRates
  }
}

/// The result of an import.
public struct ImportReport: Hashable, Sendable, Codable {
  /// The recorded transactions, in the order of their rows.
  public var recorded: [TransactionID] = []
  /// The indices of the duplicate rows.
  public var duplicates: [Int] = []
  /// The indices of the rows whose values an existing transaction took; see ``ImportMatch``.
  public var settled: [Int] = []
  /// The bad rows that were skipped; empty unless the caller chose to skip them.
  public var skipped: [RowFault] = []

  /// Creates a report.
  ///
  /// When a completed import is repeated, only `recorded` is known.
  public init(
    recorded: [TransactionID] = [], duplicates: [Int] = [], skipped: [RowFault] = []
  ) {
    self.recorded = recorded
    self.duplicates = duplicates
    self.skipped = skipped
  }
}

/// The result of an accepted command.
public enum Outcome: Hashable, Sendable {
  /// A command whose result has no id.
  case done
  /// The opened or changed account.
  case account(AccountID)
  /// The created or changed category.
  case category(CategoryID)
  /// The recorded, amended or deleted transaction.
  case transaction(TransactionID)
  /// A balance assertion, budget, recurring transaction, rule, mapping, rate or currency.
  case entity(EntityKind, EntityID)
  /// The number of transactions that were changed, removed or moved.
  case rows(Int)
  /// The result of an import.
  case imported(ImportReport)
  /// The result of generating recurring transactions.
  case generated(GenerationReport)

  /// The generation report, if the command generated recurring transactions.
  public var generation: GenerationReport? {
    if case .generated(let report) = self { report } else { nil }
  }
  /// The recorded, amended or deleted transaction, if there is one.
  public var transaction: TransactionID? {
    if case .transaction(let id) = self { id } else { nil }
  }
  /// The added, replaced or removed budget, if there is one.
  public var budget: BudgetID? { id(.budget) }
  /// The added, changed or removed recurring transaction, if there is one.
  public var series: SeriesID? { id(.series) }
  /// The added, replaced or removed rule, if there is one.
  public var rule: RuleID? { id(.rule) }
  /// The added, replaced or removed balance assertion, if there is one.
  public var assertion: AssertionID? { id(.assertion) }
  /// The added, replaced or removed mapping, if there is one.
  public var mapping: MappingID? { id(.mapping) }
  /// The added, replaced or removed exchange rate, if there is one.
  public var rate: RateID? { id(.rate) }

  private func id<Owner>(_ kind: EntityKind) -> Identifier<Owner>? {
    if case .entity(kind, let id) = self { Identifier(id) } else { nil }
  }

  /// The opened or changed account, if there is one.
  public var account: AccountID? {
    if case .account(let id) = self { id } else { nil }
  }
  /// The created or changed category, if there is one.
  public var category: CategoryID? {
    if case .category(let id) = self { id } else { nil }
  }
  /// The import report, if the command was an import.
  public var report: ImportReport? {
    if case .imported(let report) = self { report } else { nil }
  }
}
