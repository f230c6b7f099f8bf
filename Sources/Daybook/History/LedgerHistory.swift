internal import DaybookEngine
import DaybookEntities
internal import DaybookJournal

/// A sequence of past commits, read on demand.
public struct LedgerHistory: AsyncSequence, Sendable {
  let base: History
  let store: EventStore

  init(_ base: History, _ store: EventStore) {
    self.base = base
    self.store = store
  }

  /// A cursor that iterates over history without suspending.
  public struct Cursor {
    private var base: History.Cursor
    private let store: EventStore

    init(_ base: History.Cursor, _ store: EventStore) {
      self.base = base
      self.store = store
    }

    /// Returns the next commit with the selected changes, or `nil` at the end.
    ///
    /// - Throws: ``DaybookError`` with the codes `expiredToken` if the next commit has been purged
    ///   since the last call, `damaged`, `closed` or `system`.
    public mutating func next() throws(DaybookError) -> HistoryEntry? {
      do {
        return try base.next().map { HistoryEntry($0, try store.token(after: $0.header)) }
      } catch {
        throw .wrapping(error)
      }
    }
  }

  /// Creates a cursor, which iterates without suspending.
  public func cursor() -> Cursor { Cursor(base.cursor(), store) }

  /// An iterator over history.
  public struct Iterator: AsyncIteratorProtocol {
    private var cursor: Cursor

    init(_ cursor: Cursor) { self.cursor = cursor }

    /// Returns the next commit, or `nil` at the end or if the task is cancelled.
    ///
    /// - Throws: ``DaybookError``, as for ``Cursor/next()``.
    public mutating func next() async throws(DaybookError) -> HistoryEntry? {
      Task.isCancelled ? nil : try cursor.next()
    }
  }

  /// Creates an iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor()) }
}

/// A past commit.
public struct HistoryEntry: Hashable, Sendable {
  /// The commit's metadata.
  public let header: CommitHeader
  /// The commit's changes, in order; in a filtered history, only the selected changes.
  ///
  /// Empty for a commit that only renumbered entities; see ``renumbered``.
  public let changes: [RecordedChange]
  /// The renumbered entities, if the commit did nothing else (`CommitHeader.isRenumbering`).
  ///
  /// If the number of changes is limited, the list has at most that many elements.
  public let renumbered: [RenumberedEntity]
  /// The commit's token; store it to continue after this commit, or acknowledge it as a consumer.
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

  /// The commit's number in history, counted from 1.
  public var sequence: UInt64 { header.sequence }
}

/// One entity's change in a commit.
public struct RecordedChange: Hashable, Sendable {
  /// The change as stored in the journal.
  public let stored: JournalChange

  init(_ change: JournalChange) { stored = change }

  /// The operation of a change: `insert`, `update` or `delete`.
  public typealias Operation = JournalChange.Operation

  /// The kind of entity.
  public var kind: EntityKind { stored.kind }
  /// The entity.
  public var id: EntityID { stored.id }
  /// The operation.
  public var operation: Operation { stored.operation }

  /// The values of one property before and after a change.
  public struct Difference: Hashable, Sendable {
    /// The property's name.
    public let name: String
    /// The value before the change; `nil` for the default value, or if the entity didn't exist.
    public let before: PropertyValue?
    /// The value after the change; `nil` for the default value, or if the entity was deleted.
    public let after: PropertyValue?
    /// Whether the values have been erased.
    public let isErased: Bool
  }

  /// The changed properties: all properties of an inserted or deleted entity.
  ///
  /// Amounts whose currency is another property of the entity, such as an opening balance, have no
  /// currency unless the change contains the currency property; see ``differences(in:)``.
  public var differences: [Difference] { differences(in: nil) }

  /// The changed properties: all properties of an inserted or deleted entity.
  ///
  /// - Parameter currency: The currency of the entity's amounts, such as
  ///   ``HistorySubject/currency``, for changes that don't contain it.
  public func differences(in currency: Currency?) -> [Difference] {
    let before = self.currency { $0.before } ?? currency
    let after = self.currency { $0.after } ?? currency
    return stored.properties.map { property in
      let name = kind.propertyName(property.tag)
      let description = kind.property(property.tag)
      func value(_ bytes: [UInt8], _ currency: Currency?) -> PropertyValue {
        let value = description?.value(bytes) ?? .bytes(bytes)
        return currency.map { value.amount(of: name, in: $0) } ?? value
      }
      return Difference(
        name: name, before: property.before.map { value($0, before) },
        after: property.after.map { value($0, after) }, isErased: property.isErased)
    }
  }

  /// The currency of an account's or budget's amounts, if the change contains it.
  private func currency(_ side: (PropertyChange) -> [UInt8]?) -> Currency? {
    for property in stored.properties {
      guard let bytes = side(property) else { continue }
      switch kind.property(property.tag)?.value(bytes) {
      case .currency(let currency)? where kind == .account: return currency
      case .money(let money)? where kind == .budget: return money.currency
      default: continue
      }
    }
    return nil
  }

  /// The last purged commit, if the change records a purge.
  public var purgedThrough: UInt64? {
    guard kind == PurgeRecord.kind else { return nil }
    guard let bytes = stored.properties.first(where: { $0.tag == 1 })?.after else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    return try? reader.u64be()
  }

  /// The entity whose personal text was erased, if the change records an erasure.
  public var erasedEntity: EntityID? {
    guard kind == PurgeRecord.kind else { return nil }
    guard let bytes = stored.properties.first(where: { $0.tag == 17 })?.after else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    return try? reader.id()
  }

  /// The missing commits that were accepted as lost, if the change records a loss.
  public var acceptedLoss: MissingCommits? {
    guard kind == PurgeRecord.kind else { return nil }
    func number(_ tag: UInt8) -> UInt64? {
      guard let bytes = stored.properties.first(where: { $0.tag == tag })?.after else { return nil }
      var reader = ByteReader(bytes.span.bytes)
      return try? reader.u64be()
    }
    guard let newest = number(24), let seen = number(25) else { return nil }
    return MissingCommits(newest: newest, seen: seen)
  }

  /// The transaction before its deletion; `nil` if the change didn't delete a transaction, or if
  /// its text was erased.
  public var deletedTransaction: Transaction? { transaction(of: .delete) { $0.before } }

  /// The transaction as it was inserted; `nil` if the change didn't insert a transaction, or if its
  /// text was erased.
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

extension PropertyValue {
  /// The value with a currency, if it is an amount that is stored without one.
  fileprivate func amount(of property: String, in currency: Currency) -> PropertyValue {
    switch self {
    case .number(let units) where property == "openingBalance": .money(Money(units, currency))
    case .steps(let steps):
      .steps(
        steps.map {
          BudgetStep(day: $0.day, amount: Money($0.amount.minorUnits, currency))
        })
    default: self
    }
  }
}
