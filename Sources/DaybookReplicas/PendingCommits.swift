import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

/// A replica's pending commits, in the form that is sent to other replicas.
///
/// Commits never change, so each commit is read from the journal only once. Commits that reach the
/// log are removed at the front, and new commits are added at the end.
struct PendingCommits: Sendable {
  /// A pending commit and its sequence in the journal.
  struct Entry: Sendable {
    var sequence: UInt64
    /// The name under which the commit was recorded; `commit` contains the name under which it is
    /// sent.
    var name: ReplicaID
    var commit: ReplicaCommit

    /// Whether the commit's effect depends on more than its changes and the log's values of its
    /// entities.
    ///
    /// This is the case if the commit names the replica that this replica continues, or if it
    /// undeletes an entity, which restores other authors' changes.
    fileprivate var isAlwaysFolded: Bool {
      commit.continues != nil || commit.changes.contains { $0.tombstone != nil }
    }
  }

  /// An entity that pending commits change.
  private struct Touched: Sendable {
    /// The entity before the first pending commit that changes it; `nil` if it didn't exist.
    var before: StoredEntity?
    /// The ordinals of the commits that change the entity, ascending; removed commits keep their
    /// ordinals.
    var ordinals: [Int] = []
  }

  private let rules: MergeRules
  private var walked: WalkedJournal
  /// The commits; those before the index `first` are in the log.
  private var list: [Entry] = []
  private var first = 0
  /// The number of commits that have been removed from `list`.
  private var goneCount = 0
  private var touched: [DaybookMerging.EntityKey: Touched] = [:]
  /// The ordinals of commits that are folded again with every slice, because they depend on values
  /// outside the journal, in ascending order.
  private var always: [Int] = []

  /// For each kind, a lower bound of the recording numbers of entities that only pending commits
  /// insert; `UInt64.max` if there are no such entities, missing if unknown.
  var leastNumbers: [EntityKind: UInt64] = [:]

  /// Whether all records in the journal are unchanged; after an erasure, they differ from the
  /// records that were pushed.
  private(set) var isExact = true

  /// Reads the pending commits from the journal.
  init(_ side: SideValues<some MergeSource>, rules: MergeRules) throws {
    self.rules = rules
    walked = try WalkedJournal(side)
    walked.head = walked.acknowledged
    try extend(side)
  }

  /// The pending commits, oldest first.
  var entries: ArraySlice<Entry> { list[first...] }
  /// The names under which this copy's commits were recorded and are sent.
  var names: OwnNames { walked.names }
  /// This copy's last commit in the log; its number is 0 if the log has none.
  var lastPlaced: ReplicaCommit.Continuation { walked.last }
  /// Every entity that the pending commits change.
  var keys: some Sequence<DaybookMerging.EntityKey> { touched.keys }

  /// Returns whether any pending commit changes an entity.
  func change(_ key: DaybookMerging.EntityKey) -> Bool { touched[key] != nil }

  /// Returns the entity before the first pending commit that changes it, or `nil` if no pending
  /// commit does.
  func before(_ key: DaybookMerging.EntityKey) -> StoredEntity?? { touched[key].map(\.before) }

  // MARK: Following the journal

  /// Adds commits that were recorded since the last call.
  ///
  /// - Returns: `false` if all commits must be read again, because another merge acknowledged
  ///   commits or an erasure changed the journal.
  mutating func follow(_ side: SideValues<some MergeSource>) throws -> Bool {
    guard try WalkedJournal(side).continues(walked) else { return false }
    try extend(side)
    return true
  }

  private mutating func extend(_ side: SideValues<some MergeSource>) throws {
    let head = try side.source.head
    if head == walked.head { return }
    let walk = try PendingWalk(side, names: walked.names, rules: rules, after: walked.head) {
      touched[$0] != nil
    }
    walked.head = head
    isExact = isExact && walk.isExact
    let start = list.count
    for entry in walk.found.reversed() {
      for change in entry.commit.changes where change.before == nil {
        // Later insertions have greater numbers than earlier ones.
        if leastNumbers[change.key.kind] == .max { leastNumbers[change.key.kind] = nil }
      }
      for key in Set(entry.commit.changes.map(\.key)) {
        touched[key, default: Touched(before: walk.before[key] ?? nil)].ordinals
          .append(goneCount + list.count)
      }
      list.append(entry)
    }
    number(from: start)
  }

