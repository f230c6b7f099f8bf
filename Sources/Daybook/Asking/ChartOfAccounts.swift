import LMDB
internal import Projecting

/// All accounts and categories as of some commits, decoded.
final class ChartOfAccounts: Sendable {
  /// Accounts in the order of their recording, deleted ones too.
  let accounts: [Account]
  /// Accounts by id.
  let accountsByID: [AccountID: Account]
  /// Categories in the order of their recording, deleted ones too, without the built-in ones.
  let categories: [Category]
  /// Categories by id and number, and the tree that they form.
  let tree: CategoryTree

  init(_ snapshot: borrowing Snapshot) throws {
    accounts = try snapshot.entities(Account.self)
    categories = try snapshot.entities(Category.self).belowLiving()
    tree = try CategoryTree(categories)
    accountsByID = Dictionary(
      accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Keeps the chart of accounts between snapshots, so that a query need not decode accounts and categories.
///
/// It stays right without being told of commits. A snapshot of the same commit has the same entities. One of
/// another commit has the same accounts and categories where the same commit was the last to change any.
final class ChartOfAccountsCache: Sendable {
  private struct Entry {
    var checkpoint: Checkpoint
    /// Of the views: what was read of some holds for no others, which may be there because those were wrong.
    var generation: UInt32
    /// The last commit that may have changed an account or category.
    var lastChange: UInt64
    var chart: ChartOfAccounts
  }

  private let entry = Lock<Entry?>(nil)

  /// The chart as of a snapshot's commit.
  ///
  /// - Complexity: O(1) where accounts and categories are as they were, otherwise O(both).
  func chart(of snapshot: borrowing Snapshot) throws -> ChartOfAccounts {
    // An observer hears of what the chart of accounts was made from, kept or not.
    snapshot.view.noteReading(Account.kind)
    snapshot.view.noteReading(Category.kind)
    let checkpoint = snapshot.view.untrackedCheckpoint
    let generation = snapshot.view.generation
    let known = entry.withLock { $0?.generation == generation ? $0 : nil }
    if let known, known.checkpoint == checkpoint { return known.chart }
    // Where the views cannot tell, nothing is kept.
    guard let lastChange = try snapshot.view.lastChange(of: [Account.kind, Category.kind]) else {
      return try ChartOfAccounts(snapshot)
    }
    let isSame = known?.lastChange == lastChange
    let chart = try isSame ? known?.chart ?? ChartOfAccounts(snapshot) : ChartOfAccounts(snapshot)
    let fresh = Entry(
      checkpoint: checkpoint, generation: generation, lastChange: lastChange, chart: chart)
    entry.withLock { entry in
      // A snapshot of older views, or an older commit, must not replace what newer ones use.
      if let entry,
        (entry.generation, entry.checkpoint.sequence) > (generation, checkpoint.sequence)
      {
        return
      }
      entry = fresh
    }
    return chart
  }
}

extension Snapshot {
  /// All accounts and categories, decoded.
  func chartOfAccounts() throws -> ChartOfAccounts { try cache.chartOfAccounts.chart(of: self) }
}
