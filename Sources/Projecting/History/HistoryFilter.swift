public import Entities
internal import Journal

/// Which commits and changes of history are wanted; all of them where nothing is said.
public struct HistoryFilter: Hashable, Sendable {
  /// Only commits of these authors; the empty name stands for commits without one.
  public var authors: Set<String>?
  /// Only commits of these sources.
  public var sources: Set<String>?
  /// Only changes of these entities.
  public var entities: Set<EntityID>?
  /// Only changes of entities of these kinds.
  public var kinds: Set<EntityKind>?
  /// Only commits from this time on, in microseconds since 1970 (UTC).
  public var from: Int64?
  /// Only commits before this time, in microseconds since 1970 (UTC).
  public var until: Int64?

  /// Of each commit at most so many of the wanted changes, its first; its header says how many it has.
  ///
  /// Where neither entities nor kinds are chosen, no more of a large commit is read than that.
  public var changeCountMax: Int?

  /// Everything.
  public init() {}

  /// Whether changes are left out.
  var choosesChanges: Bool { entities != nil || kinds != nil }

  func accepts(_ commit: CommitView) throws -> Bool {
    if let from, commit.wallMicroseconds < from { return false }
    if let until, commit.wallMicroseconds >= until { return false }
    guard authors != nil || sources != nil else { return true }
    let header = try commit.header
    if let authors, !authors.contains(header.author ?? "") { return false }
    if let sources, !sources.contains(header.source) { return false }
    return true
  }

  func accepts(_ change: ChangeView) -> Bool {
    if let kinds, !kinds.contains(change.kind) { return false }
    if let entities, !entities.contains(change.id) { return false }
    return true
  }

  /// The wanted part of a commit, copied; `nil` where nothing of it is wanted.
  func part(of commit: CommitView) throws -> Commit? {
    guard try accepts(commit) else { return nil }
    let most = changeCountMax ?? .max
    if !choosesChanges { return try commit.copied(upTo: most) }
    var changes: [JournalChange] = []
    try commit.forEachChange { change in
      if accepts(change) { changes.append(try change.copied()) }
      return changes.count < most
    }
    return changes.isEmpty ? nil : Commit(header: try commit.header, changes: changes)
  }
}
