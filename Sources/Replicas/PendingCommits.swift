import Entities
import Journal
import Merging
import Projecting

/// A replica's own commits that the log does not have yet, as the others are told of them.
///
/// The journal keeps of an amendment only what differs. So the records before and after are had by walking back
/// from what is now, through everything that was committed here since.
struct PendingCommits {
  /// One of them, and its place in the journal.
  struct Entry {
    var sequence: UInt64
    var commit: ReplicaCommit
  }

  /// Oldest first.
  private(set) var entries: [Entry] = []
  /// What stood before the first of them changed it: `nil` where there was nothing.
  private(set) var before: [Merging.EntityKey: Record?] = [:]

  /// Whether the journal still has all that was recorded: where something was erased, records come out differently
  /// from what was pushed.
  private(set) var isExact = true

  /// Every entity that they change.
  var keys: Set<Merging.EntityKey> { Set(before.keys) }

  /// Reads them from the journal.
  init(_ side: SideValues<some MergeSource>) throws {
    let source = side.source
    let acknowledged = try side.acknowledgedNumber
    let bases = try side.bases
    let own = ReplicaID(rawValue: try source.replica)
    var now: [Merging.EntityKey: Record?] = [:]
    var found: [Entry] = []
    try source.forEachCommit(after: source.acknowledged, through: nil, reversed: true) { view in
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
    entries = found.reversed()
    for index in entries.indices {
      entries[index].commit.number = acknowledged + UInt64(index) + 1
    }
  }

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
  mutating func removeFirst() { entries.removeFirst() }
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
