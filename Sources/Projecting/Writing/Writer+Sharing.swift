internal import Entities
internal import Journal

extension Writer {
  /// Refuses a commit that a store which shares a log could record but not send.
  ///
  /// - Complexity: O(changes); the journal is asked only about commits that are too large.
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
  /// The bytes of its records when it is sent; an insertion may bring back something deleted, whose record goes along.
  fileprivate var sharedByteCount: Int {
    let after = after?.bytes.count ?? 0
    return (before?.bytes.count ?? after) + after
  }
}
