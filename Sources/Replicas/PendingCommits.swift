import Entities
import Journal
import Merging
import Projecting
import Synchronization

/// A replica's own commits that the log does not have yet, as the others are told of them.
///
/// The journal keeps of an amendment only what differs. So the records before and after are had by walking back
/// from what is now, through what was committed here since. What was found once stays right, because history does
/// not change: commits that the log has leave at the front, and new ones join behind.
struct PendingCommits: Sendable {
  /// One of them, and its place in the journal.
  struct Entry: Sendable {
    var sequence: UInt64
    var commit: ReplicaCommit
  }

  /// An entity that they change.
  private struct Touched: Sendable {
    /// What stood before the first of them changed it: `nil` where there was nothing.
    var before: Record?
    /// The numbers of those that change it, ascending.
    var numbers: [UInt64] = []
  }

  /// What was walked through; entries are those after its acknowledged commit.
  private var walked: Walked
  /// Those before `first` are in the log.
  private var list: [Entry] = []
  private var first = 0
  private var touched: [Merging.EntityKey: Touched] = [:]

  /// Whether the journal still has all that was recorded: where something was erased, records come out differently
  /// from what was pushed.
  private(set) var isExact = true

  /// Reads them from the journal.
  init(_ side: SideValues<some MergeSource>) throws {
    walked = try Walked(side)
    walked.head = walked.acknowledged
    try extend(side)
  }

  /// Oldest first.
  var entries: ArraySlice<Entry> { list[first...] }
  /// How many the log has, of all that this replica ever made.
  var acknowledgedNumber: UInt64 { walked.number }
  /// Every entity that they change.
  var keys: some Sequence<Merging.EntityKey> { touched.keys }

  /// Whether any of them changes an entity.
  func change(_ key: Merging.EntityKey) -> Bool { touched[key] != nil }

  /// What stood before the first of them changed an entity; `nil` where none does.
  func before(_ key: Merging.EntityKey) -> Record?? { touched[key].map(\.before) }

  // MARK: Following the journal

  /// Takes what was recorded since.
  ///
  /// - Returns: whether that was possible: not where others have acknowledged something, or erased.
  mutating func follow(_ side: SideValues<some MergeSource>) throws -> Bool {
    let now = try Walked(side)
    guard now.generation == walked.generation, now.number == walked.number,
      now.acknowledged == walked.acknowledged, now.head >= walked.head
    else { return false }
    try extend(side)
    return true
  }

  private mutating func extend(_ side: SideValues<some MergeSource>) throws {
    let source = side.source
    let head = try source.head
    if head == walked.head { return }
    let bases = try side.bases
    let own = ReplicaID(rawValue: try source.replica)
    var now: [Merging.EntityKey: Record?] = [:]
    var before: [Merging.EntityKey: Record?] = [:]
    var found: [Entry] = []
    try source.forEachCommit(after: walked.head, through: nil, reversed: true) { view in
      let commit = try view.copied()
      let isOwn = commit.header.replica == own.rawValue
      if commit.header.isErased || commit.changes.contains(where: \.hasErasedProperty) {
        isExact = false
      }
      var changes: [EntityChange] = []
      for change in commit.changes.reversed() where change.kind.rawValue != 0 {
        let key = Merging.EntityKey(change.kind, change.id)
        let after: Record?
        if let known = now[key] {
          after = known
        } else {
          after = try source.entity(change.kind, change.id)?.record
        }
        let earlier = try change.before(after)
        now[key] = .some(earlier)
        guard isOwn else { continue }
        changes.append(EntityChange(key, before: earlier, after: after))
        before[key] = .some(earlier)
      }
      guard isOwn, !changes.isEmpty else { return true }
      found.append(
        Entry(
          sequence: commit.header.sequence,
          commit: ReplicaCommit(
            replica: own, number: 0,
            base: bases.last { $0.from <= commit.header.sequence }?.position ?? 0,
            clock: commit.header.wallMicroseconds,
            attributes: CommitAttribute.record(
              author: commit.header.author ?? "", source: commit.header.source),
            changes: changes.reversed())))
      return true
    }
    walked.head = head
    for entry in found.reversed() { join(entry, before) }
  }

