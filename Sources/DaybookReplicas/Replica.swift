public import DaybookEngine
import DaybookEntities
import DaybookJournal
public import DaybookMerging

/// One copy of a store that shares a log with other copies.
///
/// Recording never waits for other replicas: an appended commit is pending until it is in the log.
/// Pulling adds the commits of other replicas. After each pull, State is the fold of the pulled
/// log, and then of the pending commits (`Docs/Notes/Merging.md`).
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

  /// The journal consumer that stores the replica's side values, and prevents a purge of commits
  /// that aren't in the log yet.
  public static let consumer = EventStore.replicaConsumer

  /// Opens a store that is already a replica.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - rules: The rules by which its kinds are merged; they must be the same on each replica.
  /// - Throws: ``ReplicaFault/notShared`` if it isn't a replica, ``ReplicaFault/incomplete`` if
  ///   joining wasn't finished; `JournalError`.
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

  /// Makes a store the first replica of an empty log: the log starts with the store's contents.
  ///
  /// Appends wait while the digest of all its entities is computed.
  ///
  /// - Throws: ``ReplicaFault/notEmpty`` if it is already a replica, or is joining from a snapshot;
  ///   `JournalError`; ``/Projecting/ProjectingError``.
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

  /// Makes an empty store a replica that has seen the log up to a snapshot; ``Joining`` does the
  /// same in batches.
  ///
  /// - Parameters:
  ///   - store: The empty store.
  ///   - rules: The rules by which its kinds are merged; they must be the same on each replica.
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

  /// The log position that was pulled to.
  ///
  /// - Throws: `JournalError`; ``ReplicaFault/incomplete``.
  /// - Complexity: O(1); it neither waits for nor blocks other operations.
  public func position() async throws -> UInt64 {
    guard let end = try store.value(SideKey.part(0, of: SideKey.end), ofConsumer: Self.consumer)
    else { throw ReplicaFault.incomplete }
    var folded = Folded()
    try folded.readEnd(end)
    return folded.head
  }

  /// The pending commits, oldest first, in the order in which they must be pushed.
  ///
  /// It returns the same commits each time, until they were pulled. A copy that was restored from a
  /// backup also has pending commits of its original: under the original's names, before its own.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since the last call, or since the first pending commit).
  public func pending() async throws -> [ReplicaCommit] {
    try await readPending { $0.entries.map(\.commit) } ?? []
  }

  /// The pending commits, each with its sequence in the store's history.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: As ``pending()``.
  public func pendingInHistory() async throws -> [(sequence: UInt64, commit: ReplicaCommit)] {
    try await readPending { $0.entries.map { ($0.sequence, $0.commit) } } ?? []
  }

  /// Takes a new name, because the log has commits under the present name that weren't recorded
  /// here.
  ///
  /// Then two copies have recorded under one name
  /// (``ReplicaFault/unknownOwnCommit(position:number:)``). No pending commit is lost: commits that
  /// turn out to be in the log are skipped, and the rest is sent under the new name.
  ///
  /// - Throws: `JournalError`.
  public func rename() async throws { try await store.renewReplica() }

  /// The size of the pending commits.
  ///
  /// - Returns: The number of commits, the bytes of their changes' records, and the clock of the
  ///   oldest commit, in microseconds since 1970.
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since the last call, or since the first pending commit, and changes of
  ///   the pending commits).
  public func pendingSummary() async throws -> (count: Int, byteCount: Int, since: Int64?) {
    try await readPending { pending in
      let byteCount = pending.entries.reduce(0) { $0 + $1.commit.recordByteCount }
      return (pending.entries.count, byteCount, pending.entries.first?.commit.clock)
    } ?? (0, 0, nil)
  }

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

  /// Pulls the next entries of the log: all of them, or none if one can't be folded.
  ///
  /// Entries that were already pulled are skipped.
  ///
  /// - Parameters:
  ///   - entries: The entries, in the order of the log.
  ///   - notes: Notes to save in the same transaction, even if all entries were already pulled.
  /// - Throws: ``/Merging/FoldFault``; ``ReplicaFault``; `JournalError`.
  /// - Complexity: O(changes of the entries, and of the pending commits that depend on them); a
  ///   floor, O(side values and pending commits); an erasure, O(journal).
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

  /// Calls `body` with each element of the fold at the pulled position: the contents of a snapshot
  /// for another replica (``Joining``), and the input of the digest that replicas compare.
  ///
  /// The order is the log's end, then replicas, findings, deferred changes and entities, each in
  /// ascending order, as of one moment. Appends and reads continue in the meantime; file space that
  /// they free can't be reused before this ends.
  ///
  /// - Throws: Errors of `body`; `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(entities). Only some are in memory at a time, but all that pending commits
  ///   change are.
  public func forEachElement(_ body: (_ element: [UInt8]) throws -> Void) async throws {
    let moment = try await store.mergeMoment(of: Self.consumer)
    let pending = try memory.take(SideValues(source: moment))
    defer { memory.put(pending) }
    try ElementWalk(moment, pending: pending).forEach(body)
  }

  /// The complete state of the fold at the pulled position, in memory.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(entities).
  public func snapshot() async throws -> Folded {
    var folded = Folded()
    try await forEachElement { try folded.read($0) }
    return folded
  }

  /// The findings to show to the ledger's users, in ascending order of ids.
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
  /// The deferred changes: those of the log at the pulled position, then those that only this
  /// replica has, each in the order of entities.
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

/// Why a replica can't continue.
public enum ReplicaFault: Error, Hashable, Sendable {
  /// The store doesn't share a log.
  case notShared
  /// The store hasn't added all of a snapshot; continue with ``Replica/Joining``.
  case incomplete
  /// The store has entities of its own, or is already a replica: only an empty one can join.
  case notEmpty
  /// The log has a commit under this replica's name that wasn't recorded here.
  ///
  /// Two copies have recorded under one name; call ``Replica/rename()``.
  case unknownOwnCommit(position: UInt64, number: UInt64)
}

extension ReplicaCommit {
  /// The size of its changes' records, in bytes.
  fileprivate var recordByteCount: Int {
    changes.reduce(0) { sum, change in
      [change.before, change.after, change.tombstone].reduce(sum) { $0 + ($1?.bytes.count ?? 0) }
    }
  }
}
