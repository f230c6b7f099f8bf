import Entities
internal import Journal
internal import Projecting

/// What was recorded, commit by commit, read as it is asked for.
public struct LedgerHistory: AsyncSequence, Sendable {
  let base: History
  let store: EventStore

  init(_ base: History, _ store: EventStore) {
    self.base = base
    self.store = store
  }

  /// Steps through history without suspending.
  public struct Cursor {
    private var base: History.Cursor
    private let store: EventStore

    init(_ base: History.Cursor, _ store: EventStore) {
      self.base = base
      self.store = store
    }

    /// The next commit with the wanted changes; `nil` at the end.
    ///
    /// - Throws: ``DaybookError`` with the codes `expiredToken` where what comes next has been
    ///   purged meanwhile, `damaged`, `closed` or `system`.
    public mutating func next() throws(DaybookError) -> HistoryEntry? {
      do {
        return try base.next().map { HistoryEntry($0, try store.token(after: $0.header)) }
      } catch {
        throw .wrapping(error)
      }
    }
  }

  /// Steps through history without suspending.
  public func cursor() -> Cursor { Cursor(base.cursor(), store) }

  /// Steps through history.
  public struct Iterator: AsyncIteratorProtocol {
    private var cursor: Cursor

    init(_ cursor: Cursor) { self.cursor = cursor }

    /// The next commit; `nil` at the end, and where the task is cancelled.
    ///
    /// - Throws: ``DaybookError`` as ``Cursor/next()``.
    public mutating func next() async throws(DaybookError) -> HistoryEntry? {
      Task.isCancelled ? nil : try cursor.next()
    }
  }

  /// Steps through history.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor()) }
}

/// One commit of the past.
public struct HistoryEntry: Hashable, Sendable {
  /// What the commit says about itself.
  public let header: CommitHeader
  /// What it did, in order; of a filtered history the wanted changes only.
  ///
  /// Empty where it only gave entities other recording numbers (``renumbered``).
  public let changes: [RecordedChange]
  /// The entities that got other recording numbers, where the commit did nothing else
  /// (`CommitHeader.isRenumbering`); as many as were read.
  public let renumbered: [RenumberedEntity]
  /// The token after it: keep it to go on from here, or acknowledge it.
  public let token: Token

  init(_ commit: Commit, _ token: Token) {
    let changes = commit.changes.map { RecordedChange($0) }
    let isRenumbering = commit.header.isRenumbering
    self.init(
      commit.header, isRenumbering ? [] : changes, token,
      renumbered: isRenumbering ? RenumberedEntity.all(in: changes) : [])
  }

  init(
    _ header: CommitHeader, _ changes: [RecordedChange], _ token: Token,
    renumbered: [RenumberedEntity] = []
  ) {
    self.header = header
    self.changes = changes
    self.token = token
    self.renumbered = renumbered
  }

  /// Its place in history, from 1.
  public var sequence: UInt64 { header.sequence }
}

/// What a commit did to one entity.
public struct RecordedChange: Hashable, Sendable {
  /// The change as the journal keeps it.
  public let stored: JournalChange

  init(_ change: JournalChange) { stored = change }

  /// What a change did to its entity: `insert`, `update` or `delete`.
  public typealias Operation = JournalChange.Operation

  /// The kind of entity.
  public var kind: EntityKind { stored.kind }
  /// The entity.
  public var id: EntityID { stored.id }
  /// What was done to it.
  public var operation: Operation { stored.operation }

  /// One property before and after.
  public struct Difference: Hashable, Sendable {
    /// What the property is called.
    public let name: String
    /// Its value before; `nil` for its default, or where the entity was not there.
    public let before: PropertyValue?
    /// Its value after; `nil` for its default, or where the entity is gone.
    public let after: PropertyValue?
    /// Whether the values were there and have been erased.
    public let isErased: Bool
  }

  /// The properties that became others: of an insertion all it had, of a deletion all that was lost.
  public var differences: [Difference] {
    stored.properties.map { property in
      let description = kind.property(property.tag)
      return Difference(
        name: kind.propertyName(property.tag),
        before: property.before.map { description?.value($0) ?? .bytes($0) },
        after: property.after.map { description?.value($0) ?? .bytes($0) },
        isErased: property.isErased)
    }
  }

  /// Up to which commit history was purged, where that is what was done.
  public var purgedThrough: UInt64? {
    guard kind == PurgeRecord.kind else { return nil }
    guard let bytes = stored.properties.first(where: { $0.tag == 1 })?.after else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    return try? reader.u64be()
  }

  /// Whose personal text was erased, where that is what was done.
  public var erasedEntity: EntityID? {
    guard kind == PurgeRecord.kind else { return nil }
    guard let bytes = stored.properties.first(where: { $0.tag == 17 })?.after else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    return try? reader.id()
  }

  /// The transaction that was deleted, as it was; `nil` for other changes, or where it was erased.
  public var deletedTransaction: Transaction? { transaction(of: .delete) { $0.before } }

  /// The transaction that was recorded, as it was then; `nil` for other changes, or where it was erased.
  public var insertedTransaction: Transaction? { transaction(of: .insert) { $0.after } }

  private func transaction(
    of operation: Operation, _ value: (PropertyChange) -> [UInt8]?
  ) -> Transaction? {
    guard kind == .transaction, self.operation == operation, !stored.isErased else { return nil }
    var writer = RecordWriter()
    for property in stored.properties {
      if let value = value(property) { writer.put(property.tag) { $0.raw(value) } }
    }
    return try? Transaction(record: writer.record, id: id, number: stored.number)
  }
}
