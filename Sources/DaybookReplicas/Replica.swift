public import DaybookEngine
import DaybookEntities
import DaybookJournal
public import DaybookMerging

/// One copy of a store that shares a log with other copies.
///
/// Recording never waits for other replicas: an appended commit is pending until it is in the log.
/// Pulling adds the commits of other replicas. After each pull, State is the result of folding the
/// pulled log and then the pending commits (`Docs/Notes/Merging.md`).
///
/// ```swift
/// let replica = try await Replica.begin(store, rules: rules)
/// let unsent = try await replica.pending()     // to the relay, in order
/// try await replica.pull(entries)              // from the relay, in order
/// ```
public struct Replica: Sendable {
  /// The store of this replica.
  public let store: EventStore
  let rules: MergeRules
  let memory: PendingMemory

  /// The journal consumer that stores the replica's side values, and prevents purging commits that
  /// aren't in the log yet.
  public static let consumer = EventStore.replicaConsumer

  /// Opens a store that is already a replica.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - rules: The rules for merging the store's kinds; they must be the same on each replica.
  /// - Throws: ``ReplicaFault/notShared`` if the store isn't a replica, ``ReplicaFault/incomplete``
  ///   if joining wasn't finished; `JournalError`.
  public init(_ store: EventStore, rules: MergeRules) throws {
    guard try store.consumers().contains(where: { $0.name == Self.consumer }) else {
      throw ReplicaFault.notShared
    }
    guard try Self.remembers(SideKey.end, store) else { throw ReplicaFault.incomplete }
    self.store = store
    self.rules = rules
    memory = PendingMemory(rules)
  }

  static func remembers(_ key: [UInt8], _ store: EventStore) throws -> Bool {
    try store.value(SideKey.part(0, of: key), ofConsumer: consumer) != nil
  }

  /// Makes a store the first replica of an empty log, which starts with the store's contents.
  ///
  /// Appends wait while the digest of all entities is computed.
  ///
  /// - Throws: ``ReplicaFault/notEmpty`` if the store is already a replica, or is joining from a
  ///   snapshot; `JournalError`; ``/Projecting/ProjectingError``.
  public static func begin(_ store: EventStore, rules: MergeRules) async throws -> Replica {
    try await store.register(consumer: consumer, .required, after: try store.token())
    try await store.merge(by: consumer) { context in
      let side = SideValues(source: context)
      for key in [SideKey.end, SideKey.joining] where try side.value(key) != nil {
        throw ReplicaFault.notEmpty
      }
      var digest = StateDigest()
      try context.forEachEntity { kind, stored in
        if kind.rawValue == 0 { return true }
        let key = DaybookMerging.EntityKey(kind, stored.id)
        digest.add(EntityState(seenByAll: stored, isNumbered: true).element(of: key))
        return true
      }
      var folded = Folded()
      for kind in context.kinds {
        let next = context.journalNextNumber(kind)
        if next != rules.firstNumber(of: kind) { folded.nextNumbers[kind] = next }
      }
      digest.add(folded.end)
      try side.put(digest.bytes, under: SideKey.digest)
      try side.begin(end: folded.end, head: 0, after: context.head)
    }
    return try Replica(store, rules: rules)
  }

  /// Makes an empty store a replica that has seen the log up to a snapshot's position; ``Joining``
  /// does the same in batches.
  ///
  /// - Parameters:
  ///   - store: The empty store.
  ///   - rules: The rules for merging the store's kinds; they must be the same on each replica.
  ///   - snapshot: The result of another replica's ``snapshot()``.
  /// - Throws: The same errors as ``Joining``.
  public static func join(
    _ store: EventStore, rules: MergeRules, from snapshot: Folded
  ) async throws -> Replica {
    let joining = try await Joining(store, rules: rules)
    var elements: [[UInt8]] = []
    snapshot.forEachElement { elements.append($0) }
    try await joining.add(Joining.Batch(elements))
    return try await joining.finish()
  }

  /// Returns the log position up to which this replica has pulled.
  ///
  /// - Throws: `JournalError`; ``ReplicaFault/incomplete``.
  /// - Complexity: O(1); the call neither waits for nor blocks other operations.
  public func position() async throws -> UInt64 {
    guard let end = try store.value(SideKey.part(0, of: SideKey.end), ofConsumer: Self.consumer)
    else { throw ReplicaFault.incomplete }
    var folded = Folded()
    try folded.readEnd(end)
    return folded.head
  }

  /// Returns the pending commits, oldest first, in the order in which they must be pushed.
  ///
  /// Commits stay pending until they are pulled. A copy that was restored from a backup also has
  /// pending commits of its original. These commits come first, under the original's names.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since the last call, or since the first pending commit).
  public func pending() async throws -> [ReplicaCommit] {
    try await readPending { $0.entries.map(\.commit) } ?? []
  }

  /// Returns the pending commits, each with its sequence in the store's history.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: The same as for ``pending()``.
  public func pendingInHistory() async throws -> [(sequence: UInt64, commit: ReplicaCommit)] {
    try await readPending { $0.entries.map { ($0.sequence, $0.commit) } } ?? []
  }

  /// Changes this copy's name, because the log contains commits under the current name that weren't
  /// recorded by this copy.
  ///
  /// Call it if two copies have recorded under the same name
  /// (``ReplicaFault/unknownOwnCommit(position:number:)``). No pending commit is lost: commits
  /// found in the log are skipped, and the others are sent under the new name.
  ///
  /// - Throws: `JournalError`.
  public func rename() async throws { try await store.renewReplica() }

