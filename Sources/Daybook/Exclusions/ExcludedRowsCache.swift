internal import DaybookEngine
internal import DaybookLMDB
internal import DaybookProjections

/// Caches the excluded rows between snapshots, and updates them with the changes of later commits.
final class ExcludedRowsCache: Sendable {
  private struct Entry {
    var token: Token
    /// The generation of the views.
    var generation: UInt32
    /// The commit at which the list of transactions was last built.
    var buildSequence: UInt64?
    var rows: ExcludedRows
  }

  private let entry = Lock<Entry?>(nil)

  /// The maximum number of changes to apply; after more changes, the rows are read again.
  private static let changeCountMax = 1_000

  /// Returns the rows as of a snapshot's commit.
  ///
  /// - Complexity: O(1) for the same commit, otherwise O(changes), or that of reading the rows if an
  ///   exclusion has changed.
  func rows(of snapshot: borrowing Snapshot) throws -> ExcludedRows {
    // Register the read with the observer even if the rows are cached.
    try Transactions.noteReadingExcluded(in: snapshot.view)
    let token = snapshot.view.untrackedToken
    let generation = snapshot.view.generation
    let known = entry.withLock { $0?.generation == generation ? $0 : nil }
    let buildSequence = try? snapshot.view.buildSequence(of: Transactions.self)
    if let known, known.token == token, known.buildSequence == buildSequence {
      noteReading(of: known.rows, in: snapshot)
      return known.rows
    }
    var found = ExcludedRows.nothing
    if try Transactions.hasExcluded(in: snapshot.view) {
      let chart = try snapshot.chartOfAccounts()
      if let known, known.buildSequence == buildSequence, known.token.sequence < token.sequence,
        known.rows.exclusions == chart.exclusions, !known.rows.rows.isEmpty,
        let changes = try? snapshot.view.changes(
          since: known.token, of: .transaction, countMax: Self.changeCountMax)
      {
        found = try known.rows.updated(by: changes.entities, chart)
      } else {
        found = try ExcludedRows(chart, in: snapshot.view)
      }
      noteReading(of: found, in: snapshot)
    }
    let fresh = Entry(
      token: token, generation: generation, buildSequence: buildSequence, rows: found)
    entry.withLock { entry in
      // A snapshot of older views or of an older commit must not replace a newer entry.
      if let entry,
        (entry.generation, entry.token.sequence) > (generation, token.sequence)
      {
        return
      }
      entry = fresh
    }
    return found
  }

  /// Registers the read with the observer.
  private func noteReading(of rows: ExcludedRows, in snapshot: borrowing Snapshot) {
    if rows === ExcludedRows.nothing { return }
    for kind in [EntityKind.account, .category, .transaction] { snapshot.view.noteReading(kind) }
  }
}

extension Snapshot {
  /// Returns the transactions of which totals leave something out; `nil` if there are none.
  func excludedRows() throws -> ExcludedRows? {
    let rows = try cache.excludedRows.rows(of: self)
    return rows.rows.isEmpty ? nil : rows
  }
}
