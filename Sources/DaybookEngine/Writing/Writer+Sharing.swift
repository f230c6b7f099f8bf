internal import DaybookEntities
internal import DaybookJournal

extension Writer {
  /// Refuses a commit of a shared ledger that could be recorded but not sent to other devices.
  ///
  /// - Throws: `JournalError` with `refused` if the commit is too large.
  /// - Complexity: O(changes); the journal is read only if the commit is too large.
  func checkCanBeShared(_ changes: [Change]) throws {
    let byteCount = changes.reduce(0) { $0 + $1.sharedByteCount }
    guard
      changes.count > EventStore.sharedChangeCountMax || byteCount > EventStore.sharedByteCountMax,
      try open.journal.consumers().contains(where: { $0.name == EventStore.replicaConsumer })
    else { return }
    throw JournalError(
      .refused,
      "This ledger is shared with other devices, so a commit can have at most "
        + "\(EventStore.sharedChangeCountMax) changes and \(EventStore.sharedByteCountMax >> 20) MiB "
        + "of records; this one has \(changes.count) changes and \(byteCount >> 20) MiB. Record it as "
        + "several commits, such as one per file.")
  }
}

extension Change {
  /// The byte count of the change's records when they are sent.
  ///
  /// An insertion may restore a deleted entity, in which case its old record is also sent.
  fileprivate var sharedByteCount: Int {
    let after = after?.bytes.count ?? 0
    return (before?.bytes.count ?? after) + after
  }
}
