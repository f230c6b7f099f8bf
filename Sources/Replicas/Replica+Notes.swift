public import Entities
import Journal
public import Merging
import Projecting

extension Replica {
  /// What this copy is called among the replicas.
  ///
  /// - Throws: `JournalError`.
  public func id() async throws -> ReplicaID {
    ReplicaID(rawValue: try store.withJournal { journal throws in try journal.replica })
  }

  /// What this copy was and is called, oldest first.
  ///
  /// - Throws: `JournalError`.
  public func names() async throws -> [ReplicaID] {
    let moment = try await store.mergeMoment(of: Self.consumer)
    return try SideValues(source: moment).names.all
  }

  /// Which entities of a kind exist here, what is pending included.
  ///
  /// - Throws: `JournalError`; ``/Projecting/ProjectingError``.
  public func existing(_ kind: EntityKind, _ ids: [EntityID]) async throws -> Set<EntityID> {
    let moment = try await store.mergeMoment(of: Self.consumer)
    return Set(try ids.filter { try moment.entity(kind, $0) != nil })
  }

  /// Something that whoever exchanges the log wants remembered, as far as the log was pulled: both or neither.
  public struct Note: Hashable, Sendable {
    /// Under which key: at most 250 bytes.
    public var key: [UInt8]
    /// What is remembered; `nil` forgets it.
    public var value: [UInt8]?

    /// A note.
    public init(_ key: [UInt8], _ value: [UInt8]?) {
      self.key = key
      self.value = value
    }
  }

  /// What was noted under a key.
  ///
  /// - Throws: `JournalError`.
  public func note(_ key: [UInt8]) async throws -> [UInt8]? {
    let moment = try await store.mergeMoment(of: Self.consumer)
    return try SideValues(source: moment).value(SideKey.note(key))
  }

  /// What was noted under keys that begin so, in the order of their keys.
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

  /// Notes something, with nothing to pull.
  ///
  /// - Throws: `JournalError`.
  public func note(_ notes: [Note]) async throws { try await pull([], noting: notes) }
}

extension SideValues where Source == MergeContext {
  /// Forgets the notes under keys that begin so.
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
