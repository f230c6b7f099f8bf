import DaybookEntities
import DaybookLMDB

/// The result of checking the hash chain.
package struct ChainReport: Hashable, Sendable {
  /// The number of checked commits.
  package var commitCount: UInt64
  /// The number of changes in these commits.
  package var changeCount: UInt64
  /// The newest commit.
  package var head: Head
}

extension JournalStore {
  /// Reads every commit after `sequence` and recomputes the hash chain from the stored bytes.
  ///
  /// No schema is needed: commits with kinds that this process doesn't support are also checked.
  ///
  /// - Parameters:
  ///   - sequence: The commit before the range; its stored link is the start of the chain. `nil`
  ///     stands for the floor.
  /// - last: The last commit; `nil` for the newest.
  ///   - progress: Called occasionally with the current sequence and the last one; returns whether
  ///     to continue.
  /// - Throws: `JournalError` with `brokenChain`, `damagedCommit` or `missingCommit`, with the
  ///   sequence of the first faulty commit; with `token(.expired)` if the range has been purged.
  package func verifyChain(
    after sequence: UInt64? = nil,
    progress: (_ sequence: UInt64, _ last: UInt64) throws -> Bool = { _, _ in true }
  ) throws -> ChainReport {
    try read { view throws in
      let head = try head(view)
      let start = try sequence ?? floor(view).sequence
      try checkKept(after: start, view)
      var link = try link(of: start, head: head, view)
      var report = ChainReport(commitCount: 0, changeCount: 0, head: head)
      var scratch = DigestScratch()
      var reached = start
      try forEachCommit(
        after: start, through: nil, reversed: false, checkingKinds: false, view
      ) { commit in
        let digest = try commit.bodyDigest(scratch: &scratch)
        link = JournalTables.link(after: link, commit.sequence, digest)
        guard try commit.link == link else { throw brokenChain(commit.sequence) }
        reached = commit.sequence
        report.commitCount += 1
        report.changeCount += UInt64(commit.changeCount)
        guard commit.sequence % 1_024 == 0 else { return true }
        return try progress(commit.sequence, head.sequence)
      }
      if reached == head.sequence, link != head.link { throw brokenChain(head.sequence) }
      try checkNothingBehind(head, view)
      return report
    }
  }

  /// Checks that the bytes of one commit are the same as when it was committed.
  ///
  /// - Throws: `JournalError` with `brokenChain` if they were altered.
  /// - Complexity: Takes one hash of the commit.
  func checkLink(of commit: CommitView, _ view: TransactionView) throws {
    let before = try link(of: commit.sequence - 1, head: head(view), view)
    var scratch = DigestScratch()
    let digest = try commit.bodyDigest(scratch: &scratch)
    guard try commit.link == JournalTables.link(after: before, commit.sequence, digest) else {
      throw brokenChain(commit.sequence)
    }
  }

  private func checkNothingBehind(_ head: Head, _ view: TransactionView) throws {
    var cursor = try view.cursor(in: tables.commits)
    guard let entry = try cursor.last() else { return }
    var reader = ByteReader(entry.key)
    let newest = try reader.u64be()
    guard newest > head.sequence else { return }
    throw JournalError(
      .brokenChain,
      "The journal “\(path)” contains commit \(newest), but its head says that \(head.sequence) is "
        + "the newest: restore the ledger from a backup.", path: path, sequence: newest)
  }

  func brokenChain(_ sequence: UInt64) -> JournalError {
    JournalError(
      .brokenChain,
      "The chain breaks at commit \(sequence) of “\(path)”: its bytes differ from those committed. "
        + "Restore the ledger from a backup.", path: path, sequence: sequence)
  }
}
