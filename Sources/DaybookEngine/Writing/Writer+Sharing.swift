internal import DaybookEntities
internal import DaybookJournal

extension Writer {
  /// Refuses a commit that a store with a shared log could record but not send.
  ///
  /// - Throws: `JournalError` with `refused` if the commit is too large to send.
  /// - Complexity: O(changes); the journal is read only for commits that are too large.
  func checkCanBeShared(_ changes: [Change]) throws {
    let byteCount = changes.reduce(0) { $0 + $1.sharedByteCount }
    guard
      changes.count > EventStore.sharedChangeCountMax || byteCount > EventStore.sharedByteCountMax,
      try open.journal.consumers().contains(where: { $0.name == EventStore.replicaConsumer })
    else { return }
    throw JournalError(
      .refused,
      "This ledger is shared with other devices, and a commit that is sent to them holds at most "
        + "\(EventStore.sharedChangeCountMax) changes and \(EventStore.sharedByteCountMax >> 20) MiB of "
        + "records; this one has \(changes.count) changes and \(byteCount >> 20) MiB. Record it as several "
        + "commits, such as one file after the other.")
  }
}

extension Change {
  /// The size of the change's records when sent, in bytes.
  ///
  /// An insertion may restore a deleted entity, whose old record is sent with it.
  fileprivate var sharedByteCount: Int {
    let after = after?.bytes.count ?? 0
    return (before?.bytes.count ?? after) + after
  }
}
