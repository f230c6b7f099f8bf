public import Daybook

/// Records what a bank's file says: the rows of its statements, each on the account that it belongs to.
///
/// A file lands whole or not at all, as with ``CSVImporter``. An account is found by its IBAN or number,
/// which is kept on the account from the first import on.
public struct StatementImporter: Sendable {
  /// How rows are imported.
  public var settings: ImportSettings
  /// Which accounts the file's are, where somebody has said it.
  public var accounts: AccountChoice
  /// Whether rows that the bank has not booked yet are recorded, as pending.
  public var takesPending: Bool
  /// Whether the balances that the file states become balances that the ledger checks from now on.
  public var assertsBalances: Bool

  /// An importer.
  public init(
    settings: ImportSettings = ImportSettings(), accounts: AccountChoice = AccountChoice(),
    takesPending: Bool = false, assertsBalances: Bool = false
  ) {
    self.settings = settings
    self.accounts = accounts
    self.takesPending = takesPending
    self.assertsBalances = assertsBalances
  }

  /// Finds the ledger's accounts of a file, and records nothing.
  ///
  /// - Throws: `InterchangeError` of code `account`, with `unknownAccounts`, where one can't be told.
  public func check(
    _ contents: FileContents, path: String? = nil, in snapshot: borrowing Snapshot
  ) throws {
    var headers = FileContents()
    headers.statements = contents.statements
    for index in headers.statements.indices { headers.statements[index].rows = [] }
    _ = try StatementPlan(&headers, self, path: path, in: snapshot) { _, _ in }
  }

  /// Records the statements of a file.
  ///
  /// - Parameters:
  ///   - contents: what the file says. Each row is given back as it is taken: who hands over what he does not
  ///     keep needs less memory.
  ///   - path: what the file is called in messages.
  ///   - progress: called now and then, on the thread of the import.
  /// - Throws: `InterchangeError`: `account` where an account of the file is none that is known,
  ///   `badLines` with every bad line, `missing`, `refused`. Nothing was recorded then. Errors of
  ///   the ledger's files arrive as `DaybookError`.
  /// - Complexity: O(rows) time and memory; at most `Limits.importRowCountMax` rows.
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
  /// The rows of a bank's file, and what the ledger knows of each; nothing is recorded.
  ///
  /// - Throws: as `StatementImporter.run`.
  /// - Complexity: O(rows), and O(rows of the ledger in the days of the file).
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
    mapped.skippedCount = plan.pendingLeftOut
    try await self.init(
      mapped, plan.resolver, settings: importer.settings, path: path, for: ledger)
  }
}

extension ImportSummary {
  /// Asks the ledger what accounts hold on the days for which the file says it.
  fileprivate mutating func lookUpBalances(in snapshot: borrowing Snapshot) throws {
    for index in balances.indices {
      guard let closing = balances[index].closing,
        let account = try snapshot.account(named: balances[index].account)
      else { continue }
      balances[index].inLedger = try snapshot.balance(of: account.id, on: closing.day)
    }
  }
}
