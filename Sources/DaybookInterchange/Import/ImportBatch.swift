import Daybook

/// The rows of a file, ready to be recorded in one commit.
struct ImportBatch {
  var settings: ImportSettings
  var path: String?
  var rows: [ImportRow] = []
  /// The number of rows that were left out of ``rows`` because they are already recorded.
  var knownCount = 0
  /// The transactions to delete, and the number of them that rows replace.
  var removed: [TransactionID] = []
  var replacedCount = 0
  var resolver: NameResolver?
  var badLines: [BadLine] = []
  var badLineCount = 0
  /// The first commands, which define the currencies of accounts.
  var first: [Command] = []
  /// Commands after the commands for accounts and categories, and before the commands for rows.
  var before: [Command] = []
  /// Commands after the commands for rows.
  var after: [Command] = []
  /// Whether to skip rows that the ledger refuses, independent of the settings for bad lines.
  var skipsRefused = false
  /// Whether rows can match the ledger's pending transactions and due dates.
  var hasMatches = false
  /// The pending rows of the file that aren't imported.
  var pendingLeftOut: [ImportRow] = []

  init(settings: ImportSettings, path: String?) {
    self.settings = settings
    self.path = path
  }

  private var commands: [Command] {
    var options = ImportOptions(
      skipsBadRows: settings.skipsBadRows || badLineCount > 0 || skipsRefused,
      restoresDeleted: settings.restoresDeleted, keepsDuplicates: settings.keepsDuplicates)
    options.removed = removed
    return first + (resolver?.commands ?? []) + before + [.importRows(rows, options)] + after
  }

  /// Records all commands in one commit, or performs a dry run.
  mutating func land(
    in ledger: Ledger, _ progress: (@Sendable (ImportProgress) -> Void)?
  ) async throws -> ImportSummary {
    try checkMissing()
    let isRefused = badLineCount > 0 && !settings.skipsBadRows
    var summary = ImportSummary()
    summary.isDryRun = settings.isDryRun
    summary.skipped = badLines
    guard !isRefused else {
      // Rehearse the import to find further rows that the ledger would refuse, so that the error
      // lists all bad lines.
      let found = try? await ledger.rehearse(commands).compactMap(\.report).first
      let faults = found?.skipped ?? []
      throw refusal(
        badLines + faults.map(badLine), badLineCount + faults.count,
        faults.lazy.flatMap(\.missingRates).gathered)
    }
    let day = settings.isDryRun ? settings.figuresOn : nil
    let isEmpty = rows.isEmpty && removed.isEmpty && commands.count == 1
    guard !isEmpty || day != nil || settings.key != nil else {
      summary.duplicates = knownCount
      return summary
    }
    progress?(.recording(rows.count))
    do {
      let matches = try await match(in: ledger, &summary)
      let outcomes: [Outcome]
      if let day {
        let rehearsal = try await ledger.figures(changedBy: commands, today: day)
        summary.rehearsal = rehearsal
        outcomes = rehearsal.outcomes
      } else if settings.isDryRun {
        outcomes = try await ledger.rehearse(commands)
      } else {
        let receipt = try await ledger.append(
          whole: commands, author: settings.author, key: settings.key)
        summary.token = receipt.token
        outcomes = receipt.outcomes
      }
      guard let report = outcomes.compactMap(\.report).first else { return summary }
      let left = Set(report.duplicates + report.skipped.map(\.index))
      summary.matches = matches.filter {
        $0.transaction == nil
          ? !left.contains($0.index) : report.settled.contains($0.index)
      }
      let closed = try ledger.read { try $0.settings().closedThrough }
      summary.unsettled = matches.filter {
        $0.transaction != nil && !left.contains($0.index) && !report.settled.contains($0.index)
      }.map { match in
        var match = match
        match.obstacle = match.reason(closedThrough: closed)
        return match
      }
      let matched = Set((summary.matches + summary.unsettled).compactMap { $0.transaction?.id })
      summary.stillPending.removeAll { matched.contains($0.id) }
      summary.completed = report.joined.count
      summary.imported = report.recorded.count - summary.completed - replacedCount
      summary.replaced = replacedCount
      summary.duplicates = report.duplicates.count + knownCount
      summary.duplicateIndices = report.duplicates
      summary.faults = report.skipped
      summary.createdAccounts = resolver?.accounts ?? []
      summary.createdCategories = resolver?.categories ?? []
      summary.skipped = (badLines + report.skipped.map(badLine)).sorted { $0.line < $1.line }
      summary.missingRates = report.skipped.lazy.flatMap(\.missingRates).gathered
      if !settings.isDryRun {
        let joined = Set(report.joined.map(\.transaction))
        summary.transactions = report.recorded.filter { !joined.contains($0) }
      }
      summary.transfers = try ledger.read { snapshot in
        try proposedTransfers(report, left, in: snapshot)
      }
      return summary
    } catch {
      throw translated(error)
    }
  }

