import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

/// Reads this copy's commits from the journal, newest first, and determines the entities before
/// them.
///
/// The journal stores only the changed properties of an amendment. The records before and after it
/// are therefore computed by applying all commits in reverse to the current records.
struct PendingWalk<Source: MergeSource> {
  private let side: SideValues<Source>
  private let names: OwnNames
  private let rules: MergeRules
  private let acknowledged: UInt64
  private let bases: [(from: UInt64, position: UInt64)]
  private var now: [DaybookMerging.EntityKey: Record?] = [:]
  private var numbersNow: [DaybookMerging.EntityKey: UInt64] = [:]
  /// The index in `found` of each insertion whose entity may have existed before the insertion.
  private var insertions: [DaybookMerging.EntityKey: (entry: Int, change: Int)] = [:]

  /// The pending commits, newest first.
  private(set) var found: [PendingCommits.Entry] = []
  /// Each changed entity, as of just before the oldest commit that changes it.
  private(set) var before: [DaybookMerging.EntityKey: StoredEntity?] = [:]
  /// Whether none of these commits was erased.
  private(set) var isExact = true

  /// Reads backward from the newest commit to the commit after `sequence`.
  ///
  /// - Parameters:
  ///   - names: The names under which this copy has recorded.
  ///   - sequence: The commit before the first one to read.
  ///   - isPending: Returns whether an earlier pending commit changes an entity.
  init(
    _ side: SideValues<Source>, names: OwnNames, rules: MergeRules, after sequence: UInt64,
    isPending: (DaybookMerging.EntityKey) -> Bool
  ) throws {
    self.side = side
    self.names = names
    self.rules = rules
    acknowledged = try side.source.acknowledged
    bases = try side.bases
    try side.source.forEachCommit(after: sequence, through: nil, reversed: true) { view in
      try take(try view.copied())
      return true
    }
    try findDeletions(through: sequence, isPending)
  }

  private mutating func take(_ commit: Commit) throws {
    if commit.header.isErased || commit.changes.contains(where: \.hasErasedProperty) {
      isExact = false
    }
    let own = names.name(of: commit.header)
    var changes: [EntityChange] = []
    for change in commit.changes.reversed() where change.kind.rawValue != 0 {
      let key = DaybookMerging.EntityKey(change.kind, change.id)
      let after: Record?
      if let known = now[key] {
        after = known
      } else {
        after = try side.source.entity(change.kind, change.id)?.record
      }
      let earlier = try change.before(after)
      now[key] = .some(earlier)
      numbersNow[key] = change.number
      if after == nil, let earlier { try meet(deletion: earlier, of: key, by: commit) }
      if own == nil { continue }
      changes.append(EntityChange(key, before: earlier, after: after))
      before[key] = .some(stored(key, earlier))
    }
    let erasures = commit.erasures
    guard let own, !changes.isEmpty || !erasures.isEmpty else { return }
    var prepared = rules.prepare(changes.reversed())
    for key in erasures {
      prepared.changes.erase(key)
      if before[key] == nil { before[key] = .some(try standing(key)) }
    }
    // A transaction that the commit marks as skipped may still be in State, because its deletion
    // may be deferred.
    for change in prepared.changes where before[change.key] == nil {
      before[change.key] = .some(try standing(change.key))
    }
    for (index, change) in prepared.changes.enumerated()
    where change.before == nil && change.after != nil {
      insertions[change.key] = (found.count, index)
    }
    found.append(
      PendingCommits.Entry(
        sequence: commit.header.sequence, name: own,
        commit: ReplicaCommit(
          replica: own, number: 0,
          base: bases.last { $0.from <= commit.header.sequence }?.position ?? 0,
          clock: commit.header.wallMicroseconds,
          hasIndependentChanges: prepared.hasIndependentChanges,
          attributes: CommitAttribute.record(
            author: commit.header.author ?? "", source: commit.header.source),
          changes: prepared.changes)))
  }

  /// Returns the entity before the commit that the walk has reached.
  private func standing(_ key: DaybookMerging.EntityKey) throws -> StoredEntity? {
    if let known = now[key] { return stored(key, known) }
    return try side.source.entity(key.kind, key.id)
  }

  /// Returns an entity with a given record, as of the commit that the walk has reached.
  private func stored(_ key: DaybookMerging.EntityKey, _ record: Record?) -> StoredEntity? {
    record.map { StoredEntity(id: key.id, number: numbersNow[key] ?? 0, record: $0) }
  }

  // MARK: Undeleting

  /// Turns an insertion into an undeletion if it inserts a deleted entity with its old record.
  ///
  /// An undeletion contains no values, so it also restores the changes that other replicas made in
  /// the meantime. This requires that the log contains the deletion; otherwise the insertion is
  /// sent unchanged.
  private mutating func meet(
    deletion: Record, of key: DaybookMerging.EntityKey, by commit: Commit
  ) throws {
    guard let place = insertions.removeValue(forKey: key),
      found[place.entry].commit.changes[place.change].after == deletion
    else { return }
    let isPending = names.name(of: commit.header) != nil && commit.header.sequence > acknowledged
    guard try isPending || side.knows(key) else { return }
    found[place.entry].commit.changes[place.change].tombstone = deletion
  }

  /// Walks further back, to the deletions of entities that were inserted again.
  private mutating func findDeletions(
    through sequence: UInt64, _ isPending: (DaybookMerging.EntityKey) -> Bool
  ) throws {
    insertions = try insertions.filter {
      try isPending($0.key) || side.knows($0.key)
    }
    let floor = try side.source.floor
    if insertions.isEmpty || sequence <= floor { return }
    try side.source.forEachCommit(after: floor, through: sequence, reversed: true) { view in
      let commit = try view.copied()
      for change in commit.changes where change.operation == .delete {
        let key = DaybookMerging.EntityKey(change.kind, change.id)
        guard insertions[key] != nil, let record = try change.before(nil) else { continue }
        try meet(deletion: record, of: key, by: commit)
      }
      return !insertions.isEmpty
    }
  }
}

extension [EntityChange] {
  /// Marks the change of an entity as an erasure, or adds an erasure.
  fileprivate mutating func erase(_ key: DaybookMerging.EntityKey) {
    if let index = firstIndex(where: { $0.key == key }) {
      self[index].isErasure = true
    } else {
      append(EntityChange(key, before: nil, after: nil, isErasure: true))
    }
  }
}

extension JournalChange {
  fileprivate var hasErasedProperty: Bool { properties.contains(where: \.isErased) }

  /// Returns the record before the change, computed from the record after it.
  ///
  /// - Throws: `DecodingFault` if the record after the change is damaged.
  fileprivate func before(_ after: Record?) throws(DecodingFault) -> Record? {
    if operation == .insert { return nil }
    var values: [UInt8: [UInt8]] = [:]
    if let after {
      var reader = RecordReader(after.bytes.span.bytes)
      while let property = try reader.next() { values[property.tag] = property.value.copied() }
    }
    for property in properties where !property.isErased { values[property.tag] = property.before }
    var writer = RecordWriter()
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.put(tag) { $0.raw(value) }
    }
    return writer.record
  }
}
