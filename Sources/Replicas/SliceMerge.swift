import Entities
import Journal
import Merging
import Projecting

/// One slice of the log while it is folded into a replica.
///
/// What State says of an entity is what the log says of it, and then the own commits that the log does not have.
/// So the confirmed value of an entity is its side value; without one, what stood before the first pending commit
/// that changes it; without that, what State has.
struct SliceMerge {
  private let context: MergeContext
  private let side: SideValues<MergeContext>
  private let rules: MergeRules
  /// What the slice began with.
  private let initial: Folded
  private var fold: Fold
  private var pending: PendingCommits
  /// What pending commits changed when the slice began.
  private let pendingKeys: Set<Merging.EntityKey>
  private var acknowledged: UInt64
  private var touched: [Merging.EntityKey] = []
  private var known: Set<Merging.EntityKey> = []

  init(_ context: MergeContext, rules: MergeRules, for entries: [LogEntry]) throws {
    self.context = context
    self.rules = rules
    side = SideValues(source: context)
    acknowledged = try side.acknowledgedNumber
    pending = try PendingCommits(side)
    pendingKeys = pending.keys
    var folded = try side.end
    try side.forEach(SideKey.replicas) {
      try folded.readReplica($1)
      return true
    }
    var commits = pending.entries.map(\.commit)
    for entry in entries {
      switch entry.content {
      case .commit(let commit): commits.append(commit)
      // It is for all that have a side value.
      case .floor:
        try side.forEach(SideKey.entities) {
          try folded.readEntity($1)
          return true
        }
      case .nothing: break
      }
    }
    var wanted: [Merging.EntityKey] = []
    for change in commits.flatMap(\.changes) {
      wanted.append(change.key)
      if let after = change.after, let parent = rules.parent(of: change.key, after) {
        wanted.append(parent)
      }
    }
    if case .property(let key, _, _) = rules.policy { wanted.append(key) }
    let loader = Loader(context: context, side: side, before: pending.before)
    var seen = Set(folded.entities.keys)
    wanted += folded.entities.compactMap { rules.parent(of: $0.key, $0.value.record) }
    while let key = wanted.popLast() {
      guard seen.insert(key).inserted, let state = try loader.confirmed(key, &folded) else {
        continue
      }
      if let parent = rules.parent(of: key, state.record) { wanted.append(parent) }
    }
    initial = folded
    fold = Fold(rules: rules, from: folded)
  }

  /// Folds the entries, appends what they change here, and puts down the side values.
  mutating func run(_ entries: [LogEntry]) throws {
    let floorBefore = fold.folded.floor
    var acknowledgedSequence: UInt64?
    for entry in entries {
      try fold.fold(entry)
      guard case .commit(let commit) = entry.content else { continue }
      note(commit)
      if commit.replica.rawValue == context.replica {
        guard let first = pending.entries.first, pending.begins(with: commit) else {
          throw ReplicaFault.unknownOwnCommit(position: entry.position, number: commit.number)
        }
        acknowledged = commit.number
        acknowledgedSequence = first.sequence
        pending.removeFirst()
      } else {
        try apply(commit)
      }
    }
    try applyAgain()
    try putSideValues(floorBefore)
    try side.put(acknowledged: acknowledged)
    let firstPending = pending.entries.first?.sequence ?? context.head + 1
    try side.put(base: fold.folded.head, from: context.head + 1, needed: firstPending)
    if pending.entries.isEmpty {
      context.acknowledge(context.head)
    } else if let acknowledgedSequence {
      context.acknowledge(acknowledgedSequence)
    }
  }

  private mutating func note(_ commit: ReplicaCommit) {
    for change in commit.changes where known.insert(change.key).inserted {
      touched.append(change.key)
    }
  }

  /// What a commit of another replica changes of entities that no pending commit touches: a commit of its own, of
  /// which history says whose it was.
  private func apply(_ commit: ReplicaCommit) throws {
    let keys = commit.changes.map(\.key).filter { !pendingKeys.contains($0) }
    try context.append(
      keys.map { ($0.kind, $0.id, fold.folded.entities[$0]?.present) },
      origin: CommitOrigin(replica: commit.replica.rawValue, sequence: commit.number),
      author: CommitAttribute.author.text(in: commit.attributes),
      source: CommitAttribute.source.text(in: commit.attributes))
  }

  /// The pending commits folded again on top of the slice: what they touch may be something else now.
  private func applyAgain() throws {
    let top = try fold.pending(pending.entries.map(\.commit))
    let records = pendingKeys.sorted().map { key in
      (key.kind, key.id, (top.entities[key] ?? fold.folded.entities[key])?.present)
    }
    try context.append(
      records, origin: CommitOrigin(replica: 0, sequence: fold.folded.head))
  }

  private func putSideValues(_ floorBefore: UInt64) throws {
    let folded = fold.folded
    let stillPending = Set(pending.entries.flatMap { $0.commit.changes.map(\.key) })
    let all = folded.floor == floorBefore ? touched : Array(folded.entities.keys)
    for key in all {
      guard let state = folded.entities[key] else { continue }
      let isInState = state.isPlain && !stillPending.contains(key)
      try side.put(isInState ? nil : state.element(of: key), under: SideKey.entity(key))
    }
    for finding in folded.findings.values {
      try side.put(finding.element, under: SideKey.finding(finding.id))
    }
    for (id, progress) in folded.replicas {
      try side.put(progress.element(of: id), under: SideKey.replica(id))
    }
    try side.put(folded.end, under: SideKey.end)
    if let sums = try side.value(SideKey.digest) {
      var digest = try StateDigest(sums)
      digest.follow(all, from: initial, to: folded)
      try side.put(digest.bytes, under: SideKey.digest)
    }
  }
}

/// Reads confirmed values.
struct Loader {
  let context: MergeContext
  let side: SideValues<MergeContext>
  /// What stood before pending commits changed it.
  let before: [Merging.EntityKey: Record?]

  /// Puts an entity's confirmed state into a fold, if there is one.
  func confirmed(_ key: Merging.EntityKey, _ folded: inout Folded) throws -> EntityState? {
    if let element = try side.value(SideKey.entity(key)) {
      try folded.readEntity(element)
      return folded.entities[key]
    }
    let record: Record?
    if let known = before[key] {
      record = known
    } else {
      record = try context.entity(key.kind, key.id)?.record
    }
    guard let record else { return nil }
    let state = EntityState(seenByAll: record)
    folded.entities[key] = state
    return state
  }
}

extension EntityState {
  /// An entity that everybody has seen as it is.
  init(seenByAll record: Record) {
    self.init()
    self.record = record
    isInserted = true
  }

  /// The record that State has of it.
  var present: Record? { exists ? record : nil }

  /// Whether State says all of it.
  var isPlain: Bool { exists && writers.isEmpty && revivals.isEmpty && deletions.isEmpty }
}
