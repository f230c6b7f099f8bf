package import Entities
package import Journal

/// What became of the entities of one kind between two commits, whatever happened in between.
package struct ChangesSince: Sendable {
  /// One entity whose record may be another.
  package struct Entity: Sendable {
    /// Which one.
    package let id: EntityID
    /// Its recording number; where it is gone, the one that it had then.
    package let number: UInt64
    /// Its record then; `nil` where it was not there.
    package let before: Record?
    /// Its record now; `nil` where it is gone.
    package let after: Record?
  }

  /// The entities of the kind that was asked for, in no order.
  package var entities: [Entity] = []
  /// All kinds that have changed.
  package var kinds: Set<EntityKind> = []
}

/// About how many bytes of the journal a change takes, so that commits with too many need not be read.
private let changeByteCount = 1_000

extension View {
  /// What has become of the entities of a kind since a token, up to the commit that the view holds.
  ///
  /// For whoever keeps something made from them, and would rather correct it than make it anew.
  ///
  /// - Parameter countMax: the most changes that are looked at, of a thousand bytes each.
  /// - Returns: `nil` where it is not to be told from the history that is kept, where something has
  ///   been erased meanwhile, or there are more changes than `countMax`.
  /// - Throws: ``ProjectingError``, `JournalError` or `LMDBError` where the store can't be read.
  /// - Complexity: O(changes since).
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
      // Purged between the check and the reading.
      guard case .token = error.code else { throw error }
      return nil
    }
    guard isKnown else { return nil }
    return try gathered.changes(in: self)
  }
}

/// Gathers changes of one kind of entities, oldest first.
private struct Gathered {
  /// What is known of an entity's record at the beginning.
  private struct Beginning {
    var number: UInt64
    /// The first value before of each property that was updated.
    var steps: [UInt8: RecordFold.Step] = [:]
    /// Whether the record at the beginning is known, and what it is.
    var record: Record??
  }

  let kind: EntityKind
  private var beginnings: [EntityID: Beginning] = [:]
  private var kinds: Set<EntityKind> = []

  init(kind: EntityKind) { self.kind = kind }

  /// Adds a change.
  ///
  /// - Returns: false where it cannot be told any more what was there.
  mutating func add(_ change: ChangeView) throws -> Bool {
    kinds.insert(change.kind)
    // The journal's own kind stands for purges and erasures.
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

  /// The records at the beginning beside those of now.
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
          .damaged, "The views lack the entity \(id), which was amended. Rebuild.")
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
