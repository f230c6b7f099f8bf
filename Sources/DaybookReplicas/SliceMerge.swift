import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

/// One slice of the log while it is folded into a replica.
///
/// State is the result of folding the log and then the pending commits. An entity's confirmed value
/// is its side value, if it has one. Otherwise, it is the value before the first pending commit
/// that changes the entity or, if none does, the value in State.
struct SliceMerge {
  let context: MergeContext
  let side: SideValues<MergeContext>
  let rules: MergeRules
  /// The state of the fold before the slice.
  let initial: Folded
  private(set) var fold: Fold
  var pending: PendingCommits
  /// The entities changed by the commits of this replica that this slice found in the log.
  private var found: Set<DaybookMerging.EntityKey> = []
  /// The commits of other replicas.
  ///
  /// They are appended once the whole slice has been folded and recording numbers have been
  /// assigned.
  private var others: [OthersCommit] = []
  /// Whether all pending commits must be folded again, whatever the entries change.
  private var isWhole = false
  /// The entities for which pending commits requested an erasure when the slice began.
  ///
  /// This replica has deleted their old text, which the log still contains.
  private let pendingErasures: Set<DaybookMerging.EntityKey>
  /// The entities that have been erased.
  var erased: Set<DaybookMerging.EntityKey> = []
  /// The entities that this replica has erased.
  private(set) var erasedByThis: Set<DaybookMerging.EntityKey> = []
  /// Whether an erasure must be completed.
  var hasErased = false
  private(set) var touched: [DaybookMerging.EntityKey] = []
  private var known: Set<DaybookMerging.EntityKey> = []

  init(
    _ context: MergeContext, rules: MergeRules, for entries: [LogEntry],
    over pending: PendingCommits, isWhole: Bool = false
  ) throws {
    let side = SideValues(source: context)
    var folded = try side.end
    try side.forEach(SideKey.replicas) {
      try folded.readReplica($1)
      return true
    }
    var commits: [ReplicaCommit] = []
    var isWhole = isWhole
    for entry in entries {
      switch entry.content {
      case .commit(let commit): commits.append(commit)
      // A floor affects every entity that has a side value.
      case .floor:
        isWhole = true
        try side.forEach(SideKey.entities) {
          try folded.readEntity($1)
          return true
        }
      case .nothing: break
      }
    }
    let closings = commits.filter { rules.isClosing($0) }
    if !closings.isEmpty {
      try side.forEach(SideKey.entities) {
        var one = Folded()
        try one.readEntity($1)
        for (key, state) in one.entities where rules.isClosed(key, state, by: closings) {
          folded.entities[key] = state
        }
        return true
      }
    }
    let changes = commits.flatMap(\.changes)
    if changes.contains(where: \.isErasure) {
      try side.forEach(SideKey.findings) {
        try folded.readFinding($1)
        return true
      }
    }
    try self.init(context, rules: rules, from: folded, over: pending, changes, isWhole: isWhole)
  }

  /// - Parameters:
  ///   - folded: The log's end, the replicas, and the entities that have already been read.
  ///   - changes: The changes that will be folded.
  ///   - isConfirmed: Whether State contains only confirmed values.
  init(
    _ context: MergeContext, rules: MergeRules, from folded: Folded, over pending: PendingCommits,
    _ changes: [EntityChange], isWhole: Bool, isConfirmed: Bool = false
  ) throws {
    self.context = context
    self.rules = rules
    self.isWhole = isWhole
    side = SideValues(source: context)
    var (folded, changes) = (folded, changes)
    pendingErasures = Set(
      pending.entries.flatMap { $0.commit.changes.filter(\.isErasure).map(\.key) })
    var wanted = rules.readByAll
    self.isWhole = isWhole || changes.contains { rules.readByAll.contains($0.key) }
    for again in Self.again(pending, self.isWhole, changes.map(\.key), rules) {
      changes += again.changes
    }
    for change in changes {
      wanted.append(change.key)
      if let after = change.after, let parent = rules.parent(of: change.key, after) {
        wanted.append(parent)
      }
    }
    let loader = Loader(
      context: context, side: side, pending: isConfirmed ? nil : pending)
    var seen = Set(folded.entities.keys)
    wanted += folded.entities.compactMap { rules.parent(of: $0.key, $0.value.record) }
    while let key = wanted.popLast() {
      guard seen.insert(key).inserted, let state = try loader.confirmed(key, &folded) else {
        continue
      }
      if let parent = rules.parent(of: key, state.record) { wanted.append(parent) }
    }
    try side.readHeld(of: changes.map(\.key), &folded)
    initial = folded
    fold = Fold(rules: rules, from: folded)
    self.pending = pending
  }

