internal import DaybookEngine
internal import DaybookEntities

/// An entity that history refers to, with its current properties, or with its last properties if it
/// was deleted.
///
/// See ``Ledger/subjects(of:changesMax:)``.
public struct HistorySubject: Hashable, Sendable {
  /// The kind of entity.
  public let kind: EntityKind
  /// The recording number.
  public let number: UInt64
  /// The properties that don't have their default value, by name.
  public let properties: [String: PropertyValue]
  /// Whether personal text of the deleted entity has been erased.
  public let isErased: Bool

  init(_ change: RecordedChange) {
    kind = change.kind
    number = change.stored.number
    let values = change.differences.compactMap { difference in
      difference.before.map { (difference.name, $0) }
    }
    properties = Dictionary(values, uniquingKeysWith: { $1 })
    isErased = change.stored.isErased
  }

  init(_ kind: EntityKind, number: UInt64, _ record: Record) throws {
    self.kind = kind
    self.number = number
    var properties: [String: PropertyValue] = [:]
    var reader = RecordReader(record.bytes.span.bytes)
    while let property = try reader.next() {
      properties[kind.propertyName(property.tag)] =
        kind.property(property.tag)?.value(property.value.copied())
    }
    self.properties = properties
    isErased = false
  }

  /// The name, or for a transaction, its payee or else its description; `nil` if it has none.
  public var name: String? {
    for property in kind == .transaction ? ["payee", "description"] : ["name"] {
      if case .text(let text)? = properties[property], !text.isEmpty { return text }
    }
    return nil
  }

  /// The day of a transaction, exchange rate or stated balance.
  public var day: Day? {
    if case .day(let day)? = properties["day"] { day } else { nil }
  }

  /// The currency of an account or budget.
  public var currency: Currency? {
    switch (properties["currency"], properties["amount"]) {
    case (.currency(let currency)?, _): currency
    case (_, .money(let money)?): money.currency
    default: nil
    }
  }
}

extension Ledger {
  /// The entities that commits changed or refer to, by id.
  ///
  /// Entities that were deleted later are as they were before the deletion. Entities that aren't in
  /// the retained history are left out.
  ///
  /// - Parameters:
  ///   - entries: The commits.
  ///   - changesMax: The maximum number of changes to consider in each commit.
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`.
  /// - Complexity: O(changes), and if some of the entities were deleted, O(commits since).
  public func subjects(
    of entries: [HistoryEntry], changesMax: Int = .max
  ) throws -> [EntityID: HistorySubject] {
    var found: [EntityID: HistorySubject] = [:]
    var missing: Set<EntityID> = []
    try read { snapshot in
      for (id, kinds) in Self.references(in: entries, changesMax) where found[id] == nil {
        if let subject = try snapshot.subject(id, kinds) {
          found[id] = subject
        } else {
          missing.insert(id)
        }
      }
    }
    guard let oldest = entries.map(\.sequence).min(), !missing.isEmpty else { return found }
    var filter = HistoryFilter()
    filter.entities = missing
    var cursor = try history(before: nil, matching: filter).cursor()
    // The deleting commit is the commit that refers to the entity, or a later one.
    while !missing.isEmpty, let entry = try cursor.next(), entry.sequence >= oldest {
      for change in entry.changes where change.operation == .delete {
        if missing.remove(change.id) != nil { found[change.id] = HistorySubject(change) }
      }
    }
    return found
  }

  /// The entities that commits changed or refer to, with their possible kinds.
  private static func references(
    in entries: [HistoryEntry], _ changesMax: Int
  ) -> [EntityID: [EntityKind]] {
    var found: [EntityID: [EntityKind]] = [:]
    for change in entries.flatMap({ $0.changes.prefix(changesMax) }) {
      if let erased = change.erasedEntity {
        found[erased] = found[erased] ?? [.transaction, .account, .category]
      }
      guard KindDescription.of(change.kind) != nil, change.kind != .fingerprint else { continue }
      found[change.id] = [change.kind]
      for difference in change.differences {
        for id in [difference.before, difference.after].flatMap({ $0?.references ?? [] })
        where !AccountID(id).isBuiltin && !CategoryID(id).isBuiltin {
          found[id] = found[id] ?? [.account, .category, .series, .rule]
        }
      }
    }
    return found
  }
}

extension Snapshot {
  /// An entity of one of several kinds, or `nil` if there is none.
  fileprivate func subject(_ id: EntityID, _ kinds: [EntityKind]) throws -> HistorySubject? {
    for kind in kinds {
      if let stored = try view.entity(kind, id) {
        return try HistorySubject(kind, number: stored.number, stored.record)
      }
    }
    return nil
  }
}

extension PropertyValue {
  /// The entities that the value refers to.
  fileprivate var references: [EntityID] {
    switch self {
    case .entity(let id): [id]
    case .entities(let ids): ids
    case .postings(let postings):
      postings.compactMap { $0.accountID?.rawValue ?? $0.categoryID?.rawValue }
    case .conditions(let conditions):
      conditions.compactMap { if case .account(let id) = $0 { id.rawValue } else { nil } }
    default: []
    }
  }
}
