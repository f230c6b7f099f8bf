/// A point in a ledger's work at which a test can make the process crash.
///
/// A crash at any of these points must not lose acknowledged commits, and must not leave partial
/// commits.
public enum CrashPoint: String, CaseIterable, Sendable {
  /// An append has been accepted, but none of its data is on disk.
  case beforeCommit = "before journal commit"
  /// The commit is on disk. The views may not contain it, and the append hasn't returned.
  case afterCommit = "after journal commit"
  /// The views contain the commit, or a batch of commits.
  ///
  /// Views are updated after the journal, so the append may already have returned.
  case afterViews = "after views commit"
  /// New views have been built next to the live views, for example by ``Ledger/rebuild()``.
  case beforeNewViews = "before flip"
  /// The new views have replaced the live views.
  case afterNewViews = "after flip"
  /// A compacted journal has been written next to the live journal, for example by
  /// ``Ledger/compact()``.
  case beforeNewJournal = "before journal flip"
  /// The compacted journal has replaced the live journal.
  case afterNewJournal = "after journal flip"
}
