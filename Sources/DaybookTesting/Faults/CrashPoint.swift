/// A moment of a ledger's work at which a process may die.
///
/// Nothing that was acknowledged may be lost, whichever it is, and nothing may be there in part.
public enum CrashPoint: String, CaseIterable, Sendable {
  /// An append has been decided; nothing of it is on disk.
  case beforeCommit = "before journal commit"
  /// The commit is on disk; the views may lack it, and nobody has been answered.
  case afterCommit = "after journal commit"
  /// The views have the commit, too, or several that had gathered.
  ///
  /// They follow the journal: whoever appended may have been answered before.
  case afterViews = "after views commit"
  /// New views have been built beside the live ones, as by ``Ledger/rebuild()``.
  case beforeNewViews = "before flip"
  /// They have taken their place.
  case afterNewViews = "after flip"
  /// A compacted journal has been written beside the live one, as by ``Ledger/compact()``.
  case beforeNewJournal = "before journal flip"
  /// It has taken its place.
  case afterNewJournal = "after journal flip"
}
