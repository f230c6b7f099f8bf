internal import Journal
internal import LMDB

/// Gathers what a view is asked for, while somebody observes.
///
/// Not `Sendable`: it lives as long as one evaluation.
package final class ReadTracker {
  private var tags: [ChangeTag] = []
  private var readsEverything = false
  private var checkpoint = Checkpoint.none
  private var lineage: UInt64 = 0

  init() {}

  /// Takes down which commit is read.
  func begin(_ checkpoint: Checkpoint, lineage: UInt64) {
    self.checkpoint = checkpoint
    self.lineage = lineage
  }

  /// Takes down that something was read.
  func note(_ tag: ChangeTag) {
    // Rows are mostly read one after another from the same table.
    if tags.last == tag || tags.contains(tag) { return }
    tags.append(tag)
  }

  /// Takes down that something was read which every commit changes.
  func noteEverything() { readsEverything = true }

  /// What was read.
  var dependencies: ReadDependencies {
    ReadDependencies(
      tags: tags, readsEverything: readsEverything, checkpoint: checkpoint, lineage: lineage)
  }
}

/// What a value was made from, and as of which commit.
struct ReadDependencies: Sendable {
  fileprivate let tags: [ChangeTag]
  fileprivate let readsEverything: Bool
  fileprivate var checkpoint: Checkpoint
  fileprivate let lineage: UInt64
}

extension EventStore {
  /// Whether a value made from what is given might come out differently now.
  ///
  /// Where it might not, the value counts as one of the newest commit from then on.
  ///
  /// - Complexity: O(tables read).
  func haveChanged(_ read: inout ReadDependencies) throws -> Bool {
    let view = try presentView()
    let now = view.head.checkpoint
    if view.open.journal.lineage != read.lineage { return true }
    if now == read.checkpoint { return false }
    // Not later, yet another commit: the history has been replaced.
    if read.readsEverything || now.sequence <= read.checkpoint.sequence { return true }
    guard let stamps = try view.open.views.stamps(in: view.transaction.view) else { return true }
    let known = read.checkpoint.sequence
    if read.tags.contains(where: { stamps.sequence(of: $0) > known }) { return true }
    read.checkpoint = now
    return false
  }
}
