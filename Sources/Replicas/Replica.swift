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
  private let rules: MergeRules

  /// The consumer of the journal that remembers for it, and keeps a purge from what is not in the log yet.
  public static let consumer = "daybook.replica"

  /// A store that is a replica already.
  ///
  /// - Parameter rules: how its kinds are merged; the same on each replica.
  /// - Throws: ``ReplicaFault/notShared`` where it is none; `JournalError`.
  public init(_ store: EventStore, rules: MergeRules) throws {
    guard try store.consumers().contains(where: { $0.name == Self.consumer }) else {
      throw ReplicaFault.notShared
    }
    self.store = store
    self.rules = rules
  }

  /// Makes a store the first replica of an empty log: what it has is what the log begins with.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  public static func begin(_ store: EventStore, rules: MergeRules) async throws -> Replica {
    try await join(store, rules: rules, from: Folded())
  }

  /// Makes an empty store a replica that has seen the log up to a snapshot.
  ///
  /// - Parameter snapshot: what ``snapshot()`` of another replica gave.
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  public static func join(
    _ store: EventStore, rules: MergeRules, from snapshot: Folded
  ) async throws -> Replica {
    try await store.register(consumer: consumer, .required, after: try store.token())
    try await store.merge(by: consumer) { context in
      let side = SideValues(context: context)
      try context.append(
        snapshot.entities.sorted { $0.key < $1.key }.map {
          ($0.key.kind, $0.key.id, $0.value.present)
        },
        origin: CommitOrigin(replica: 0, sequence: snapshot.head))
      for (key, state) in snapshot.entities where !state.isPlain {
        try side.put(state.element(of: key), under: SideValues.entity(key))
      }
      for finding in snapshot.findings.values {
        try side.put(finding.element, under: SideValues.finding(finding.id))
      }
      for (id, progress) in snapshot.replicas {
        try side.put(progress.element(of: id), under: SideValues.replica(id))
      }
      try side.put(snapshot.end, under: SideValues.end)
      try side.put(acknowledged: 0)
      let next = context.head + 1
      try side.put(base: snapshot.head, from: next, needed: next)
      context.acknowledge(context.head)
    }
    return try Replica(store, rules: rules)
  }

  /// Up to where the log was pulled.
  ///
  /// - Throws: `JournalError`.
  public func position() async throws -> UInt64 {
    try await store.merge(by: Self.consumer) { context in
      var folded = Folded()
      if let end = try SideValues(context: context).value(SideValues.end) {
        try folded.readEnd(end)
      }
      return folded.head
    }
  }

  /// The own commits that the log does not have yet, oldest first: they are to be pushed in this order.
  ///
  /// Asked again, it answers the same, until they were pulled.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(commits since the first of them).
  public func pending() async throws -> [ReplicaCommit] {
    try await store.merge(by: Self.consumer) { context in
      let side = SideValues(context: context)
      return try PendingCommits(
        context, after: try side.acknowledgedNumber, bases: try side.bases()
      ).entries.map(\.commit)
    }
  }

  /// Takes the next entries of the log: all of them or, where one cannot be folded, none.
  ///
  /// Entries that were pulled before are passed over.
  ///
  /// - Parameter notes: what is remembered together with them, also where all were pulled before.
  /// - Throws: ``/Merging/FoldFault``; ``ReplicaFault``; `JournalError`.
  /// - Complexity: O(changes of the entries and of pending commits); a floor, O(side values).
  public func pull(_ entries: [LogEntry], noting notes: [Note] = []) async throws {
    let rules = rules
    try await store.merge(by: Self.consumer) { context in
      try SideValues(context: context).put(notes)
      var folded = Folded()
      if let end = try SideValues(context: context).value(SideValues.end) {
        try folded.readEnd(end)
      }
      let news = entries.filter { $0.position > folded.head }
      if news.isEmpty { return }
      var merge = try SliceMerge(context, rules: rules, for: news)
      try merge.run(news)
    }
  }

  /// Everything that the log says, as far as it was pulled: what another replica begins with, and what two replicas
  /// compare.
  ///
  /// - Throws: `JournalError`.
  /// - Complexity: O(entities).
  public func snapshot() async throws -> Folded {
    try await store.merge(by: Self.consumer) { context in
      let side = SideValues(context: context)
      let pending = try PendingCommits(
        context, after: try side.acknowledgedNumber, bases: try side.bases())
      var folded = Folded()
      if let end = try side.value(SideValues.end) { try folded.readEnd(end) }
      try side.forEach("r") { try folded.readReplica($1) }
      try side.forEach("f") { try folded.readFinding($1) }
      try side.forEach("e") { try folded.readEntity($1) }
      let loader = Loader(context: context, side: side, before: pending.before)
      for key in pending.keys where folded.entities[key] == nil {
        _ = try loader.confirmed(key, &folded)
      }
      try context.forEachEntity { kind, entity in
        let key = Merging.EntityKey(kind, entity.id)
        guard folded.entities[key] == nil, pending.before[key] == nil else { return }
        folded.entities[key] = EntityState(seenByAll: entity.record)
      }
      return folded
    }
  }

  /// What the ledger's people are to be told of, in the order of their ids.
  ///
  /// - Throws: `JournalError`.
  public func findings() async throws -> [Finding] {
    try await store.merge(by: Self.consumer) { context in
      var folded = Folded()
      try SideValues(context: context).forEach("f") { try folded.readFinding($1) }
      return folded.findings.values.sorted { $0.id < $1.id }
    }
  }
}

/// Why a replica cannot go on.
public enum ReplicaFault: Error, Hashable, Sendable {
  /// The store does not share a log.
  case notShared
  /// The log has a commit under this replica's name that it has not recorded: it is a copy that was restored, or
  /// one of it was.
  case unknownOwnCommit(position: UInt64, number: UInt64)
}
