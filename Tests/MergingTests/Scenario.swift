import DaybookEntities
import DaybookMerging

/// A log that is written line by line, and what its fold gives.
struct Scenario {
  var rules = MergeRules()
  var entries: [LogEntry] = []
  private var numbers: [UInt64: UInt64] = [:]

  init(_ rules: MergeRules = MergeRules()) { self.rules = rules }

  /// The commit that a replica would make next; its number is counted.
  mutating func next(
    _ replica: UInt64, base: UInt64, clock: Int64, version: UInt32 = 1,
    continues: ReplicaCommit.Continuation? = nil, _ changes: [EntityChange]
  ) -> ReplicaCommit {
    numbers[replica, default: 0] += 1
    return ReplicaCommit(
      replica: ReplicaID(rawValue: replica), number: numbers[replica] ?? 0, base: base,
      clock: clock,
      version: version, continues: continues, changes: changes)
  }

  /// Places a commit.
  ///
  /// It is received at `received`, or as late as `clock` says, but never before the entry
  /// that precedes it.
  mutating func place(
    _ replica: UInt64, base: UInt64, clock: Int64, received: Int64? = nil,
    continues: ReplicaCommit.Continuation? = nil, _ changes: EntityChange...
  ) {
    let commit = next(replica, base: base, clock: clock, continues: continues, changes)
    place(commit, received: received)
  }

  /// Places a commit that was made before.
  mutating func place(_ commit: ReplicaCommit, received: Int64? = nil) {
    add(.commit(commit), received: received ?? max(commit.clock, entries.last?.received ?? .min))
  }

  /// Places a floor.
  mutating func place(floor: UInt64) { add(.floor(floor), received: entries.last?.received ?? 0) }

  private mutating func add(_ content: LogEntry.Content, received: Int64) {
    entries.append(
      LogEntry(position: UInt64(entries.count) + 1, received: received, content: content))
  }

  /// The fold of the whole log.
  func fold() throws -> Fold {
    var fold = Fold(rules: rules)
    try fold.fold(contentsOf: entries)
    return fold
  }

  /// What follows from the whole log.
  func folded() throws -> Folded { try fold().folded }
}

/// The kind of the entities in tests that merge by the plain rules.
let thing = EntityKind(rawValue: 64)

/// The entity with a small number.
func key(_ number: UInt64, _ kind: EntityKind = thing) -> EntityKey {
  EntityKey(kind, EntityID(high: 0, low: number))
}

/// A record whose properties are one byte each, by tag.
func record(_ properties: KeyValuePairs<UInt8, UInt8>) -> Record {
  var writer = RecordWriter()
  for property in properties { writer.put(property.key) { $0.u8(property.value) } }
  return writer.record
}

extension EntityChange {
  /// Brings an entity into being.
  static func insert(_ key: EntityKey, _ record: Record, made: Bool = false) -> EntityChange {
    EntityChange(key, before: nil, after: record, isMade: made)
  }

  /// Changes properties.
  static func amend(_ key: EntityKey, _ before: Record, _ after: Record) -> EntityChange {
    EntityChange(key, before: before, after: after)
  }

  /// Deletes.
  static func delete(_ key: EntityKey, _ record: Record) -> EntityChange {
    EntityChange(key, before: record, after: nil)
  }

  /// Brings back what was deleted.
  static func undelete(_ key: EntityKey, _ tombstone: Record, as record: Record? = nil)
    -> EntityChange
  {
    EntityChange(key, before: nil, after: record ?? tombstone, tombstone: tombstone)
  }

  /// Says that an entity is not to come.
  static func skip(_ key: EntityKey) -> EntityChange {
    EntityChange(key, before: nil, after: nil)
  }
}

extension Folded {
  /// The values that lost, of one commit and entity.
  func lost(
    _ rule: FindingRule, _ replica: UInt64, _ number: UInt64, _ entity: EntityKey = key(1)
  ) -> [LostValue]? {
    let id = FindingID(
      replica: ReplicaID(rawValue: replica), number: number, key: entity, rule: rule)
    return findings[id]?.values
  }

  /// The record of an entity that exists.
  subscript(entity: EntityKey) -> Record? {
    guard let state = entities[entity], state.exists else { return nil }
    return state.record
  }
}

extension LostValue {
  /// The register's tag, and the one byte that lost and the one that won (`nil` where absent), and the positions
  /// of their writers.
  var brief: String {
    func side(_ side: Contender) -> String {
      let value = side.bytes.last.map { "\($0)" } ?? "-"
      return "\(value)@\(side.writer.map { "\($0.position)" } ?? "floor")"
    }
    let name = register == .existence ? "existence" : "\(register.rawValue)"
    return "\(name): \(side(lost)) < \(side(won))"
  }
}

/// Two values of `thing` 1 that begin most scenarios: inserted by replica 1 at position 1, seen by everybody.
let start = record([1: 10, 2: 20])
