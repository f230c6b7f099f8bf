import DaybookEngine
import DaybookEntities
import DaybookMerging

/// The changes that a replica defers during a rebase, because their period has been closed in the
/// meantime.
///
/// Only this replica has these deferred changes, because the log doesn't contain them.
struct RebaseHolding {
  private let context: MergeContext
  private let rules: MergeRules
  private let closing: Writer
  private(set) var changes: [DaybookMerging.EntityKey: HeldChange] = [:]

  init(_ context: MergeContext, _ rules: MergeRules, on folded: Folded) {
    self.context = context
    self.rules = rules
    let state = rules.closing.flatMap { folded.entities[$0.key] }
    let known = state?.writers.first { $0.register == rules.closing?.register }?.writer
    // If the closing is below the floor, its author is no longer known.
    closing =
      known
      ?? Writer(
        position: folded.floor, replica: ReplicaID(rawValue: 0), number: 0, clock: 0, received: 0)
  }

  /// Returns the record on which the next change of the entity is based, if the whole entity is
  /// deferred.
  func after(_ key: DaybookMerging.EntityKey) -> Record?? {
    guard rules.closing?.kinds[key.kind]?.isWhole == true else { return nil }
    return changes[key].map(\.after)
  }

  /// Defers a change, or merges it into the entity's deferred change.
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