  private mutating func join(_ entry: Entry, _ before: [Merging.EntityKey: Record?]) {
    let number = walked.number + UInt64(list.count - first) + 1
    list.append(entry)
    list[list.count - 1].commit.number = number
    for key in Set(entry.commit.changes.map(\.key)) {
      touched[key, default: Touched(before: before[key] ?? nil)].numbers.append(number)
    }
  }

  // MARK: Being found in the log

  /// Whether the first one is what the log has under this replica's name.
  ///
  /// The number alone does not say: a copy that was restored has counted on with commits of its own. Clocks and
  /// attributes may have been corrected on the way.
  func begins(with placed: ReplicaCommit) -> Bool {
    guard let first = entries.first?.commit, first.number == placed.number,
      first.base == placed.base, first.changes.map(\.key) == placed.changes.map(\.key)
    else { return false }
    return !isExact || first.changes.map(\.after) == placed.changes.map(\.after)
  }

  /// Takes away the first one, which the log has.
  mutating func removeFirst() {
    let entry = list[first]
    walked.number = entry.commit.number
    for key in Set(entry.commit.changes.map(\.key)) {
      touched[key]?.numbers.removeFirst()
      if touched[key]?.numbers.isEmpty == true { touched[key] = nil }
    }
    first += 1
    if first * 2 > list.count {
      list.removeFirst(first)
      first = 0
    }
  }

  /// Says what the consumer has acknowledged, once what it says is durable.
  ///
  /// Nothing was recorded since they were read, but what the merge appended.
  mutating func didMerge(head: UInt64, acknowledged: UInt64) {
    walked.head = head
    walked.acknowledged = acknowledged
  }
}

extension PendingCommits {
  /// Those that must be folded again where some entities have become different: all that change any of them, or
  /// anything that another one of these changes. Oldest first.
  ///
  /// - Parameter rules: of a kind whose entities lie in each other, one counts as all.
  func depending(on keys: some Sequence<Merging.EntityKey>, _ rules: MergeRules) -> [Entry] {
    var found: Set<UInt64> = []
    var seen: Set<Merging.EntityKey> = []
    var seenKinds: Set<EntityKind> = []
    var waiting = Array(keys)
    while let key = waiting.popLast() {
      guard seen.insert(key).inserted else { continue }
      if rules.kinds[key.kind]?.parent != nil, seenKinds.insert(key.kind).inserted {
        waiting += touched.keys.filter { $0.kind == key.kind }
      }
      for number in touched[key]?.numbers ?? [] where found.insert(number).inserted {
        waiting += entry(number).commit.changes.map(\.key)
      }
    }
    return found.sorted().map { entry($0) }
  }

  private func entry(_ number: UInt64) -> Entry {
    list[first + Int(number - walked.number) - 1]
  }
}

/// How much of the journal was walked through, and what it was then.
private struct Walked: Sendable {
  /// Which journal it is: an erasure writes another one.
  let generation: UInt32
  /// The last commit that was walked through.
  var head: UInt64
  /// The last that the consumer has acknowledged.
  var acknowledged: UInt64
  /// The number of the last own commit that the log has.
  var number: UInt64

  init(_ side: SideValues<some MergeSource>) throws {
    generation = side.source.generation
    head = try side.source.head
    acknowledged = try side.source.acknowledged
    number = try side.acknowledgedNumber
  }
}

/// The pending commits of a replica as they were read last, for whoever comes next.
final class PendingMemory: Sendable {
  private let last = Mutex<PendingCommits?>(nil)

  /// The pending commits as of now: what was read last is taken out and brought up, or all are read.
  func take(_ side: SideValues<some MergeSource>) throws -> PendingCommits {
    if var known = last.withLock({ $0.take() }), try known.follow(side) { return known }
    return try PendingCommits(side)
  }

  /// Keeps them for the next one. Only what is durable may be put back.
  func put(_ pending: PendingCommits) { last.withLock { $0 = pending } }
}

extension JournalChange {
  fileprivate var hasErasedProperty: Bool { properties.contains(where: \.isErased) }

  /// The record before the change, by the record after it.
  ///
  /// - Throws: `DecodingFault` where that is damaged.
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
