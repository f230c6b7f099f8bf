import Entities
import Merging
import Projecting

/// What a replica holds of its own changes that came too late for the log, because their period was closed meanwhile.
///
/// The log has none of it, so this replica alone does.
struct RebaseHolding {
  private let context: MergeContext
  private let rules: MergeRules
  private let closing: Writer
  private(set) var changes: [Merging.EntityKey: HeldChange] = [:]

  init(_ context: MergeContext, _ rules: MergeRules, on folded: Folded) {
    self.context = context
    self.rules = rules
    let state = rules.closing.flatMap { folded.entities[$0.key] }
    let known = state?.writers.first { $0.register == rules.closing?.register }?.writer
    // Below the floor nobody knows who closed.
    closing =
      known
      ?? Writer(
        position: folded.floor, replica: ReplicaID(rawValue: 0), number: 0, clock: 0, received: 0)
  }

  /// What a change goes on from, where the whole of an entity is held.
  func after(_ key: Merging.EntityKey) -> Record?? {
    guard rules.closing?.kinds[key.kind]?.isWhole == true else { return nil }
    return changes[key].map(\.after)
  }

  /// Holds a change, or what follows on it.
  mutating func hold(_ change: EntityChange, at sequence: UInt64, by writer: Writer) {
    if var known = changes[change.key] {
      (known.after, known.last) = (change.after, writer)
      changes[change.key] = known.after == known.before ? nil : known
      return
    }
    let id = FindingID(
      replica: ReplicaID(rawValue: context.replica), number: sequence, key: change.key,
      rule: .held)
    changes[change.key] = HeldChange(
      id: id, before: change.before, after: change.after, closing: closing, last: writer)
  }
}
