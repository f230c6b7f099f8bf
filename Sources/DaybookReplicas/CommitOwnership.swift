package import DaybookEngine
import DaybookEntities
package import DaybookJournal
import DaybookMerging

/// Distinguishes the commits that this copy of a ledger recorded from commits of other devices.
///
/// A restored backup also owns the commits from before the backup, which were recorded under an
/// earlier name. Commits that were created by merging belong to no copy.
package struct CommitOwnership: Sendable {
  private let present: UInt64
  private let names: OwnNames?
  private let store: EventStore

  /// Reads this copy's current and earlier names.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1).
  package init(_ store: EventStore) throws {
    self.store = store
    present = try store.withJournal { journal throws in try journal.replica }
    let noted = try store.value(SideKey.part(0, of: SideKey.names), ofConsumer: Replica.consumer)
    names = try noted.map { try OwnNames($0) }
  }

  /// Returns whether this copy recorded a commit; in a ledger that isn't shared, it recorded all
  /// commits.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1).
  package func contains(_ commit: CommitHeader) throws -> Bool {
    if commit.replica == present { return true }
    if commit.replica == 0 { return false }
    guard let names else { return true }
    if names.name(of: commit) != nil { return true }
    if names.all.contains(where: { $0.rawValue == commit.replica }) { return false }
    // If this copy had a name only between two exchanges, the name isn't saved yet, and the log has
    // no commits under it.
    let key = SideKey.replica(ReplicaID(rawValue: commit.replica))
    return try store.value(SideKey.part(0, of: key), ofConsumer: Replica.consumer) == nil
  }
}
