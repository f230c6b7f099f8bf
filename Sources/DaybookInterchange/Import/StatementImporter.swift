public import Daybook

/// Imports the statements of a bank file, with the rows of each statement on its account.
///
/// The whole file is recorded as one commit, or not at all, as with ``CSVImporter``. Accounts are
/// matched by IBAN or number. The first import stores the numbers in the ledger's account.
public struct StatementImporter: Sendable {
  /// The import settings.
  public var settings: ImportSettings
  /// The user's choice of accounts.
  public var accounts: AccountChoice
  /// Whether to record rows that the bank hasn't booked yet, as pending transactions.
  public var takesPending: Bool
  /// Whether to record the stated balances as assertions, which the ledger then checks.
  public var assertsBalances: Bool
  /// Whether amounts of a statement in another currency than its account are converted at the rates
  /// of their days, instead of the statement being refused.
  public var converts: Bool
  /// Rules for rows to skip, such as balances that the bank lists as transactions.
  ///
  /// Their columns are `description`, `payee` and `note`.
  public var skipRows: [ImportMapping.RowRule] = []

  /// Creates an importer.
  public init(
    settings: ImportSettings = ImportSettings(), accounts: AccountChoice = AccountChoice(),
    takesPending: Bool = false, assertsBalances: Bool = false, converts: Bool = false
  ) {
    self.settings = settings
    self.accounts = accounts
    self.takesPending = takesPending
    self.assertsBalances = assertsBalances
    self.converts = converts
  }

  /// Matches the accounts of a file to those of the ledger, without recording anything.
  ///
  /// - Throws: `InterchangeError` with code `account` and `unknownAccounts` if an account can't be
  ///   matched.
  public func check(
    _ contents: FileContents, path: String? = nil, in snapshot: borrowing Snapshot
  ) throws {
    var headers = FileContents()
    headers.statements = contents.statements
    for index in headers.statements.indices {
      headers.statements[index].account.currency = headers.statements[index].currency
      headers.statements[index].rows = []
    }
    _ = try StatementPlan(&headers, self, path: path, in: snapshot) { _, _ in }
  }

  /// Records the statements of a file.
  ///
  /// - Parameters:
  ///   - contents: The contents of the file. Its rows are released one by one, so the import needs
  ///     less memory if you don't keep a copy.
  ///   - path: The name of the file in messages.
  ///   - progress: Called periodically, on the import's thread.
  /// - Throws: `InterchangeError` with code `account` if an account of the file can't be matched,
  ///   `badLines` with all bad lines, `missing` or `refused`, or `DaybookError` for errors of the
  ///   ledger's files. In these cases, nothing was recorded.
  /// - Complexity: O(*n*) time and memory in the number of rows, which is limited to
  ///   `Limits.importRowCountMax`.
  @discardableResult
  @concurrent
  public func run(
    _ contents: consuming FileContents, path: String? = nil, into ledger: Ledger,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    var contents = contents
    var batch = ImportBatch(settings: settings, path: path)
    batch.rows.reserveCapacity(contents.statements.reduce(0) { $0 + $1.rows.count })
    let plan = try ledger.read { snapshot in
      try StatementPlan(&contents, self, path: path, in: snapshot) {
        row, resolver throws(BadLine) in
        try row.addImportRows(to: &batch.rows, &resolver)
      }
    }
    batch.badLines = plan.badLines
    batch.badLineCount = plan.badLineCount
    batch.resolver = plan.resolver
    batch.hasMatches = true
    batch.pendingLeftOut = plan.pendingRows
    if assertsBalances { batch.after = plan.assertions }
    var summary = try await batch.land(in: ledger, progress)
    plan.tell(&summary)
    if assertsBalances, !settings.isDryRun {
      for index in summary.balances.indices { summary.balances[index].isAsserted = true }
    }
    if !settings.isDryRun { try ledger.read { try summary.lookUpBalances(in: $0) } }
    return summary
  }
}

extension ImportPlan {
  /// Creates a plan from the rows of a bank file, without recording anything.
  ///
  /// - Throws: The errors of `StatementImporter.run`.
  /// - Complexity: O(*n* + *m*), where *n* is the number of rows and *m* is the number of the
  ///   ledger's transactions on the days that the file covers.
  public init(
    _ contents: FileContents, path: String? = nil, by importer: StatementImporter,
    for ledger: Ledger
  ) async throws {
    var contents = contents
    var mapped = MappedFile()
    let plan = try ledger.read { snapshot in
      try StatementPlan(&contents, importer, path: path, in: snapshot) { row, _ in
        mapped.rows.append(row)
      }
    }
    mapped.badLines = plan.badLines
    mapped.badLineCount = plan.badLineCount
    mapped.skippedCount = plan.pendingLeftOut + plan.leftOut
    try await self.init(
      mapped, plan.resolver, settings: importer.settings, path: path, for: ledger)
  }
}

extension ImportSummary {
  /// Looks up the ledger's balances on the days of the stated balances.
  fileprivate mutating func lookUpBalances(in snapshot: borrowing Snapshot) throws {
    for index in balances.indices {
      guard let closing = balances[index].closing,
        let account = try snapshot.account(named: balances[index].account)
      else { continue }
      balances[index].inLedger = try snapshot.balance(of: account.id, on: closing.day)
      guard let difference = balances[index].ledgerDifference, difference.units != 0 else {
        continue
      }
      let pending = try snapshot.allTransactions(
        TransactionFilter(account: account.id, status: .pending))
      var pendingUnits: Int128 = 0
      for transaction in pending where transaction.day <= closing.day {
        pendingUnits += transaction.units(of: account.id)
      }
      balances[index].pendingInLedger = Total(units: pendingUnits, currency: account.currency)
      guard let opening = balances[index].opening, opening.amount.currency == account.currency,
        account.openingBalance == 0,
        try snapshot.balance(of: account.id, on: opening.day.adding(days: -1)).units == 0,
        Int128(opening.amount.minorUnits) == pendingUnits - difference.units
      else { continue }
      balances[index].missingOpening = opening.amount
    }
  }
}
