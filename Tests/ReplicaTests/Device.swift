import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging
import DaybookReplicas
import Foundation

/// The room Projecting has one of this name, too.
typealias EntityKey = DaybookMerging.EntityKey

let thing = EntityKind(rawValue: 64)
let folder = EntityKind(rawValue: 65)
let books = EntityKind(rawValue: 66)

/// Three kinds: things, folders in folders, and what closes.
let schema = Schema([
  KindDefinition(kind: thing, name: "thing"), KindDefinition(kind: folder, name: "folder"),
  KindDefinition(kind: books, name: "books"),
])

/// Things have a group of two properties; a folder's parent is property 1; the books' property 1 closes things by
/// property 2, their day.
let rules = MergeRules(
  kinds: [
    thing: KindRules(groups: [[3, 4]]),
    folder: KindRules(
      parent: KindRules.Parent(Register(tag: 1)) { bytes in
        guard let number = Record(bytes: bytes)[1]?.first else { return nil }
        return EntityID(high: 0, low: UInt64(number))
      }),
  ],
  closing: ClosingRule(
    key(1, books), Register(tag: 1),
    extent: { bytes in Record(bytes: bytes)[1].map { Int64($0[0]) } ?? 0 },
    kinds: [
      thing: ClosingRule.Part(registers: [Register(tag: 1), Register(tag: 2)], isWhole: true) {
        _, record, extent in
        guard let day = record[2]?.first, day <= extent else { return nil }
        return [day] + (record[1] ?? [])
      }
    ]))

func key(_ number: UInt64, _ kind: EntityKind = thing) -> EntityKey {
  EntityKey(kind, EntityID(high: 0, low: number))
}

/// A record whose properties are one byte each, by tag.
func record(_ properties: [UInt8: UInt8]) -> Record {
  var writer = RecordWriter()
  for (tag, value) in properties.sorted(by: { $0.key < $1.key }) {
    writer.put(tag) { $0.u8(value) }
  }
  return writer.record
}

/// A clock that the test sets.
final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var now: Int64 = 1_000_000
  func set(_ value: Int64) { lock.withLock { now = value } }
  func read() -> Int64 { lock.withLock { now } }
}

/// The relay: one log.
struct Relay {
  private(set) var log: [LogEntry] = []
  private(set) var numbers: [ReplicaID: UInt64] = [:]
  private(set) var floor: UInt64 = 0
  var time: Int64 = 1_000_000

  var head: UInt64 { UInt64(log.count) }

  /// Takes commits, in order; those that it has are passed over.
  mutating func push(_ commits: [ReplicaCommit]) {
    for commit in commits where commit.number == (numbers[commit.replica] ?? 0) + 1 {
      numbers[commit.replica] = commit.number
      place(.commit(commit))
      if head % 5 == 0 { place(.nothing) }
    }
  }

  mutating func move(floor position: UInt64) {
    guard position > floor else { return }
    floor = position
    place(.floor(position))
  }

  private mutating func place(_ content: LogEntry.Content) {
    time += 1
    log.append(LogEntry(position: head + 1, received: time, content: content))
  }

  func entries(after position: UInt64, count: Int = .max) -> [LogEntry] {
    Array(log.dropFirst(Int(position)).prefix(count))
  }
}

/// One device: a store, and beside it what it recorded, as the test saw it.
final class Device {
  private(set) var store: EventStore
  private(set) var replica: Replica
  let clock: TestClock
  private let path: String?
  /// What was recorded here and is not in the log as far as it was pulled.
  private(set) var unplaced: [Recorded] = []
  /// The last commit of this device that the log has; number 0 before the first.
  private var placed = ReplicaCommit.Continuation(replica: ReplicaID(rawValue: 0), number: 0)
  private(set) var position: UInt64

  /// What was recorded at once.
  struct Recorded {
    let name: ReplicaID
    let clock: Int64
    let base: UInt64
    let changes: [EntityChange]
  }

  /// A device that begins with a snapshot; its store is in memory unless there is a path.
  init(from snapshot: Folded, path: String? = nil) async throws {
    self.path = path
    clock = TestClock()
    store = try await Device.open(path, clock)
    replica = try await Replica.join(store, rules: rules, from: snapshot)
    position = snapshot.head
  }

  private static func open(_ path: String?, _ clock: TestClock) async throws -> EventStore {
    var options = EventStoreOptions()
    options.clock = { clock.read() }
    guard let path else {
      return try await EventStore.ephemeral(schema: schema, options: options)
    }
    return try await EventStore.open(at: path, schema: schema, options: options)
  }

  /// Closes and opens the store.
  func restart() async throws {
    guard path != nil else { return }
    try await store.close()
    store = try await Device.open(path, clock)
    replica = try Replica(store, rules: rules)
  }

  func close() async throws { try await store.close() }

