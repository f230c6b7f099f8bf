public import Entities

/// One row of a file.
public struct ImportRow: Hashable, Sendable {
  /// What it records.
  public var draft: Draft
  /// The line of the file, for messages; 0 where there is none.
  public var line: Int
  /// The file's own id of the row, with the format and a colon before it: `ofx:20240131-7`; or empty.
  ///
  /// A row of the same account, day, amount and reference is the same row, whatever its text says; two
  /// of a format with different references are two rows. Rows without one, and of other formats, are known
  /// by day, amount and text.
  public var reference: String
  /// What somebody wants of it that the file does not say; the row is known by what the file says.
  public var choice: Amendment?

  /// A row by what it records; `line` and `reference` say where it stands in the file.
  public init(
    _ draft: Draft, line: Int = 0, reference: String = "", choice: Amendment? = nil
  ) {
    self.draft = draft
    self.line = line
    self.reference = reference
    self.choice = choice
  }
}

/// How rows are imported.
public struct ImportOptions: Hashable, Sendable {
  /// Whether bad rows are left out and listed, instead of refusing the whole file.
  public var skipsBadRows: Bool
  /// Whether rows that were imported before and then deleted come back.
  public var restoresDeleted: Bool
  /// Whether rows are recorded even where they are there already.
  public var keepsDuplicates: Bool

  /// Options; by default one bad row refuses the file, and nothing comes twice or comes back.
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
  /// The line of the file, 0 where it was not given.
  public var line: Int
  /// What is wrong with it.
  public var code: Refusal.Code
  /// What is wrong with it and what to do.
  public var message: String
  /// The rate that it needs, where that is what is wrong.
  public var missingRates: [MissingRates] = []

  /// A row that could not be imported.
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

/// What an import did.
public struct ImportReport: Hashable, Sendable, Codable {
  /// The transactions that were recorded, in order of their rows.
  public var recorded: [TransactionID] = []
  /// The indices of the rows that were there already.
  public var duplicates: [Int] = []
  /// The bad rows that were left out; empty unless the caller asked to skip them.
  public var skipped: [RowFault] = []

  /// What an import did; of one that was done before only what it recorded is known.
  public init(
    recorded: [TransactionID] = [], duplicates: [Int] = [], skipped: [RowFault] = []
  ) {
    self.recorded = recorded
    self.duplicates = duplicates
    self.skipped = skipped
  }
}

/// What an accepted command made.
public enum Outcome: Hashable, Sendable {
  /// Nothing with an id.
  case done
  /// The account that was opened or changed.
  case account(AccountID)
  /// The category that was created or changed.
  case category(CategoryID)
  /// The transaction that was recorded, amended or deleted.
  case transaction(TransactionID)
  /// A stated balance, budget, series, rule or rate.
  case entity(EntityKind, EntityID)
  /// What became of the transactions of an account, category or series that went: how many changed.
  case rows(Int)
  /// What became of the rows of an import.
  case imported(ImportReport)
  /// What series owed.
  case generated(GenerationReport)

  /// What was generated, if it was that.
  public var generation: GenerationReport? {
    if case .generated(let report) = self { report } else { nil }
  }
  /// The transaction that was recorded, amended or deleted, if it was one.
  public var transaction: TransactionID? {
    if case .transaction(let id) = self { id } else { nil }
  }
  /// The budget that was put or removed, if it was one.
  public var budget: BudgetID? { id(.budget) }
  /// The series that was put, changed or removed, if it was one.
  public var series: SeriesID? { id(.series) }
  /// The rule that was put or removed, if it was one.
  public var rule: RuleID? { id(.rule) }
  /// The stated balance that was put or removed, if it was one.
  public var assertion: AssertionID? { id(.assertion) }
  /// The mapping that was put or removed, if it was one.
  public var mapping: MappingID? { id(.mapping) }
  /// The rate that was set or removed, if it was one.
  public var rate: RateID? { id(.rate) }

  private func id<Owner>(_ kind: EntityKind) -> Identifier<Owner>? {
    if case .entity(kind, let id) = self { Identifier(id) } else { nil }
  }

  /// The account that was opened or changed, if it was one.
  public var account: AccountID? {
    if case .account(let id) = self { id } else { nil }
  }
  /// The category that was created or changed, if it was one.
  public var category: CategoryID? {
    if case .category(let id) = self { id } else { nil }
  }
  /// What the import did, if it was one.
  public var report: ImportReport? {
    if case .imported(let report) = self { report } else { nil }
  }
}
