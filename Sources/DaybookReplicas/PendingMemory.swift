import DaybookEngine
import DaybookEntities
import DaybookMerging
import Synchronization

/// The position up to which the journal was read for pending commits, and the journal's state at
/// that time.
struct WalkedJournal: Hashable, Sendable {
  /// The generation of the journal, which an erasure replaces.
  let generation: UInt32
  /// The names under which this copy has recorded.
  var names: OwnNames
  /// The last commit that was read.
  var head: UInt64
  /// The last commit that the consumer has acknowledged.
  var acknowledged: UInt64
  /// This copy's last commit in the log; its number is 0 if the log has none.
  var last: ReplicaCommit.Continuation

  init(_ side: SideValues<some MergeSource>) throws {
    generation = side.source.generation
    names = try side.names
    head = try side.source.head
    acknowledged = try side.source.acknowledged
    last = try side.lastPlaced
  }

  /// Returns whether commits that were read as of `other` are still valid, so that only newer
  /// commits must be read.
  func continues(_ other: WalkedJournal) -> Bool {
    generation == other.generation && names == other.names && last == other.last
      && acknowledged == other.acknowledged && head >= other.head
  }
}

/// A cache of a replica's pending commits.
final class PendingMemory: Sendable {
  private let rules: MergeRules
  private let last = Mutex<PendingCommits?>(nil)

  init(_ rules: MergeRules) { self.rules = rules }

  /// Returns the current pending commits.
  ///
  /// The method updates the cached commits or, if that is impossible, reads all of them.
  func take(_ side: SideValues<some MergeSource>) throws -> PendingCommits {
    if var known = last.withLock({ $0.take() }), try known.follow(side) { return known }
    return try PendingCommits(side, rules: rules)
  }

  /// Caches pending commits, which must be durable.
  func put(_ pending: PendingCommits) { last.withLock { $0 = pending } }
}
