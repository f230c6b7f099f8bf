package import Entities
public import Journal

extension EventStore {
  /// Registers a consumer: purging heeds what it has not acknowledged.
  ///
  /// One that is known already stays where it is and gets the kind.
  ///
  /// - Parameters:
  ///   - name: 1 to ``/Journal/Consumer/nameByteCountMax`` bytes.
  ///   - kind: What a purge owes it.
  ///   - token: Where a new one begins; without one, at the beginning of what is kept.
  /// - Throws: `JournalError` with `refused` or `token`; ``ProjectingError``.
  public func register(
    consumer name: String, _ kind: Consumer.Kind = .required, after token: Token? = nil
  ) async throws {
    let clock = options.clock
    try await aside { journal in
      let beginning = try token ?? journal.token(at: journal.floor().sequence)
      try journal.register(consumer: name, kind, at: beginning, now: clock())
    }
  }

  /// Forgets a consumer and what it remembered.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func unregister(consumer name: String) async throws -> Bool {
    try await aside { try $0.unregister(consumer: name) }
  }

  /// Notes that a consumer has dealt with everything up to a token, together with what it wants to
  /// remember: both or neither.
  ///
  /// A consumer that keeps its results in its table here deals with each commit exactly once; one
  /// that keeps them elsewhere, at least once.
  ///
  /// - Parameter values: Its table's rows by key; `nil` removes one.
  /// - Throws: `JournalError` with `token` or `refused`.
  public func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?] = [:]
  ) async throws {
    let clock = options.clock
    try await aside { try $0.acknowledge(token, by: name, putting: values, now: clock()) }
  }

  /// The consumers in the order of their names.
  public func consumers() throws -> [Consumer] { try openStore().journal.consumers() }

  /// What a consumer remembers under a key.
  public func value(_ key: [UInt8], ofConsumer name: String) throws -> [UInt8]? {
    try openStore().journal.value(key, of: name)
  }

  /// What a consumer has not acknowledged yet, oldest first.
  ///
  /// - Throws: `JournalError` with `refused` where there is no such consumer, `token(.expired)` where a
  ///   purge has passed it: it takes a full snapshot and acknowledges the snapshot's token.
  public func history(
    forConsumer name: String, matching filter: HistoryFilter = HistoryFilter()
  ) throws -> History {
    try history(after: try openStore().journal.token(of: name), matching: filter)
  }

  /// How much history is kept.
  public func retention() throws -> RetentionPolicy { try openStore().journal.retention() }

  /// Says how much history is kept; purged by the next ``purge(_:progress:)``, and at every opening.
  public func setRetention(_ policy: RetentionPolicy) async throws {
    try await aside { try $0.setRetention(policy) }
  }

  /// Runs something on the live journal, on the writer's thread, with `WRITER` held.
  func aside<Result: Sendable>(
    _ body: @escaping @Sendable (JournalStore) throws -> Result
  ) async throws -> Result {
    try await exclusively { writer in
      try writer.withLock {
        try writer.adoptCurrentGenerations()
        return try body(writer.open.journal)
      }
    }
  }
}

extension EventStore {
  /// The consumer that remembers for a store that shares a log (`Docs/Format.md`, "What a replica remembers").
  package static let replicaConsumer = "daybook.replica"

  /// Whether the store shares a log.
  ///
  /// - Throws: `JournalError`.
  package var isShared: Bool {
    get throws { try consumers().contains { $0.name == Self.replicaConsumer } }
  }

  /// Changes in one commit of a store that shares a log; the others may get two for each, a row and a skipped day.
  package static let sharedChangeCountMax = 1 << 20
  /// Bytes of the records of one commit of a store that shares a log, with those of tombstones: together with what is
  /// said of each change, less than the 256 MiB that others hold in memory (`Docs/Sync.md`, "Wire format").
  package static let sharedByteCountMax = 192 << 20

  /// The key under which it remembers what State does not say of an entity; values that are long are cut, and the number
  /// of the part, u16, ends the key.
  package static func replicaKey(_ kind: EntityKind, _ id: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 20)
    writer.raw("e".utf8)
    writer.u8(kind.rawValue)
    writer.id(id)
    return writer.bytes
  }

  /// The recording number in an entity's element; 0 where the log has given none.
  ///
  /// - Throws: `DecodingFault` where that is damaged.
  static func number(inReplicaElement element: [UInt8]) throws(DecodingFault) -> UInt64 {
    var reader = ByteReader(element)
    // The element's sort, kind, id and flags (`Merging.Folded.forEachElement`).
    _ = try reader.skip(1 + 1 + 16 + 1)
    return try reader.varint()
  }

  /// The key of the entities that had a place in State on this device and now have another one.
  package static func formerPlaceKey(_ kind: EntityKind, _ place: StatePosition) -> [UInt8] {
    var writer = ByteWriter(reserving: 12)
    writer.raw("p".utf8)
    writer.u8(kind.rawValue)
    writer.u32be(place.cluster)
    writer.u8(UInt8(truncatingIfNeeded: place.number >> 32))
    writer.u32be(UInt32(truncatingIfNeeded: place.number))
    return writer.bytes
  }

  /// The entities in the value of such a key, and the log's position when each left.
  package static func formerPlaces(
    _ value: [UInt8]
  ) throws(DecodingFault) -> [(id: EntityID, position: UInt64)] {
    var reader = ByteReader(value)
    var list: [(id: EntityID, position: UInt64)] = []
    while !reader.isAtEnd {
      let position = try reader.varint()
      list.append((try reader.id(), position))
    }
    return list
  }

  /// Whether the log that is shared says something of an entity that State and history may not have: that a change of it
  /// is held.
  ///
  /// - Throws: `JournalError`.
  package func sharedLogKnows(_ kind: EntityKind, _ id: EntityID) throws -> Bool {
    try value(Self.replicaKey(kind, id) + [0, 0], ofConsumer: Self.replicaConsumer) != nil
  }
}