  /// Returns the size and age of the pending commits.
  ///
  /// - Returns: The number of commits, the number of bytes of the records in their changes, and the
  ///   clock of the oldest commit, in microseconds since 1970.
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since the last call, or since the first pending commit, and changes of
  ///   the pending commits).
  public func pendingSummary() async throws -> (count: Int, byteCount: Int, since: Int64?) {
    try await readPending { pending in
      let byteCount = pending.entries.reduce(0) { $0 + $1.commit.recordByteCount }
      return (pending.entries.count, byteCount, pending.entries.first?.commit.clock)
    } ?? (0, 0, nil)
  }

  /// Calls `body` with the pending commits, and returns its result.
  ///
  /// - Returns: `nil` if there are no pending commits.
  private func readPending<Result>(_ body: (PendingCommits) -> Result) async throws -> Result? {
    let isIdle = try store.withJournal { journal throws in
      try journal.head == journal.acknowledged(by: Self.consumer)
    }
    if isIdle { return nil }
    let moment = try await store.mergeMoment(of: Self.consumer)
    let pending = try memory.take(SideValues(source: moment))
    let result = body(pending)
    memory.put(pending)
    return result
  }

  /// Folds the next entries of the log into this replica: all of them, or none if an entry can't be
  /// folded.
  ///
  /// Entries that were already pulled are skipped.
  ///
  /// - Parameters:
  ///   - entries: The entries, in the order of the log.
  ///   - notes: Notes to save in the same transaction, even if all entries were already pulled.
  /// - Throws: ``/Merging/FoldFault``; ``ReplicaFault``; `JournalError`.
  /// - Complexity: O(changes of the entries, and of the pending commits that depend on these
  ///   changes). For a floor, O(side values and pending commits); for an erasure, O(journal).
  public func pull(_ entries: [LogEntry], noting notes: [Note] = []) async throws {
    let (rules, memory) = (rules, memory)
    let result = try await store.merge(by: Self.consumer) { context -> SliceMerge.Result? in
      let side = SideValues(source: context)
      try side.put(notes)
      let head = try side.end.head
      let news = entries.filter { $0.position > head }
      if news.isEmpty { return nil }
      var merge = try SliceMerge(context, rules: rules, for: news, over: memory.take(side))
      try merge.run(news)
      return merge.result
    }
    if let result { memory.put(result.pending) }
    if result?.hasErased == true { try await store.completeErasures() }
  }

  /// Calls `body` with each element of the fold at the pulled position.
  ///
  /// The elements are the contents of a snapshot for another replica (``Joining``), and the input
  /// of the digest that replicas compare.
  ///
  /// The elements are the log's end, then replicas, findings, deferred changes and entities, each
  /// in ascending order, all as of the same time. Appends and reads continue in the meantime. File
  /// space freed by the appends can't be reused until this method returns.
  ///
  /// - Throws: Errors of `body`; `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(entities). One batch of entities at a time is in memory, in addition to all
  ///   entities that pending commits change.
  public func forEachElement(_ body: (_ element: [UInt8]) throws -> Void) async throws {
    let moment = try await store.mergeMoment(of: Self.consumer)
    let pending = try memory.take(SideValues(source: moment))
    defer { memory.put(pending) }
    try ElementWalk(moment, pending: pending).forEach(body)
  }

  /// Returns the complete state of the fold at the pulled position, in memory.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(entities).
  public func snapshot() async throws -> Folded {
    var folded = Folded()
    try await forEachElement { try folded.read($0) }
    return folded
  }

  /// Returns the findings to show to the ledger's users, in ascending order of ids.
  ///
  /// - Throws: `JournalError`.
  public func findings() async throws -> [Finding] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    var folded = Folded()
    for letter in [SideKey.findings, SideKey.ownFindings] {
      try SideValues(source: moment).forEach(letter) {
        try folded.readFinding($1)
        return true
      }
    }
    return folded.findings.values.sorted { $0.id < $1.id }
  }
}

extension Replica {
  /// Returns the deferred changes of the log at the pulled position, followed by the deferred
  /// changes that only this replica has, each list ordered by entity.
  ///
  /// - Throws: `JournalError`.
  public func held() async throws -> [HeldChange] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    var list: [HeldChange] = []
    for letter in [SideKey.held, SideKey.ownHeld] {
      try SideValues(source: moment).forEach(letter) {
        var folded = Folded()
        try folded.readHeld($1)
        list += folded.held.values.joined()
        return true
      }
    }
    return list
  }
}

/// The reason why a replica can't continue.
public enum ReplicaFault: Error, Hashable, Sendable {
  /// The store doesn't share a log.
  case notShared
  /// The store doesn't contain a whole snapshot yet; continue with ``Replica/Joining``.
  case incomplete
  /// The store contains entities, or is already a replica; only an empty store can join.
  case notEmpty
  /// The log contains a commit under this replica's name that this replica hasn't recorded.
  ///
  /// Two copies have recorded under the same name; call ``Replica/rename()``.
  case unknownOwnCommit(position: UInt64, number: UInt64)
}

extension ReplicaCommit {
  /// The size of the records in the commit's changes, in bytes.
  fileprivate var recordByteCount: Int {
    changes.reduce(0) { sum, change in
      [change.before, change.after, change.tombstone].reduce(sum) { $0 + ($1?.bytes.count ?? 0) }
    }
  }
}
