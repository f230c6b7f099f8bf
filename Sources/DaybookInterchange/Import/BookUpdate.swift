import Daybook

/// The update of transactions that were edited or deleted in the books since an earlier import.
///
/// The import replaces or deletes these transactions only if they haven't been changed in the
/// ledger.
struct BookUpdate {
  /// The rows of edited transactions, with the recorded transactions.
  var edited: [(row: Int, recorded: BookComparison.Recorded)] = []
  var missing: [BookComparison.Recorded] = []
  private(set) var notices: [FileNotice] = []
  private(set) var listed: [MissingTransaction] = []

  /// Treats a journal's new transactions as edited if they differ from a missing transaction only
  /// in category, note, tags or status.
  mutating func pair(_ rows: [ImportRow], in snapshot: borrowing Snapshot) throws {
    let days = Set(missing.map(\.day))
    var places: [RowText: [Int]] = [:]
    for (index, row) in rows.enumerated().reversed() where days.contains(row.draft.day) {
      if let text = RowText(row.draft) { places[text, default: []].append(index) }
    }
    guard !places.isEmpty else { return }
    var rest: [BookComparison.Recorded] = []
    for recorded in missing {
      if let transaction = try snapshot.transaction(recorded.id),
        let row = places[RowText(transaction)]?.popLast()
      {
        edited.append((row, recorded))
      } else {
        rest.append(recorded)
      }
    }
    missing = rest
  }

  /// Adds the deletions to a batch, and removes rows of edited transactions that must not be
  /// replaced.
  mutating func settle(_ batch: inout ImportBatch, in ledger: Ledger) throws {
    let follows = batch.settings.followsDeletions
    let candidates = edited.map(\.recorded) + (follows ? missing : [])
    let changed = try Self.changed(Set(candidates.map(\.id.rawValue)), in: ledger)
    var reconciled: [TransactionID] = []
    var rejected: Set<Int> = []
    try ledger.read { snapshot in
      let closed = try snapshot.settings().closedThrough
      func fate(_ recorded: BookComparison.Recorded) -> MissingTransaction.Result {
        if changed.contains(recorded.id.rawValue) { return .changed }
        if let closed, recorded.day <= closed { return .closed }
        batch.removed.append(recorded.id)
        if recorded.isReconciled { reconciled.append(recorded.id) }
        return .deleted
      }
      for (row, recorded) in edited {
        let result = fate(recorded)
        guard result != .deleted else {
          batch.replacedCount += 1
          continue
        }
        rejected.insert(row)
        if let transaction = try snapshot.transaction(recorded.id) {
          notices.append(Self.notice(transaction, batch.rows[row], result))
        }
      }
      for recorded in missing {
        let result = follows ? fate(recorded) : .listed
        if let transaction = try snapshot.transaction(recorded.id) {
          listed.append(MissingTransaction(transaction: transaction, result: result))
        }
      }
    }
    if !rejected.isEmpty {
      batch.rows = batch.rows.indices.lazy.filter { !rejected.contains($0) }
        .map { batch.rows[$0] }
    }
    // Unlock reconciled transactions, so that they can be replaced or deleted.
    for start in stride(from: 0, to: reconciled.count, by: Limits.reconcileCountMax) {
      let part = reconciled[start..<min(start + Limits.reconcileCountMax, reconciled.count)]
      batch.before.append(.unreconcile(Array(part)))
    }
  }

  /// Returns the transactions that were changed after their import.
  ///
  /// A transaction whose import is no longer in history counts as changed.
  private static func changed(
    _ ids: Set<EntityID>, in ledger: Ledger
  ) throws -> Set<EntityID> {
    guard !ids.isEmpty else { return [] }
    var open = ids
    var changed: Set<EntityID> = []
    var filter = HistoryFilter()
    filter.entities = ids
    var cursor = try ledger.history(before: nil, matching: filter).cursor()
    while !open.isEmpty, let entry = try cursor.next() {
      for change in entry.changes.reversed() where open.remove(change.id) != nil {
        let isImport =
          change.operation == .insert
          || change.differences.contains { $0.name == "importReference" }
        if !isImport { changed.insert(change.id) }
      }
    }
    return changed.union(open)
  }

  private static func notice(
    _ transaction: Transaction, _ row: ImportRow, _ result: MissingTransaction.Result
  ) -> FileNotice {
    let reason =
      result == .closed
      ? "its period is closed in the ledger, so it stays unchanged"
      : "it was changed in the ledger, too, so it stays unchanged"
    return FileNotice(
      line: row.line,
      "The transaction was edited in the books, but \(reason). In the ledger: "
        + "\(transaction.summary). In the books: \(row.draft.summary).")
  }
}

/// The properties by which an edited transaction of a journal is recognised.
private struct RowText: Hashable {
  private struct Move: Hashable {
    var account: AccountID
    var amount: Money
  }

  private var day: Day
  private var description: String
  private var payee: String
  private var moves: [Move]

  init(_ transaction: Transaction) {
    self.init(transaction.day, transaction.details, Array(transaction.postings))
  }

  init?(_ draft: Draft) {
    guard case .postings(let postings) = draft.shape else { return nil }
    self.init(draft.day, draft.details, postings)
  }

  private init(_ day: Day, _ details: TransactionDetails, _ postings: [Posting]) {
    self.day = day
    description = details.description
    payee = details.payee
    moves = postings.compactMap { posting in
      guard let account = posting.accountID, account != .exchange else { return nil }
      return Move(account: account, amount: posting.amount)
    }
  }
}

extension Draft {
  /// The day, description and amount of the first account.
  fileprivate var summary: String {
    guard case .postings(let postings) = shape else { return "\(day)" }
    let transaction = Transaction(
      id: .unassigned, day: day, type: .transfer, details: details, postings: postings)
    return transaction.summary
  }
}
