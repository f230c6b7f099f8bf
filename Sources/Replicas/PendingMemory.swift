import Entities
import Merging
import Projecting
import Synchronization

/// How much of the journal was walked through for pending commits, and what it was then.
struct WalkedJournal: Hashable, Sendable {
  /// Which journal it is: an erasure writes another one.
  let generation: UInt32
  /// Under which names this copy has recorded.
  var names: OwnNames
  /// The last commit that was walked through.
  var head: UInt64
  /// The last that the consumer has acknowledged.
  var acknowledged: UInt64
  /// The last own commit that the log has; number 0 before the first.
  var last: ReplicaCommit.Continuation

  init(_ side: SideValues<some MergeSource>) throws {
    generation = side.source.generation
    names = try side.names
    head = try side.source.head
    acknowledged = try side.source.acknowledged
    last = try side.lastPlaced
  }

  /// Whether what was found in `other` is still right, and there may only be more.
  func continues(_ other: WalkedJournal) -> Bool {
    generation == other.generation && names == other.names && last == other.last
      && acknowledged == other.acknowledged && head >= other.head
  }
}

/// The pending commits of a replica as they were read last, for whoever comes next.
final class PendingMemory: Sendable {
  private let rules: MergeRules
  private let last = Mutex<PendingCommits?>(nil)

  init(_ rules: MergeRules) { self.rules = rules }

  /// The pending commits as of now: what was read last is taken out and brought up, or all are read.
  func take(_ side: SideValues<some MergeSource>) throws -> PendingCommits {
    if var known = last.withLock({ $0.take() }), try known.follow(side) { return known }
    return try PendingCommits(side, rules: rules)
  }

  /// Keeps them for the next one; only what is durable may be put back.
  func put(_ pending: PendingCommits) { last.withLock { $0 = pending } }
}
