/// A point in a ledger's work at which the process may crash.
///
/// A crash at any of these points must not lose acknowledged commits, and must not leave partial
/// ones.
public enum CrashPoint: String, CaseIterable, Sendable {
  /// An append has been accepted, and none of it is on disk.
  case beforeCommit = "before journal commit"
  /// The commit is on disk. The views may not contain it, and the append hasn't returned.
  case afterCommit = "after journal commit"
  /// The views contain the commit, or a batch of commits.
  ///
  /// Views are updated after the journal, so the append may have returned before.
  case afterViews = "after views commit"
  /// New views have been built next to the live ones, for example by ``Ledger/rebuild()``.
  case beforeNewViews = "before flip"
  /// The new views have replaced the live ones.
  case afterNewViews = "after flip"
  /// A compacted journal has been written next to the live one, for example by
  /// ``Ledger/compact()``.
  case beforeNewJournal = "before journal flip"
  /// The compacted journal has replaced the live one.
  case afterNewJournal = "after journal flip"
}
