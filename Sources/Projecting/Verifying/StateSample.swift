internal import Entities
internal import Journal
internal import LMDB

/// Compares entities of State with history, without replaying it.
///
/// History is read backward. The first time that a property of an entity is met, its value after that
/// change is the newest, and must be State's; the insertion is the last to be met, and what no change has
/// named by then must not be there. What goes back behind the beginning of history must be the baseline's.
/// So what is found names the commit that brought the value.
struct StateSample {
  let views: SampledViews
  let sample: VerificationSample
  let deadline: Deadline

  private var followed: [EntityKey: Followed] = [:]
  private var hasFound = false

  /// An entity on its way back to its insertion.
  private struct Followed {
    var values: [UInt8: [UInt8]] = [:]
    var seen = TagSet()
    /// Whether all of it has been compared.
    var isSettled = false

    mutating func settle() {
      isSettled = true
      values = [:]
      seen = TagSet()
    }
  }

  init(_ views: SampledViews, _ sample: VerificationSample, _ deadline: Deadline) throws {
    self.views = views
    self.deadline = deadline
    self.sample = sample.limited(to: StateSample.entityCountMax, of: try views.entityCount())
  }

  /// So many entities are followed at the most, as each takes up memory.
  static let entityCountMax = 200_000

  mutating func run() throws {
    let isWhole = try views.open.journal.withReading { try compare($0) }
    let settled = followed.values.count { $0.isSettled }
    if isWhole, !hasFound { try compareRest() }
    let total = try views.entityCount()
    views.coverage.append(
      VerificationCoverage(
        .entities, min(settled, total), of: total, isCutShort: !isWhole && !hasFound))
  }

  /// Whether all of history and the baseline were read.
  private mutating func compare(_ reading: borrowing JournalReading) throws -> Bool {
    var isOver = false
    try reading.forEachCommit(backwardFrom: views.sequence) { commit in
      var changes: [JournalChange] = []
      try commit.forEachChange { change in
        if sample.takes(change.kind, change.id) { changes.append(try change.copied()) }
        return true
      }
      for change in changes.reversed() { try meet(change, at: commit.sequence) }
      if commit.sequence & 0xff == 0 { isOver = deadline.isOver }
      return !hasFound && !isOver
    }
    if hasFound || isOver { return false }
    var count = 0
    try reading.forEachBaselineEntity { kind, number, id, record in
      count += 1
      if count & 0xfff == 0 { isOver = isOver || deadline.isOver }
      guard !hasFound, !isOver, sample.takes(kind, id) else { return }
      try meetPurged(kind, id, number, Record(bytes: record))
    }
    return !isOver
  }

  private mutating func meet(_ change: JournalChange, at sequence: UInt64) throws {
    let key = EntityKey(change.kind, change.id)
    let name = { [views] in views.name(change.kind, change.id) }
    var entity: Followed
    if let known = followed[key] {
      entity = known
    } else {
      entity = Followed()
      let stored = try views.entity(change.kind, change.id)
      guard (stored != nil) == (change.operation != .delete) else {
        return find(
          stored == nil
            ? "the \(name()) is missing" : "the \(name()) is there, though it was deleted",
          by: sequence)
      }
      if let stored {
        guard stored.id == change.id, stored.number == change.number else {
          return find("the row of the \(name()) is another's", by: sequence)
        }
        entity.values = try stored.record.values()
      } else {
        entity.isSettled = true
      }
    }
    defer { followed[key] = entity }
    if entity.isSettled { return }
    for property in change.properties where !entity.seen.contains(property.tag) {
      entity.seen.insert(property.tag)
      guard entity.values[property.tag] == property.after else {
        return find("property \(property.tag) of the \(name()) has another value", by: sequence)
      }
    }
    guard change.operation == .insert else { return }
    if let tag = entity.values.keys.sorted().first(where: { !entity.seen.contains($0) }) {
      find("property \(tag) of the \(name()) was given by no commit", by: sequence)
    }
    entity.settle()
  }

  private mutating func meetPurged(
    _ kind: EntityKind, _ id: EntityID, _ number: UInt64, _ record: Record
  ) throws {
    let key = EntityKey(kind, id)
    var entity: Followed
    if let known = followed[key] {
      if known.isSettled { return }
      entity = known
    } else {
      guard let stored = try views.entity(kind, id), stored.number == number else {
        return find("the \(views.name(kind, id)), purged history's, is missing")
      }
      entity = Followed(values: try stored.record.values())
    }
    let values = try record.values()
    for tag in Set(values.keys).union(entity.values.keys).sorted()
    where !entity.seen.contains(tag) && values[tag] != entity.values[tag] {
      return find(
        "property \(tag) of the \(views.name(kind, id)) has another value than before the purge")
    }
    entity.settle()
    followed[key] = entity
  }

  /// What State holds and history never made.
  private mutating func compareRest() throws {
    if let (key, _) = followed.first(where: { !$0.value.isSettled }) {
      return find("the \(views.name(key.kind, key.id)) was made by no commit")
    }
    let ids = views.state.ids
    try views.read { transaction in
      try transaction.forEach(in: ids) { key, _ in
        var reader = ByteReader(key)
        let kind = EntityKind(rawValue: try reader.u8())
        let id = try reader.id()
        if sample.takes(kind, id), followed[EntityKey(kind, id)] == nil {
          find("the \(views.name(kind, id)) was made by no commit")
        }
        return !hasFound
      }
    }
  }

  private mutating func find(_ what: String, by sequence: UInt64? = nil) {
    hasFound = true
    let origin = sequence.map { ", changed last by commit \($0)" } ?? ""
    views.find("State: \(what)\(origin). Rebuild the views.", at: sequence)
  }
}
