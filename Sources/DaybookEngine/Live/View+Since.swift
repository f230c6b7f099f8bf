package import DaybookEntities
package import DaybookJournal

/// The net changes of the entities of one kind between two commits.
package struct ChangesSince: Sendable {
  /// An entity whose record may have changed.
  package struct Entity: Sendable {
    /// The entity's id.
    package let id: EntityID
    /// The entity's recording number; for a deleted entity, its last number.
    package let number: UInt64
    /// The record at the first commit; `nil` if the entity did not exist.
    package let before: Record?
    /// The record at the second commit; `nil` if the entity was deleted.
    package let after: Record?
  }

  /// The entities of the requested kind, in no particular order.
  package var entities: [Entity] = []
  /// All kinds with changes, including kinds that were not requested.
  package var kinds: Set<EntityKind> = []
}

/// The assumed size of a change in the journal, in bytes; it allows refusing a range with too many
/// changes without reading it.
private let changeByteCount = 1_000

extension View {
  /// Returns the changes of entities of a kind since a token, up to the commit that the view
  /// contains.
  ///
  /// Use it to update values derived from these entities without recomputing them.
  ///
  /// - Parameter countMax: The maximum number of changes to read, estimated at 1,000 bytes each.
  /// - Returns: `nil` if the retained history does not contain all changes, if an erasure has
  ///   happened since the token, or if there are more changes than `countMax`.
  /// - Throws: ``ProjectingError``, `JournalError` or `LMDBError` if the store cannot be read.
  /// - Complexity: O(changes since the token).
  package func changes(
    since token: Token, of kind: EntityKind, countMax: Int
  ) throws -> ChangesSince? {
    let now = head.checkpoint.sequence
    do {
      try open.journal.check(token)
    } catch let error as JournalError {
      guard case .token = error.code else { throw error }
      return nil
    }
    guard token.sequence <= now,
      try open.journal.byteCount(
        after: token.sequence, through: now, upTo: countMax * changeByteCount) != nil
    else { return nil }
    var gathered = Gathered(kind: kind)
    var count = 0
    var isKnown = true
    do {
      try open.journal.forEachCommit(after: token.sequence, through: now) { commit in
        count += commit.changeCount
        isKnown = count <= countMax
        guard isKnown else { return false }
        try commit.forEachChange { change in
          isKnown = try gathered.add(change)
          return isKnown
        }
        return isKnown
      }
    } catch let error as JournalError {
      // The commits were purged between the check and the read.
      guard case .token = error.code else { throw error }
      return nil
    }
    guard isKnown else { return nil }
    return try gathered.changes(in: self)
  }
}

/// Collects changes to entities of one kind, oldest first.
private struct Gathered {
  /// The part of an entity's earlier record that is known so far.
  private struct Beginning {
    var number: UInt64
    /// For each updated property, its value before the first update.
    var steps: [UInt8: RecordFold.Step] = [:]
    /// The record before the changes, if it is known; the inner `nil` means that the entity did not
    /// exist.
    var record: Record??
  }

  let kind: EntityKind
  private var beginnings: [EntityID: Beginning] = [:]
  private var kinds: Set<EntityKind> = []

  init(kind: EntityKind) { self.kind = kind }

  /// Adds a change.
  ///
  /// - Returns: `false` if the records before the changes can't be determined.
  mutating func add(_ change: ChangeView) throws -> Bool {
    kinds.insert(change.kind)
    // Changes of the journal's own kind record purges and erasures.
    if change.kind == PurgeRecord.kind { return false }
    guard change.kind == kind else { return true }
    if change.isErased { return false }
    var beginning = beginnings[change.id] ?? Beginning(number: change.number)
    guard beginning.record == nil else { return true }
    switch change.operation {
    case .insert:
      beginning.record = .some(nil)
    case .update:
      for property in try change.properties() where beginning.steps[property.tag] == nil {
        beginning.steps[property.tag] = RecordFold.Step(tag: property.tag, after: property.before)
      }
    case .delete:
      beginning.record = try Gathered.fold(beginning.steps, into: change.encodedProperties)
    }
    beginnings[change.id] = beginning
    return true
  }

  /// Returns each entity's record before the changes, together with its current record.
  func changes(in view: borrowing View) throws -> ChangesSince {
    var changes = ChangesSince()
    changes.kinds = kinds
    for (id, beginning) in beginnings {
      let stored = try view.entity(kind, id)
      let now = stored?.record
      let before: Record?
      if let known = beginning.record {
        before = known
      } else if let now {
        before = try Gathered.fold(beginning.steps, into: now.bytes.span.bytes)
      } else {
        throw ProjectingError(
          .damaged, "The views lack the entity \(id), which was amended. Rebuild the views.")
      }
      changes.entities.append(
        ChangesSince.Entity(
          id: id, number: stored?.number ?? beginning.number, before: before, after: now))
    }
    return changes
  }

  private static func fold(
    _ steps: [UInt8: RecordFold.Step], into record: RawSpan
  ) throws(DecodingFault) -> Record {
    let ordered = steps.values.sorted { $0.tag < $1.tag }
    return try RecordFold.fold(ordered, into: record)
  }
}
