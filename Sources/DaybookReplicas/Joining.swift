public import DaybookEngine
import DaybookEntities
import DaybookJournal
public import DaybookMerging

extension Replica {
  /// An empty store that becomes a replica by adding the elements of a snapshot in batches.
  ///
  /// The store isn't a replica until ``finish(where:)`` returns: ``Replica/init(_:rules:)`` throws
  /// ``ReplicaFault/incomplete``. After an interruption, continue with the same snapshot, starting
  /// no later than the first element that wasn't added. To start over with another snapshot, call
  /// ``clear()`` first. Until the store is a replica, don't record other changes in it.
  ///
  /// ```swift
  /// let joining = try await Replica.Joining(store, rules: rules)
  /// for elements in batches { try await joining.add(Replica.Joining.Batch(elements)) }
  /// let replica = try await joining.finish()
  /// ```
  public struct Joining: Sendable {
    /// The store that becomes a replica.
    public let store: EventStore
    private let rules: MergeRules

    /// Starts with an empty store, or continues after an interruption.
    ///
    /// - Throws: ``ReplicaFault/notEmpty`` if the store contains other entities or is a replica;
    ///   `JournalError`; ``/Projecting/ProjectingError``.
    public init(_ store: EventStore, rules: MergeRules) async throws {
      self.store = store
      self.rules = rules
      if try store.consumers().contains(where: { $0.name == Replica.consumer }) {
        guard try Replica.remembers(SideKey.joining, store) else { throw ReplicaFault.notEmpty }
        return
      }
      try await store.register(consumer: Replica.consumer, .required, after: try store.token())
      try await store.merge(by: Replica.consumer) { context in
        var isEmpty = true
        try context.forEachEntity { kind, _ in
          isEmpty = kind.rawValue == 0
          return isEmpty
        }
        guard isEmpty else { return }
        try SideValues(source: context).put([], under: SideKey.joining)
        context.acknowledge(context.head)
      }
      if try Replica.remembers(SideKey.joining, store) { return }
      try await store.unregister(consumer: Replica.consumer)
      throw ReplicaFault.notEmpty
    }

    /// Adds elements of a snapshot (``Replica/forEachElement(_:)``); their entities are recorded as
    /// one commit.
    ///
    /// Adding an element again changes nothing. Add batches of a few thousand elements each, in the
    /// order of the snapshot.
    ///
    /// - Throws: ``ReplicaFault/notEmpty`` if other changes were recorded in the meantime;
    ///   `JournalError`. After an error, no part of the batch has been added.
    /// - Complexity: O(elements) in time and memory.
    public func add(_ batch: Batch) async throws {
      try await store.merge(by: Replica.consumer) { context in
        try Self.check(context)
        let side = SideValues(source: context)
        var digest = try side.value(SideKey.digest).map { try StateDigest($0) } ?? StateDigest()
        digest.add(batch.digest)
        if let end = batch.end { try side.put(end, under: SideKey.joining) }
        var given: [[UInt8]: [UInt8]] = [:]
        for (key, state, element) in batch.entities {
          let place = SideKey.entity(key)
          if let old = try given.updateValue(element, forKey: place) ?? Self.element(of: key, side)
          {
            digest.remove(old)
          }
          try side.put(state.isPlain ? nil : element, under: place)
        }
        for (place, element) in batch.others {
          if let old = try side.value(place) { digest.remove(old) }
          try side.put(element, under: place)
        }
        try side.put(digest.bytes, under: SideKey.digest)
        let records = batch.entities.map { MergedRecord($0.key, $0.state) }
        try context.append(records, origin: CommitOrigin(replica: 0, sequence: 0))
        context.acknowledge(context.head)
      }
    }

    /// Returns an entity's element that was added before.
    private static func element(
      of key: DaybookMerging.EntityKey, _ side: SideValues<MergeContext>
    ) throws -> [UInt8]? {
      if let element = try side.value(SideKey.entity(key)) { return element }
      let stored = try side.source.entity(key.kind, key.id)
      var folded = Folded()
      if let end = try side.value(SideKey.joining), !end.isEmpty { try folded.readEnd(end) }
      return stored.map {
        EntityState(seenByAll: $0, isNumbered: folded.isNumbered).element(of: key)
      }
    }

    /// Makes the store a replica that has seen the log up to the snapshot's position.
    ///
    /// - Parameter isRight: Returns whether a digest equals the ``Replica/digest()`` of the replica
    ///   that created the snapshot.
    /// - Throws: ``ReplicaFault/incomplete`` if the element of the log's end is missing or the
    ///   digest is wrong; ``ReplicaFault/notEmpty``; `JournalError`.
    public func finish(
      where isRight: @escaping @Sendable (_ digest: [UInt8]) -> Bool = { _ in true }
    ) async throws -> Replica {
      try await store.merge(by: Replica.consumer) { context in
        try Self.check(context)
        let side = SideValues(source: context)
        guard let end = try side.value(SideKey.joining), !end.isEmpty else {
          throw ReplicaFault.incomplete
        }
        var folded = Folded()
        try folded.readEnd(end)
        var sums = try StateDigest(try side.value(SideKey.digest) ?? StateDigest().bytes)
        sums.add(end)
        guard isRight(sums.hash) else { throw ReplicaFault.incomplete }
        try side.put(sums.bytes, under: SideKey.digest)
        try side.put(nil, under: SideKey.joining)
        try side.begin(end: end, head: folded.head, after: context.head)
        NumberMerge(context, rules: rules, folded, over: try PendingCommits(side, rules: rules))
          .follow(isAtRest: true)
      }
      return try Replica(store, rules: rules)
    }

    /// Removes all added entities, so that another snapshot can be added.
    ///
    /// The commits stay in the store's history. The entities are removed in slices, and the store
    /// can be read between slices.
    ///
    /// - Throws: ``ReplicaFault/notEmpty``; `JournalError`.
    public func clear() async throws {
      while try await clearSome() {}
    }

    private func clearSome() async throws -> Bool {
      try await store.merge(by: Replica.consumer) { context in
        try Self.check(context)
        let side = SideValues(source: context)
        var keys: [[UInt8]] = []
        for letter in SideKey.elements {
          try side.forEach(letter) { key, _ in
            keys.append(key)
            return keys.count < Self.clearingCountMax
          }
        }
        for key in keys { try side.put(nil, under: key) }
        var records: [MergedRecord] = []
        // An entity's kind comes after the kinds of the entities to which it refers, so entities
        // are deleted in reverse order.
        try context.forEachEntity(reversed: true) { kind, stored in
          if kind.rawValue != 0 { records.append(MergedRecord(kind, stored.id, nil)) }
          return records.count < Self.clearingCountMax
        }
        try side.put([], under: SideKey.joining)
        try side.put(nil, under: SideKey.digest)
        if !records.isEmpty {
          try context.append(records, origin: CommitOrigin(replica: 0, sequence: 0))
        }
        context.acknowledge(context.head)
        return !keys.isEmpty || !records.isEmpty
      }
    }

    private static let clearingCountMax = 4_096

    private static func check(_ context: MergeContext) throws {
      guard context.head == context.acknowledged else { throw ReplicaFault.notEmpty }
    }
  }
}
