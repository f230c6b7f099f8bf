import Entities
import Journal
import Merging
import Projecting

/// Reads own commits from the journal, newest first, and what stood before them.
///
/// The journal keeps of an amendment only what differs. So the records before and after are had by walking back
/// from what is now, through everything that was committed here.
struct PendingWalk<Source: MergeSource> {
  private let side: SideValues<Source>
  private let names: OwnNames
  private let bases: [(from: UInt64, position: UInt64)]
  private var now: [Merging.EntityKey: Record?] = [:]

  /// What was found, newest first.
  private(set) var found: [PendingCommits.Entry] = []
  /// What stood before the oldest of them that changes an entity.
  private(set) var before: [Merging.EntityKey: Record?] = [:]
  /// Whether nothing was erased of what was walked through.
  private(set) var isExact = true

  /// Walks back from now to what follows a commit.
  ///
  /// - Parameter names: under which names this copy has recorded.
  init(_ side: SideValues<Source>, names: OwnNames, after sequence: UInt64) throws {
    self.side = side
    self.names = names
    bases = try side.bases
    try side.source.forEachCommit(after: sequence, through: nil, reversed: true) { view in
      try take(try view.copied())
      return true
    }
  }

  private mutating func take(_ commit: Commit) throws {
    if commit.header.isErased || commit.changes.contains(where: \.hasErasedProperty) {
      isExact = false
    }
    let own = names.name(of: commit.header)
    var changes: [EntityChange] = []
    for change in commit.changes.reversed() where change.kind.rawValue != 0 {
      let key = Merging.EntityKey(change.kind, change.id)
      let after: Record?
      if let known = now[key] {
        after = known
      } else {
        after = try side.source.entity(change.kind, change.id)?.record
      }
      let earlier = try change.before(after)
      now[key] = .some(earlier)
      if own == nil { continue }
      changes.append(EntityChange(key, before: earlier, after: after))
      before[key] = .some(earlier)
    }
    guard let own, !changes.isEmpty else { return }
    found.append(
      PendingCommits.Entry(
        sequence: commit.header.sequence, name: own,
        commit: ReplicaCommit(
          replica: own, number: 0,
          base: bases.last { $0.from <= commit.header.sequence }?.position ?? 0,
          clock: commit.header.wallMicroseconds,
          attributes: CommitAttribute.record(
            author: commit.header.author ?? "", source: commit.header.source),
          changes: changes.reversed())))
  }
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
