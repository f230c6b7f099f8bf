import DaybookEngine
public import DaybookEntities
import DaybookJournal
public import DaybookMerging

extension Replica {
  /// Returns this copy's current name among the replicas.
  ///
  /// - Throws: `JournalError`.
  public func id() async throws -> ReplicaID {
    ReplicaID(rawValue: try store.withJournal { journal throws in try journal.replica })
  }

  /// Returns all names that this copy has had, oldest first.
  ///
  /// - Throws: `JournalError`.
  public func names() async throws -> [ReplicaID] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    return try SideValues(source: moment).names.all
  }

  /// Returns the given entities that exist on this replica, including entities of pending commits.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  public func existing(_ kind: EntityKind, _ ids: [EntityID]) async throws -> Set<EntityID> {
    let moment = try await store.mergeMoment(of: Self.consumer)
    return Set(try ids.filter { try moment.entity(kind, $0) != nil })
  }

  /// A value that the sync exchange stores atomically with the pulled entries.
  public struct Note: Hashable, Sendable {
    /// The key: at most 250 bytes.
    public var key: [UInt8]
    /// The value; `nil` removes the note.
    public var value: [UInt8]?

    /// Creates a note.
    public init(_ key: [UInt8], _ value: [UInt8]?) {
      self.key = key
      self.value = value
    }
  }

  /// Returns the value of a note, or `nil` if there is none.
  ///
  /// - Throws: `JournalError`.
  public func note(_ key: [UInt8]) async throws -> [UInt8]? {
    let moment = try await store.mergeMoment(of: Self.consumer)
    return try SideValues(source: moment).value(SideKey.note(key))
  }

  /// Returns the notes whose keys have a prefix, in ascending order of keys.
  ///
  /// - Throws: `JournalError`.
  public func notes(_ prefix: [UInt8]) async throws -> [Note] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    var found: [Note] = []
    try SideValues(source: moment).forEach(SideKey.notes) { key, value in
      let own = Array(key.dropFirst())
      if own.starts(with: prefix) { found.append(Note(own, value)) }
      return true
    }
    return found
  }

  /// Saves notes without pulling entries.
  ///
  /// - Throws: `JournalError`.
  public func note(_ notes: [Note]) async throws { try await pull([], noting: notes) }
}

extension SideValues where Source == MergeContext {
  /// Removes the notes whose keys have one of the prefixes.
  func forget(_ prefixes: [[UInt8]]) throws {
    var keys: [[UInt8]] = []
    try forEach(SideKey.notes) { key, _ in
      if prefixes.contains(where: { key.dropFirst().starts(with: $0) }) { keys.append(key) }
      return true
    }
    for key in keys { try put(nil, under: key) }
  }

  func put(_ notes: [Replica.Note]) throws {
    for note in notes { try put(note.value, under: SideKey.note(note.key)) }
  }
}