  /// Returns the pending commits that must be folded again.
  ///
  /// If an entity that every commit reads has changed, these are all pending commits. Otherwise,
  /// they are only the commits that depend on the changed entities, or on an entity that every
  /// commit reads and a pending commit changes.
  private static func again(
    _ pending: PendingCommits, _ isWhole: Bool, _ changed: [DaybookMerging.EntityKey],
    _ rules: MergeRules
  ) -> [ReplicaCommit] {
    if isWhole { return pending.entries.map(\.commit) }
    return pending.depending(on: changed + rules.readByAll).map(\.commit)
  }

  /// The result of merging a slice.
  struct Result: Sendable {
    let pending: PendingCommits
    /// Whether an erasure must be completed.
    let hasErased: Bool
  }

  var result: Result { Result(pending: pending, hasErased: hasErased) }

  /// Folds the entries, appends their changes to this replica, and saves the side values.
  mutating func run(_ entries: [LogEntry]) throws {
    let floorBefore = fold.folded.floor
    var acknowledgedSequence: UInt64?
    for entry in entries {
      try fold.fold(entry)
      guard case .commit(let commit) = entry.content else { continue }
      note(commit)
      switch pending.meaning(of: commit) {
      case .first:
        acknowledgedSequence = pending.entries.first?.sequence
        found.formUnion(commit.changes.map(\.key))
        pending.removeFirst()
      case .other: apply(commit)
      case .unknown where isKnown(commit): apply(commit)
      case .unknown:
        throw ReplicaFault.unknownOwnCommit(position: entry.position, number: commit.number)
      }
    }
    let numbers = try renumber()
    for one in others {
      try context.append(one.records, origin: one.origin, author: one.author, source: one.source)
    }
    try applyAgain()
    numbers.follow(isAtRest: pending.entries.isEmpty)
    try eraseHere()
    try putSideValues(floorBefore)
    try side.put(lastPlaced: pending.lastPlaced)
    try side.put(pending.names.bytes, under: SideKey.names)
    let firstPending = pending.entries.first?.sequence ?? context.head + 1
    try side.put(
      base: fold.folded.head, from: context.head + 1, needed: firstPending,
      through: pending.entries.last?.sequence ?? 0)
    if pending.entries.isEmpty {
      context.acknowledge(context.head)
    } else if let acknowledgedSequence {
      context.acknowledge(acknowledgedSequence)
    }
    pending.didMerge(head: context.head, acknowledged: context.acknowledged)
  }

  /// Returns whether this replica knew before the pull that the log contains one of its commits
  /// (`Replica.rejoin`).
  private func isKnown(_ commit: ReplicaCommit) -> Bool {
    let last = pending.lastPlaced
    return commit.replica == last.replica && commit.number <= last.number
  }

  private mutating func note(_ commit: ReplicaCommit) {
    for change in commit.changes where change.isErasure {
      erased.insert(change.key)
      if pending.names.all.contains(commit.replica) { erasedByThis.insert(change.key) }
    }
    for change in commit.changes where known.insert(change.key).inserted {
      touched.append(change.key)
    }
  }

  /// Adds another replica's commit, with its changes to entities that no pending commit changes.
  ///
  /// In history, the commit keeps its author.
  private mutating func apply(_ commit: ReplicaCommit) {
    let keys = commit.changes.map(\.key).filter { !wasPending($0) }
    let isOwn = commit.replica.rawValue == context.replica
    others.append(
      OthersCommit(
        records: Self.referencesFirst(keys.map { MergedRecord($0, fold.folded.entities[$0]) }),
        origin: isOwn
          ? CommitOrigin(replica: 0, sequence: fold.folded.head)
          : CommitOrigin(replica: commit.replica.rawValue, sequence: commit.number),
        author: CommitAttribute.author.text(in: commit.attributes),
        source: CommitAttribute.source.text(in: commit.attributes)))
  }

