import Entities
package import Journal
import Merging
package import Projecting

/// Tells the commits that this copy of a ledger recorded from those that it took from other devices.
///
/// Commits that a backup's copy has from before it was restored are its own: it recorded them under a former name.
/// Commits that merging made, on behalf of nobody, are nobody's.
package struct CommitOwnership: Sendable {
  private let present: UInt64
  private let names: OwnNames?
  private let store: EventStore

  /// As of now.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1).
  package init(_ store: EventStore) throws {
    self.store = store
    present = try store.withJournal { journal throws in try journal.replica }
    let noted = try store.value(SideKey.part(0, of: SideKey.names), ofConsumer: Replica.consumer)
    names = try noted.map { try OwnNames($0) }
  }

  /// Whether this copy recorded a commit; in a ledger that is not shared, it recorded all of them.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1).
  package func contains(_ commit: CommitHeader) throws -> Bool {
    if commit.replica == present { return true }
    if commit.replica == 0 { return false }
    guard let names else { return true }
    if names.name(of: commit) != nil { return true }
    if names.all.contains(where: { $0.rawValue == commit.replica }) { return false }
    // A name that this copy had between two exchanges is not noted yet, and the log has nothing under it.
    let key = SideKey.replica(ReplicaID(rawValue: commit.replica))
    return try store.value(SideKey.part(0, of: key), ofConsumer: Replica.consumer) == nil
  }
}
