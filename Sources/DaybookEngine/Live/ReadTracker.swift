internal import DaybookJournal
internal import DaybookLMDB

/// Records the parts of a view that an observer's closure reads.
///
/// Not `Sendable`: each evaluation creates its own.
package final class ReadTracker {
  private var tags: [ChangeTag] = []
  private var readsEverything = false
  private var checkpoint = Checkpoint.none
  private var lineage: UInt64 = 0

  init() {}

  /// Records the commit of the view.
  func begin(_ checkpoint: Checkpoint, lineage: UInt64) {
    self.checkpoint = checkpoint
    self.lineage = lineage
  }

  /// Records that a part of the views was read.
  func note(_ tag: ChangeTag) {
    // Consecutive reads usually read the same table.
    if tags.last == tag || tags.contains(tag) { return }
    tags.append(tag)
  }

  /// Records a read of data that every commit changes.
  func noteEverything() { readsEverything = true }

  /// The recorded dependencies.
  var dependencies: ReadDependencies {
    ReadDependencies(
      tags: tags, readsEverything: readsEverything, checkpoint: checkpoint, lineage: lineage)
  }
}

/// The parts of the views on which a value depends, and the commit as of which they were read.
struct ReadDependencies: Sendable {
  fileprivate let tags: [ChangeTag]
  fileprivate let readsEverything: Bool
  fileprivate var checkpoint: Checkpoint
  fileprivate let lineage: UInt64
}

extension EventStore {
  /// Returns whether a value with these dependencies may have changed.
  ///
  /// If the value has not changed, the dependencies are updated to the newest commit.
  ///
  /// - Complexity: O(tables read).
  func haveChanged(_ read: inout ReadDependencies) throws -> Bool {
    let view = try presentView()
    let now = view.head.checkpoint
    if view.open.journal.lineage != read.lineage { return true }
    if now == read.checkpoint { return false }
    // If the commit differs but is not newer, history was replaced.
    if read.readsEverything || now.sequence <= read.checkpoint.sequence { return true }
    guard let stamps = try view.open.views.stamps(in: view.transaction.view) else { return true }
    let known = read.checkpoint.sequence
    if read.tags.contains(where: { stamps.sequence(of: $0) > known }) { return true }
    read.checkpoint = now
    return false
  }
}