  /// Returns whether a pending commit changed an entity when the slice began.
  private func wasPending(_ key: DaybookMerging.EntityKey) -> Bool {
    pending.change(key) || found.contains(key)
  }

  /// Folds pending commits again on top of the slice, because their results may differ now.
  private mutating func applyAgain() throws {
    let again = Self.again(pending, isWhole, touched, rules)
    let top = try fold.pending(again, isPart: true)
    let keys = Set(again.flatMap { $0.changes.map(\.key) } + touched.filter { wasPending($0) })
    let records = keys.map { key in
      let confirmed = fold.folded.entities[key]
      let present = (top.entities[key] ?? confirmed)?.present
      return MergedRecord(key.kind, key.id, present, number: confirmed?.number ?? 0)
    }
    // An entity that is restored before the log has assigned its number gets a number that the next
    // slice may need.
    for one in records where one.number == 0 && one.record != nil {
      if try context.entity(one.kind, one.id) == nil { pending.leastNumbers[one.kind] = nil }
    }
    try context.append(
      Self.ordered(records), origin: CommitOrigin(replica: 0, sequence: fold.folded.head))
  }

  /// Returns records in an order in which all references are valid.
  ///
  /// For example, accounts and categories are inserted before the transactions that refer to them,
  /// and deleted after them.
  static func ordered(_ records: [MergedRecord]) -> [MergedRecord] {
    referencesFirst(records.sorted { $0.id < $1.id })
  }

  /// Returns the records of a commit, ordered by kind, so that an entity is inserted before the
  /// records that refer to it, and deleted after them.
  ///
  /// In the author's order, an entity may come before an entity to which it refers, because a later
  /// command of the same commit set the reference.
  private static func referencesFirst(_ records: [MergedRecord]) -> [MergedRecord] {
    func sorted(_ records: [MergedRecord], _ isBefore: (UInt8, UInt8) -> Bool) -> [MergedRecord] {
      let kinds = Set(records.map(\.kind.rawValue)).sorted(by: isBefore)
      return kinds.flatMap { kind in records.filter { $0.kind.rawValue == kind } }
    }
    return sorted(records.filter { $0.record != nil }, <)
      + sorted(records.filter { $0.record == nil }, >)
  }

  private func putSideValues(_ floorBefore: UInt64) throws {
    let folded = fold.folded
    let all = folded.floor == floorBefore ? touched : Array(folded.entities.keys)
    for key in all {
      guard let state = folded.entities[key] else { continue }
      let isInState = state.isPlain && !pending.change(key)
      try side.put(isInState ? nil : state.element(of: key), under: SideKey.entity(key))
    }
    if folded.floor != floorBefore { try side.forgetFormerPlaces(through: folded.floor) }
    for id in initial.findings.keys where folded.findings[id] == nil {
      try side.put(nil, under: SideKey.finding(id))
    }
    for finding in folded.findings.values {
      try side.put(finding.element, under: SideKey.finding(finding.id))
    }
    try putHeld()
    for (id, progress) in folded.replicas where initial.replicas[id] != progress {
      try side.put(progress.element(of: id), under: SideKey.replica(id))
    }
    try side.put(folded.end, under: SideKey.end)
    if !pendingErasures.isDisjoint(with: touched) {
      // The digest can't be updated without the entities' old text, so it is recomputed the next
      // time it is requested.
      try side.put(nil, under: SideKey.digest)
    } else if let sums = try side.value(SideKey.digest) {
      var digest = try StateDigest(sums)
      digest.follow(all, from: initial, to: folded)
      try side.put(digest.bytes, under: SideKey.digest)
    }
  }
}

/// The records that another replica's commit changes on this replica.
private struct OthersCommit {
  let records: [MergedRecord]
  let origin: CommitOrigin
  let author: String
  let source: String
}

extension MergeRules {
  /// The entities that every commit reads, because they contain the merge policy and the closing.
  fileprivate var readByAll: [DaybookMerging.EntityKey] {
    var keys: [DaybookMerging.EntityKey] = []
    if case .property(let key, _, _) = policy { keys.append(key) }
    if let closing { keys.append(closing.key) }
    return keys
  }
}
