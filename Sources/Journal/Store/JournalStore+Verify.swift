import Entities
import LMDB

/// What a check of the chain found.
package struct ChainReport: Hashable, Sendable {
  /// How many commits were checked.
  package var commitCount: UInt64
  /// How many changes they hold.
  package var changeCount: UInt64
  /// The newest commit.
  package var head: Head
}

extension JournalStore {
  /// Re-reads every commit after `sequence` and computes the chain anew, from the bytes alone.
  ///
  /// It needs no schema: commits of kinds that this process does not know are checked too.
  ///
  /// - Parameter progress: Called now and then with the sequence reached and the last one; returns whether to
  ///   go on.
  /// - Throws: `JournalError` with `brokenChain`, `damagedCommit` or `missingCommit`, and the first
  ///   sequence that is wrong; with `token(.expired)` where the stretch has been purged.
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

  private func checkNothingBehind(_ head: Head, _ view: TransactionView) throws {
    var cursor = try view.cursor(in: tables.commits)
    guard let entry = try cursor.last() else { return }
    var reader = ByteReader(entry.key)
    let newest = try reader.u64be()
    guard newest > head.sequence else { return }
    throw JournalError(
      .brokenChain,
      "The journal “\(path)” holds commit \(newest), but its head says that \(head.sequence) is "
        + "the newest: restore the ledger from a backup.", path: path, sequence: newest)
  }

  private func brokenChain(_ sequence: UInt64) -> JournalError {
    JournalError(
      .brokenChain,
      "The chain breaks at commit \(sequence) of “\(path)”: its bytes are not what was committed. "
        + "Restore the ledger from a backup.", path: path, sequence: sequence)
  }
}
