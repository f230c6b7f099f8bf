import DaybookEntities
import DaybookLMDB

/// Folds commits into the baseline, within one transaction.
struct BaselineFolder {
  private let store: JournalStore
  private(set) var floor: Floor
  private var state: BaselineState
  private var salts = SaltSource()

  init(_ store: JournalStore, _ transaction: inout WriteTransaction) throws {
    self.store = store
    floor = try store.floor(transaction.view)
    state = try BaselineState(store, transaction.view)
  }

  /// A change to be folded into the baseline.
  private struct Step {
    var kind: UInt8
    var number: UInt64
    var id: EntityID
    var created: UInt64
    var clock: BaselineRow.Clock
    var change: JournalChange
  }

  /// Folds up to a given number of changes, and moves the floor past fully folded commits.
  mutating func fold(
    through target: UInt64, changeCountMax: Int, _ transaction: inout WriteTransaction
  ) throws {
    var reached = floor
    var folded = state.foldedCount
    var steps: [Step] = []
    var passedCount = 0
    try store.forEachCommit(
      after: floor.sequence, through: target, reversed: false, checkingKinds: true,
      transaction.view
    ) { commit in
      guard steps.count < changeCountMax, passedCount < changeCountMax else { return false }
      passedCount += 1
      let clock = BaselineRow.Clock(hlc: commit.hlc, replica: commit.replica)
      var index: UInt64 = 0
      var isWhole = true
      try commit.forEachChange { change in
        defer { index += 1 }
        if index < folded { return true }
        if steps.count >= changeCountMax {
          isWhole = false
          return false
        }
        steps.append(
          Step(
            kind: change.kind.rawValue, number: change.number, id: change.id,
            created: commit.sequence, clock: clock, change: try change.copied()))
        return true
      }
      if isWhole {
        reached = Floor(sequence: commit.sequence, link: try commit.link)
        folded = 0
      } else {
        folded = index - 1
      }
      return isWhole
    }
    try apply(steps, &transaction)
    state.foldedCount = folded
    floor = reached
    try state.put(store, into: &transaction)
    let key = JournalTables.floorKey
    try transaction.put(key, sealed(floor.bytes, under: key), in: store.tables.meta)
  }

  /// Folds the changes entity by entity, so that each row is written only once.
  private mutating func apply(_ steps: [Step], _ transaction: inout WriteTransaction) throws {
    struct Place: Hashable {
      var kind: UInt8
      var number: UInt64
    }
    var order: [Place] = []
    var byPlace: [Place: [Step]] = [:]
    for step in steps {
      let place = Place(kind: step.kind, number: step.number)
      if byPlace[place] == nil { order.append(place) }
      byPlace[place, default: []].append(step)
    }
    order.sort { ($0.kind, $0.number) < ($1.kind, $1.number) }
    let table = store.tables.baselineTable
    for place in order {
      let personal = store.schema[EntityKind(rawValue: place.kind)]?.personalTags ?? []
      let old = try table.row(place.kind, place.number, transaction.view)
      var row = old
      for step in byPlace[place] ?? [] { row = try folded(step, into: row) }
      state.greatest[place.kind] = max(state.greatest[place.kind] ?? 0, place.number)
      if let old {
        state.digest.remove(
          try old.digest(kind: place.kind, number: place.number, personal: personal))
        state.rowCount -= 1
      }
      guard var new = row else {
        try table.remove(place.kind, place.number, from: &transaction)
        continue
      }
      var salt = ByteWriter(reserving: Layout.saltByteCount)
      salts.put(into: &salt)
      // The new text needs its own salt, even if earlier text was erased.
      new.secret = .salt(salt.bytes)
      state.digest.add(try new.digest(kind: place.kind, number: place.number, personal: personal))
      state.rowCount += 1
      try table.put(new, place.kind, place.number, isNew: old == nil, into: &transaction)
    }
  }

  private func folded(_ step: Step, into old: BaselineRow?) throws -> BaselineRow? {
    let version = store.schema[EntityKind(rawValue: step.kind)]?.newestVersion ?? 1
    let change = step.change
    switch change.operation {
    case .delete: return nil
    case .insert:
      var writer = RecordWriter(reserving: 128)
      for property in change.properties {
        if let value = property.after { writer.put(property.tag) { $0.raw(value) } }
      }
      return BaselineRow(
        id: step.id, created: step.created, version: version, clock: step.clock,
        secret: .salt([]), record: writer.record.bytes)
    case .update:
      // If part of a commit is folded a second time, a change may refer to an entity that is
      // missing here, because the same commit deletes it later.
      var row =
        old
        ?? BaselineRow(
          id: step.id, created: step.created, version: version, clock: step.clock,
          secret: .salt([]), record: [])
      var values: [UInt8: [UInt8]] = [:]
      var reader = RecordReader(row.record.span.bytes)
      while let property = try reader.next() { values[property.tag] = property.value.copied() }
      for property in change.properties {
        values[property.tag] = property.after
        row.later[property.tag] = step.clock
      }
      var writer = RecordWriter(reserving: row.record.count + 64)
      for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
        writer.put(tag) { $0.raw(value) }
      }
      row.record = writer.record.bytes
      row.version = version
      return row
    }
  }
}
