public import DaybookEntities
internal import DaybookJournal

/// A filter for the commits and changes of a history; the default filter matches everything.
public struct HistoryFilter: Hashable, Sendable {
  /// The authors of matching commits; the empty string matches commits without an author.
  public var authors: Set<String>?
  /// The sources of matching commits.
  public var sources: Set<String>?
  /// The entities of matching changes.
  public var entities: Set<EntityID>?
  /// The kinds of entities of matching changes.
  public var kinds: Set<EntityKind>?
  /// The earliest time of matching commits, in microseconds since 1970 (UTC).
  public var from: Int64?
  /// The time before which matching commits were recorded, in microseconds since 1970 (UTC).
  public var until: Int64?

  /// The maximum number of matching changes to return per commit, beginning with the first.
  ///
  /// The commit's header contains the total number. If neither entities nor kinds are given, only
  /// these changes of a commit of more than 64 KiB are read. Such a commit isn't checked against its
  /// link; verification checks it.
  public var changeCountMax: Int?

  /// Creates a filter that matches everything.
  public init() {}

  /// Whether the filter excludes changes of a commit.
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

  /// Returns a copy of the matching part of a commit, or `nil` if nothing matches.
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