  /// Finds matching pending transactions and due dates for the rows, and stores them in the rows.
  private mutating func match(
    in ledger: Ledger, _ summary: inout ImportSummary
  ) async throws -> [RowMatch] {
    guard hasMatches, settings.findsMatches, !settings.keepsDuplicates else { return [] }
    var matcher = try ledger.read { try ImportMatcher(rows, in: $0) }
    guard matcher.needsDuplicates || matcher.hasExpected else { return [] }
    // A row that is already recorded must not use up a match.
    var duplicates: Set<Int> = []
    if matcher.needsDuplicates {
      let report = try await ledger.rehearse(commands).compactMap(\.report).first
      duplicates = Set(report?.duplicates ?? [])
    }
    try ledger.read { try matcher.choose(duplicates: duplicates, in: $0) }
    summary.stillPending = matcher.remaining(leftOut: pendingLeftOut)
    for index in matcher.booked { rows[index].match = .booked }
    for (index, one) in matcher.found { rows[index].match = one.match }
    return matcher.found.sorted { $0.key < $1.key }.map { index, one in
      RowMatch(index: index, rows[index], one)
    }
  }

  private func checkMissing() throws(InterchangeError) {
    guard !settings.createsMissing, let resolver else { return }
    guard !resolver.accounts.isEmpty || !resolver.categories.isEmpty else { return }
    let accounts = resolver.accounts.map { "account \($0)" }
    let categories = resolver.categories.map {
      "\($0.kind) category \($0.path)"
    }
    let names = accounts + categories
    let more = names.count > 20 ? " and \(names.count - 20) more" : ""
    throw InterchangeError(
      .missing,
      "Couldn't import: missing from the ledger: "
        + "\(names.prefix(20).joined(separator: ", "))\(more).",
      remedy: "Create them, correct the mapping, or allow the import to create them.", path: path)
  }

  private func badLine(_ fault: RowFault) -> BadLine {
    BadLine(
      line: fault.line, code: fault.code == .noRate ? .rate : .refused,
      reason: fault.message.asSentence,
      remedy: "Correct the row.")
  }

  private func refusal(
    _ lines: [BadLine], _ count: Int, _ missingRates: [MissingRates]
  ) -> InterchangeError {
    let lines = lines.sorted { $0.line < $1.line }
    let total = max(count, lines.count)
    var error = InterchangeError(
      .badLines,
      "\(total) line\(total == 1 ? "" : "s") can't be imported. Nothing was recorded.",
      remedy: lines.contains(where: \.hasMoney)
        ? "Correct the lines or the mapping."
        : "Correct the lines or the mapping, or import the file without them.", path: path,
      line: lines.first?.line, badLines: lines)
    error.missingRates = missingRates
    return error
  }

  private func translated(_ error: any Error) -> any Error {
    guard let refusal = (error as? DaybookError)?.refusal else { return error }
    guard refusal.rows.isEmpty else {
      return self.refusal(
        refusal.rows.map(badLine), refusal.rows.count, refusal.missingRates)
    }
    return InterchangeError(
      .refused, "The ledger refused the import: \(refusal.message.ended)",
      remedy: "Nothing was recorded.", path: path, cause: error)
  }
}
