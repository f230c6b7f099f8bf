package import DaybookEntities
public import DaybookJournal

extension EventStore {
  /// Registers a consumer, whose progress limits purging.
  ///
  /// If the consumer is already registered, it keeps its position and takes the new kind.
  ///
  /// - Parameters:
  ///   - name: The name, with 1 to ``/Journal/Consumer/nameByteCountMax`` bytes.
  ///   - kind: Whether purging waits for the consumer.
  ///   - token: The position after which a new consumer starts; `nil` for the start of the retained
  ///     history.
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

  /// Removes a consumer and its values.
  ///
  /// - Returns: Whether the consumer was registered.
  @discardableResult
  public func unregister(consumer name: String) async throws -> Bool {
    try await aside { try $0.unregister(consumer: name) }
  }

  /// Records a consumer's progress up to a token and stores its values, in one transaction.
  ///
  /// A consumer that keeps its results in these values processes each commit exactly once. A
  /// consumer that keeps its results elsewhere processes each commit at least once.
  ///
  /// - Parameter values: The values by key; `nil` deletes a value.
  /// - Throws: `JournalError` with `token` or `refused`.
  public func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?] = [:]
  ) async throws {
    let clock = options.clock
    try await aside { try $0.acknowledge(token, by: name, putting: values, now: clock()) }
  }

  /// Returns all consumers, ordered by name.
  public func consumers() throws -> [Consumer] { try openStore().journal.consumers() }

  /// Returns the value that a consumer has stored under the given key.
  public func value(_ key: [UInt8], ofConsumer name: String) throws -> [UInt8]? {
    try openStore().journal.value(key, of: name)
  }

  /// Returns the commits that a consumer has not acknowledged yet, oldest first.
  ///
  /// - Throws: `JournalError` with `refused` if there is no such consumer, or with
  ///   `token(.expired)` if some of these commits have been purged. In the second case, the
  ///   consumer must read a full snapshot and acknowledge the snapshot's token.
  public func history(
    forConsumer name: String, matching filter: HistoryFilter = HistoryFilter()
  ) throws -> History {
    try history(after: try openStore().journal.token(of: name), matching: filter)
  }

  /// Returns the retention policy of the store.
  public func retention() throws -> RetentionPolicy { try openStore().journal.retention() }

  /// Sets the retention policy, which applies from the next purge on.
  ///
  /// The store purges when ``purge(_:progress:)`` is called and, by default, after it is opened.
  public func setRetention(_ policy: RetentionPolicy) async throws {
    try await aside { try $0.setRetention(policy) }
  }

  /// Runs `body` on the live journal, on the writer's thread and with `WRITER` locked.
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
  /// The consumer whose values hold the sync state of a shared ledger (`Docs/Format.md`, "What a
  /// replica remembers").
  package static let replicaConsumer = "daybook.replica"

  /// Whether the store belongs to a shared ledger.
  ///
  /// - Throws: `JournalError`.
  package var isShared: Bool {
    get throws { try consumers().contains { $0.name == Self.replicaConsumer } }
  }

  /// The maximum number of changes in one commit of a shared ledger.
  ///
  /// Other devices may receive two changes for each of these: a transaction and a skipped due date.
  package static let sharedChangeCountMax = 1 << 20
  /// The maximum total byte count of the records in one commit of a shared ledger, including
  /// tombstones.
  ///
  /// Together with the metadata of the changes, this stays below the 256 MiB that other devices
  /// hold in memory (`Docs/Sync.md`, "Wire format").
  package static let sharedByteCountMax = 192 << 20

  /// Returns the key prefix for the sync state of an entity that is not part of State.
  ///
  /// A long value is split into parts, and each key ends with the number of its part (u16).
  package static func replicaKey(_ kind: EntityKind, _ id: EntityID) -> [UInt8] {
    var writer = ByteWriter(reserving: 20)
    writer.raw("e".utf8)
    writer.u8(kind.rawValue)
    writer.id(id)
    return writer.bytes
  }

  /// Decodes the recording number in an entity's element, or 0 if the log has not assigned one.
  ///
  /// - Throws: `DecodingFault` if the element is damaged.
  static func number(inReplicaElement element: [UInt8]) throws(DecodingFault) -> UInt64 {
    var reader = ByteReader(element)
    // Skip the element's sort, kind, id and flags (`Merging.Folded.forEachElement`).
    _ = try reader.skip(1 + 1 + 16 + 1)
    return try reader.varint()
  }

  /// Returns the key for the list of entities that have moved from a position in State.
  package static func formerPlaceKey(_ kind: EntityKind, _ place: StatePosition) -> [UInt8] {
    var writer = ByteWriter(reserving: 12)
    writer.raw("p".utf8)
    writer.u8(kind.rawValue)
    writer.u32be(place.cluster)
    writer.u8(UInt8(truncatingIfNeeded: place.number >> 32))
    writer.u32be(UInt32(truncatingIfNeeded: place.number))
    return writer.bytes
  }

  /// Decodes a value stored under a `formerPlaceKey`: the moved entities, each with the log
  /// position at which it moved.
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

  /// Returns whether the shared log has a value for an entity that may be absent from State and
  /// from history.
  ///
  /// One example is an entity that occurs only in a deferred change.
  ///
  /// - Throws: `JournalError`.
  package func sharedLogKnows(_ kind: EntityKind, _ id: EntityID) throws -> Bool {
    try value(Self.replicaKey(kind, id) + [0, 0], ofConsumer: Self.replicaConsumer) != nil
  }
}