  /// Sets each commit's name for sending, and its number under that name.
  private mutating func number(from start: Int) {
    var last = walked.last
    if start > first {
      let before = list[start - 1].commit
      last = ReplicaCommit.Continuation(replica: before.replica, number: before.number)
    }
    always.removeAll { $0 >= goneCount + start }
    for index in start..<list.count {
      let name = walked.names.sendingName(of: list[index].name)
      let goesOn = name == last.replica
      list[index].commit.replica = name
      list[index].commit.number = goesOn ? last.number + 1 : 1
      list[index].commit.continues = goesOn || last.number == 0 ? nil : last
      last = ReplicaCommit.Continuation(replica: name, number: list[index].commit.number)
      if list[index].isAlwaysFolded { always.append(goneCount + index) }
    }
  }

  // MARK: Being found in the log

  /// The relation of a commit in the log to this copy.
  enum Placed {
    /// The commit is the first of the pending commits.
    case first
    /// The commit was recorded by another copy.
    case other
    /// The commit has this copy's current name but wasn't recorded by this copy.
    case unknown
  }

  /// Determines the relation of a commit in the log to this copy.
  ///
  /// If the commit shows that another copy recorded different commits under an earlier name, the
  /// remaining pending commits are sent under the next name.
  mutating func meaning(of placed: ReplicaCommit) -> Placed {
    if begins(with: placed) { return .first }
    if placed.replica == names.present { return .unknown }
    if entries.first?.commit.replica == placed.replica {
      walked.names.end(placed.replica)
      number(from: first)
    }
    return .other
  }

  /// Returns whether a commit in the log is the first pending commit.
  ///
  /// It isn't sufficient that the numbers are equal, because another copy may have recorded a
  /// different commit with the same number. Clocks and attributes are ignored, because they may
  /// have been corrected before sending.
  private func begins(with placed: ReplicaCommit) -> Bool {
    guard let first = entries.first?.commit, first.replica == placed.replica,
      first.number == placed.number, first.base == placed.base,
      first.changes.map(\.key) == placed.changes.map(\.key)
    else { return false }
    return !isExact || first.changes.map(\.after) == placed.changes.map(\.after)
  }

  /// Removes the first pending commit, which is now in the log.
  mutating func removeFirst() {
    let commit = list[first].commit
    walked.last = ReplicaCommit.Continuation(replica: commit.replica, number: commit.number)
    for key in Set(commit.changes.map(\.key)) {
      touched[key]?.ordinals.removeFirst()
      if touched[key]?.ordinals.isEmpty == true { touched[key] = nil }
    }
    if always.first == goneCount + first { always.removeFirst() }
    first += 1
    if first * 2 > list.count {
      list.removeFirst(first)
      goneCount += first
      first = 0
    }
  }

  /// Updates the acknowledged commit after a merge has saved it.
  ///
  /// No other commits may have been appended since the pending commits were read.
  mutating func didMerge(head: UInt64, acknowledged: UInt64) {
    walked.head = head
    walked.acknowledged = acknowledged
  }
}

extension PendingCommits {
  /// Returns the commits that must be folded again if some entities have changed, oldest first.
  ///
  /// The result contains the commits that change one of the entities, all commits that share an
  /// entity with a commit in the result, and the commits that are always folded again. If entities
  /// of a kind have parents, a change of one entity counts as a change of all entities of that
  /// kind.
  func depending(on keys: some Sequence<DaybookMerging.EntityKey>) -> [Entry] {
    var found = Set(always)
    var seen: Set<DaybookMerging.EntityKey> = []
    var seenKinds: Set<EntityKind> = []
    var waiting = Array(keys) + always.flatMap { list[$0 - goneCount].commit.changes.map(\.key) }
    while let key = waiting.popLast() {
      guard seen.insert(key).inserted else { continue }
      if rules.kinds[key.kind]?.parent != nil, seenKinds.insert(key.kind).inserted {
        waiting += touched.keys.filter { $0.kind == key.kind }
      }
      for ordinal in touched[key]?.ordinals ?? [] where found.insert(ordinal).inserted {
        waiting += list[ordinal - goneCount].commit.changes.map(\.key)
      }
    }
    return found.sorted().map { list[$0 - goneCount] }
  }
}
