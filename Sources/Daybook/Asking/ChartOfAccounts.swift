internal import DaybookEngine
import DaybookLMDB
internal import DaybookProjections

/// All accounts and categories, decoded, as of one or more commits.
final class ChartOfAccounts: Sendable {
  /// The accounts in the order in which they were recorded, including deleted ones.
  let accounts: [Account]
  let accountsByID: [AccountID: Account]
  /// The categories in the order in which they were recorded, including deleted ones but not the
  /// built-in ones.
  let categories: [Category]
  /// The categories by id and by number, and as a tree.
  let tree: CategoryTree
  /// The accounts and categories that totals leave out.
  let exclusions: Exclusions

  init(_ snapshot: borrowing Snapshot) throws {
    accounts = try snapshot.entities(Account.self)
    categories = try snapshot.entities(Category.self).belowLiving()
    tree = try CategoryTree(categories)
    accountsByID = Dictionary(
      accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var excluded: Set<EntityID> = []
    for category in categories where category.isExcludedFromTotals {
      for place in try tree.members(category.id, withSubcategories: true) {
        excluded.insert(tree.list[place].id.rawValue)
      }
    }
    exclusions = Exclusions(
      accounts: Set(accounts.lazy.filter(\.isExcludedFromTotals).map(\.id.rawValue)),
      categories: excluded)
  }
}

/// Caches the chart of accounts between snapshots, so that queries needn't decode it again.
///
/// The cache doesn't need to be notified of commits. Snapshots of the same commit have the same
/// entities. Snapshots of different commits have the same accounts and categories if the last
/// commit that changed any of them is the same.
final class ChartOfAccountsCache: Sendable {
  private struct Entry {
    var checkpoint: Checkpoint
    /// The generation of the views.
    ///
    /// Entries aren't shared between generations, because a rebuild may have corrected wrong views.
    var generation: UInt32
    /// The last commit that may have changed an account or category.
    var lastChange: UInt64
    var chart: ChartOfAccounts
  }

  private let entry = Lock<Entry?>(nil)

  /// Returns the chart as of a snapshot's commit.
  ///
  /// - Complexity: O(1) if accounts and categories are unchanged, otherwise O(accounts +
  ///   categories).
  func chart(of snapshot: borrowing Snapshot) throws -> ChartOfAccounts {
    // Register the read with the observer even if the chart is cached.
    snapshot.view.noteReading(Account.kind)
    snapshot.view.noteReading(Category.kind)
    let checkpoint = snapshot.view.untrackedCheckpoint
    let generation = snapshot.view.generation
    let known = entry.withLock { $0?.generation == generation ? $0 : nil }
    if let known, known.checkpoint == checkpoint { return known.chart }
    // Don't cache the chart if the last change is unknown.
    guard let lastChange = try snapshot.view.lastChange(of: [Account.kind, Category.kind]) else {
      return try ChartOfAccounts(snapshot)
    }
    let isSame = known?.lastChange == lastChange
    let chart = try isSame ? known?.chart ?? ChartOfAccounts(snapshot) : ChartOfAccounts(snapshot)
    let fresh = Entry(
      checkpoint: checkpoint, generation: generation, lastChange: lastChange, chart: chart)
    entry.withLock { entry in
      // A snapshot of older views or of an older commit must not replace a newer entry.
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
  /// Returns all accounts and categories, decoded.
  func chartOfAccounts() throws -> ChartOfAccounts { try cache.chartOfAccounts.chart(of: self) }
}