  /// The present record of an entity.
  func record(of key: EntityKey) async throws -> Record? {
    try await store.append { context in
      try context.entity(key.kind, key.id)?.record
    }.result ?? nil
  }

  /// Records other records of entities.
  func commit(_ wanted: [(key: EntityKey, record: Record?)], at time: Int64) async throws {
    clock.set(time)
    let deleted = try deletedEntities()
    let changes =
      try await store.append { context throws -> [EntityChange] in
        var changes: [EntityChange] = []
        for (key, record) in wanted where try !Device.closesCycle(key, record, context) {
          let stored = try context.entity(key.kind, key.id)
          guard stored?.record != record else { continue }
          // As an undo does, which knows the number from history.
          let number =
            try stored?.number
            ?? context.number(ofInserted: key.kind, key.id, former: deleted[key]?.number)
          try context.apply(
            Change(
              kind: key.kind, id: key.id, number: number, before: stored?.record, after: record))
          changes.append(EntityChange(key, before: stored?.record, after: record))
        }
        return changes
      }.result ?? []
    if changes.isEmpty { return }
    let told = changes.map { change in
      var change = change
      if change.before == nil, let after = change.after, after == deleted[change.key]?.record {
        change.tombstone = change.after
        broughtBack.insert(change.key)
      }
      return change
    }
    unplaced.append(
      Recorded(name: try await replica.id(), clock: time, base: position, changes: told))
  }

  /// What was brought back since the log was last pulled: what others changed of it comes with the next pull.
  private(set) var broughtBack: Set<EntityKey> = []

  /// What each entity was when it was last deleted here.
  private func deletedEntities() throws -> [EntityKey: (record: Record, number: UInt64)] {
    var found: [EntityKey: (record: Record, number: UInt64)] = [:]
    var cursor = try store.history().cursor()
    while let commit = try cursor.next() {
      for change in commit.changes where change.operation == .delete {
        var writer = RecordWriter()
        for property in change.properties {
          writer.put(property.tag) { $0.raw(property.before ?? []) }
        }
        found[EntityKey(change.kind, change.id)] = (writer.record, change.number)
      }
    }
    return found
  }

  /// Whether a folder would be in itself: what a program refuses to record.
  private static func closesCycle(
    _ key: EntityKey, _ record: Record?, _ context: DecisionContext
  ) throws -> Bool {
    guard key.kind == folder, let record else { return false }
    var seen: Set<EntityID> = [key.id]
    var next = rules.parent(of: key, record)
    while let above = next {
      guard seen.insert(above.id).inserted else { return true }
      guard let stored = try context.entity(above.kind, above.id) else { return false }
      next = rules.parent(of: above, stored.record)
    }
    return false
  }

  /// Takes entries of the log.
  func pull(_ entries: [LogEntry]) async throws {
    try await replica.pull(entries)
    if entries.contains(where: { $0.position > position }) { broughtBack = [] }
    for entry in entries where entry.position > position {
      position = entry.position
      guard case .commit(let commit) = entry.content, let first = expectedPending.first,
        (commit.replica, commit.number) == (first.replica, first.number)
      else { continue }
      unplaced.removeFirst()
      placed = ReplicaCommit.Continuation(replica: commit.replica, number: commit.number)
    }
  }

  /// Begins anew with a snapshot.
  ///
  /// - Parameter count: so many of its last elements do not come.
  func rejoin(
    _ snapshot: Folded, placed: UInt64 = 0, without count: Int = 0
  ) async throws -> RebaseReceipt {
    var elements: [[UInt8]] = []
    snapshot.forEachElement { elements.append($0) }
    let (given, digest) = (Array(elements.dropLast(count)), snapshot.digest)
    return try await replica.rejoin(
      placed: placed, where: { $0 == digest },
      from: {
        var rest = given[...]
        return { rest.popFirst() }
      })
  }

  /// The recording number of an entity.
  func number(of key: EntityKey) async throws -> UInt64? { try await numbers(of: [key])[key] }

  /// The recording numbers of those entities that are there.
  func numbers(of keys: [EntityKey]) async throws -> [EntityKey: UInt64] {
    try await store.append { context in
      var numbers: [EntityKey: UInt64] = [:]
      for key in keys { numbers[key] = try context.entity(key.kind, key.id)?.number }
      return numbers
    }.result ?? [:]
  }

  /// What it is about to push.
  func pushed() async throws -> [ReplicaCommit] { try await replica.pending() }

  /// What the test expects to be pending.
  var expectedPending: [ReplicaCommit] {
    var last = placed
    return unplaced.map { one in
      let goesOn = one.name == last.replica
      let commit = ReplicaCommit(
        replica: one.name, number: goesOn ? last.number + 1 : 1, base: one.base, clock: one.clock,
        continues: goesOn || last.number == 0 ? nil : last, changes: one.changes)
      last = ReplicaCommit.Continuation(replica: commit.replica, number: commit.number)
      return commit
    }
  }
}
