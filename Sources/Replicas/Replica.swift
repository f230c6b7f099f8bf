import Entities
import Journal
public import Merging
public import Projecting

/// One copy of a store that shares a log with others.
///
/// Recording never waits for anybody: what is appended here is pending until the log has it. Pull gives the store
/// what others have recorded; after each pull its State is the fold of the log as far as it was pulled, and then of
/// what is pending (`Docs/Notes/Merging.md`).
///
/// ```swift
/// let replica = try await Replica.begin(store, rules: rules)
/// let unsent = try await replica.pending()     // to the relay, in order
/// try await replica.pull(entries)              // from the relay, in order
/// ```
public struct Replica: Sendable {
  /// What it is a copy of.
  public let store: EventStore
  let rules: MergeRules
  let memory: PendingMemory

  /// The consumer of the journal that remembers for it, and keeps a purge from what is not in the log yet.
  public static let consumer = EventStore.replicaConsumer

  /// A store that is a replica already.
  ///
  /// - Parameter rules: how its kinds are merged; the same on each replica.
  /// - Throws: ``ReplicaFault/notShared`` where it is none, ``ReplicaFault/incomplete`` where it was not finished
  ///   becoming one; `JournalError`.
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

  /// Makes a store the first replica of an empty log: what it has is what the log begins with.
  ///
  /// Appends wait while its entities are counted, one by one.
  ///
  /// - Throws: ``ReplicaFault/notEmpty`` where it is a replica already, or is becoming one by a snapshot;
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
        let key = Merging.EntityKey(kind, stored.id)
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

  /// Makes an empty store a replica that has seen the log up to a snapshot; ``Joining`` does so in parts.
  ///
  /// - Parameter snapshot: what ``snapshot()`` of another replica gave.
  /// - Throws: as ``Joining``.
  public static func join(
    _ store: EventStore, rules: MergeRules, from snapshot: Folded
  ) async throws -> Replica {
    let joining = try await Joining(store, rules: rules)
    var elements: [[UInt8]] = []
    snapshot.forEachElement { elements.append($0) }
    try await joining.add(Joining.Batch(elements))
    return try await joining.finish()
  }

  /// Up to where the log was pulled.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(1); nobody waits for it, nor it for anybody.
  public func position() async throws -> UInt64 {
    guard let end = try store.value(SideKey.part(0, of: SideKey.end), ofConsumer: Self.consumer)
    else { throw ReplicaFault.incomplete }
    var folded = Folded()
    try folded.readEnd(end)
    return folded.head
  }

  /// The own commits that the log does not have yet, oldest first: they are to be pushed in this order.
  ///
  /// Asked again, it answers the same, until they were pulled. A copy that was restored from a backup has pending
  /// commits of what it is a copy of, too: under their names, before its own.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since it was asked last, or since the first of them).
  public func pending() async throws -> [ReplicaCommit] {
    try await readPending { $0.entries.map(\.commit) } ?? []
  }

  /// The same commits, each with its number in the store's history.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: as ``pending()``.
  public func pendingInHistory() async throws -> [(sequence: UInt64, commit: ReplicaCommit)] {
    try await readPending { $0.entries.map { ($0.sequence, $0.commit) } } ?? []
  }

  /// Takes another name, because the log has commits under the present one that were not recorded here
  /// (``ReplicaFault/unknownOwnCommit(position:number:)``): two copies have gone on as one.
  ///
  /// Nothing that is pending is lost: what the log turns out to have is passed over, and the rest is sent under the new
  /// name.
  ///
  /// - Throws: `JournalError`.
  public func rename() async throws { try await store.renewReplica() }

  /// How much the log does not have yet.
  ///
  /// - Returns: the count of commits, the bytes of their changes' records, and the clock of the oldest of them, in
  ///   microseconds since 1970.
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since it was asked last, or since the first of them, and changes of those that are pending).
  public func pendingSummary() async throws -> (count: Int, byteCount: Int, since: Int64?) {
    try await readPending { pending in
      let byteCount = pending.entries.reduce(0) { $0 + $1.commit.recordByteCount }
      return (pending.entries.count, byteCount, pending.entries.first?.commit.clock)
    } ?? (0, 0, nil)
  }

  /// - Returns: `nil` where there are none.
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

  /// Takes the next entries of the log: all of them or, where one cannot be folded, none.
  ///
  /// Entries that were pulled before are passed over.
  ///
  /// - Parameter notes: what is remembered together with them, also where all were pulled before.
  /// - Throws: ``/Merging/FoldFault``; ``ReplicaFault``; `JournalError`.
  /// - Complexity: O(changes of the entries, and of the pending commits that depend on them); a floor, O(side values
  ///   and pending commits); an erasure, O(journal).
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

  /// Calls `body` with all that the log says, as far as it was pulled, element by element: what another replica
  /// begins with (``Joining``), and what two replicas compare.
  ///
  /// First the log's end, then replicas, findings and entities, each in ascending order, as of one moment. Others
  /// append and read meanwhile; what they free of the files cannot be used again before this ends.
  ///
  /// - Throws: what `body` throws; `JournalError`; ``/Projecting/ProjectingError``.
  /// - Complexity: O(entities), of which some are in memory at a time; all that pending commits touch are.
  public func forEachElement(_ body: (_ element: [UInt8]) throws -> Void) async throws {
    let moment = try await store.mergeMoment(of: Self.consumer)
    let pending = try memory.take(SideValues(source: moment))
    defer { memory.put(pending) }
    try ElementWalk(moment, pending: pending).forEach(body)
  }

  /// Everything that the log says, as far as it was pulled, in memory.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(entities).
  public func snapshot() async throws -> Folded {
    var folded = Folded()
    try await forEachElement { try folded.read($0) }
    return folded
  }

  /// What the ledger's people are to be told of, in the order of their ids.
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
  /// The changes that are held until a person takes them or lets them go: what the log says, as far as it was pulled,
  /// and then what this replica alone has, each in the order of entities.
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

/// Why a replica cannot go on.
public enum ReplicaFault: Error, Hashable, Sendable {
  /// The store does not share a log.
  case notShared
  /// The store has not taken in all of a snapshot: ``Replica/Joining`` goes on with it.
  case incomplete
  /// The store has something of its own, or is a replica: only an empty one can join.
  case notEmpty
  /// The log has a commit under this replica's name that it has not recorded: two copies have gone on under one name;
  /// ``Replica/rename()`` mends it.
  case unknownOwnCommit(position: UInt64, number: UInt64)
}

extension ReplicaCommit {
  /// The bytes of its changes' records.
  fileprivate var recordByteCount: Int {
    changes.reduce(0) { sum, change in
      [change.before, change.after, change.tombstone].reduce(sum) { $0 + ($1?.bytes.count ?? 0) }
    }
  }
}
