internal import Entities
internal import Journal

/// Has the current entities from the journal by sorting, one after the other, instead of by looking each
/// change's entity up.
///
/// What was purged stands in the baseline, in the order of numbers, and comes first.
///
/// Recording numbers make it cheap: insertions stand in the journal in the order of their numbers,
/// so only the later changes (amendments, deletions, insertions that bring back something deleted)
/// need sorting. Two passes: the first gathers the later changes, sorted by number and age; the
/// second walks through the insertions, folds into each its later changes, and hands on the result
/// where something is left. Memory is bounded by the sorters' runs, whatever the length of the journal.
struct StateReplay {
  /// Where runs that are put aside go.
  let folder: String
  let through: UInt64
  /// Hears how far it is; what it throws ends the work.
  let progress: (Double) throws -> Void

  private enum Later: UInt8 {
    case update = 0
    case delete = 1
    case insert = 2
  }

  /// Gives every entity that is there after the last commit to `body`, those of a kind nearly in the order
  /// of their numbers.
  func forEachEntity(
    _ reading: borrowing JournalReading,
    _ emit: (EntityKind, EntityID, UInt64, Record) throws -> Void
  ) throws {
    let later = try gatherLaterChanges(reading)
    for sorter in later { try sorter?.startDraining() }
    try forEachFirstInsertion(reading) { kind, id, number, span in
      if let later = later[Int(kind.rawValue)] {
        // Entities whose number was given out of turn have all their changes among the later ones.
        while let found = StateReplay.number(of: later.head), found < number {
          if let (id, record) = try settle(nil, found, later) { try emit(kind, id, found, record) }
        }
      }
      let inserted = Record(bytes: span.copied())
      guard let later = later[Int(kind.rawValue)], StateReplay.number(of: later.head) == number
      else {
        return try emit(kind, id, number, inserted)
      }
      if let (id, record) = try settle((id, inserted), number, later) {
        try emit(kind, id, number, record)
      }
    }
    for (index, later) in later.enumerated() {
      guard let later else { continue }
      let kind = EntityKind(rawValue: UInt8(index))
      while let found = StateReplay.number(of: later.head) {
        if let (id, record) = try settle(nil, found, later) { try emit(kind, id, found, record) }
      }
    }
  }

  /// The recording number that a key of later changes begins with.
  private static func number(of key: TableKey?) -> UInt64? { key.map { $0.word0 >> 24 } }

  /// The entity after all its later changes, or `nil` where it was deleted.
  private func settle(
    _ inserted: (EntityID, Record)?, _ number: UInt64, _ later: TableSorter
  ) throws -> (EntityID, Record)? {
    var entity = inserted
    while StateReplay.number(of: later.head) == number {
      try later.withValue { value in
        var reader = ByteReader(value)
        let operation = Later(rawValue: try reader.u8())
        let id = try reader.id()
        let body = value.extracting(reader.offset..<value.byteCount)
        switch operation {
        case .update:
          let current = entity?.1 ?? Record()
          entity = (
            id, try RecordFold.fold(RecordFold.decode(body), into: current.bytes.span.bytes)
          )
        case .insert:
          entity = (id, Record(bytes: body.copied()))
        case .delete, nil:
          entity = nil
        }
      }
      try later.advance()
    }
    return entity
  }

  /// Calls `body` with every entity of the baseline and every later insertion whose number is new, the
  /// numbers of each kind ascending.
  private func forEachFirstInsertion(
    _ reading: borrowing JournalReading,
    _ body: (EntityKind, EntityID, UInt64, RawSpan) throws -> Void
  ) throws {
    try reading.forEachBaselineEntity { kind, number, id, record in
      try body(kind, id, number, record.span.bytes)
    }
    var greatest = try greatestNumbers(reading)
    try reading.forEachCommit(through: through) { commit in
      try commit.forEachChange { change in
        guard change.operation == .insert, change.number > greatest[Int(change.kind.rawValue)]
        else { return true }
        greatest[Int(change.kind.rawValue)] = change.number
        if change.isLongForm {
          let record = try RecordFold.fold(
            change.steps(), into: Record().bytes.span.bytes)
          try body(change.kind, change.id, change.number, record.bytes.span.bytes)
        } else {
          try body(change.kind, change.id, change.number, change.encodedProperties)
        }
        return true
      }
      try report(commit.sequence, half: 1)
      return true
    }
  }

  /// Up to which numbers insertions are not new.
  private func greatestNumbers(_ reading: borrowing JournalReading) throws -> [UInt64] {
    var greatest = [UInt64](repeating: 0, count: 256)
    for (kind, number) in try reading.purgedNumbers { greatest[Int(kind)] = number }
    return greatest
  }

  /// - Returns: The later changes of each kind that has any, by the kind's number.
  private func gatherLaterChanges(
    _ reading: borrowing JournalReading
  ) throws -> [TableSorter?] {
    var sorters = [TableSorter?](repeating: nil, count: 256)
    var greatest = try greatestNumbers(reading)
    var ordinal: UInt64 = 0
    try reading.forEachCommit(through: through) { commit in
      try commit.forEachChange { change in
        let kind = Int(change.kind.rawValue)
        if change.operation == .insert, change.number > greatest[kind] {
          greatest[kind] = change.number
          return true
        }
        var value = ByteWriter(reserving: 128)
        switch change.operation {
        case .update:
          value.u8(Later.update.rawValue)
          value.id(change.id)
          value.raw(RecordFold.encode(try change.steps()))
        case .delete:
          value.u8(Later.delete.rawValue)
          value.id(change.id)
        case .insert:
          value.u8(Later.insert.rawValue)
          value.id(change.id)
          value.raw(try RecordFold.fold(change.steps(), into: Record().bytes.span.bytes).bytes)
        }
        var key = TableKey()
        key.append(u40: change.number)
        key.append(u64: ordinal)
        ordinal += 1
        let sorter = sorters[kind] ?? TableSorter(.rows, folder: folder)
        sorters[kind] = sorter
        try sorter.add(key, value.bytes)
        return true
      }
      try report(commit.sequence, half: 0)
      return true
    }
    return sorters
  }

  private func report(_ sequence: UInt64, half: Double) throws {
    guard sequence & 0xff == 0, through > 0 else { return }
    try progress((half + Double(sequence) / Double(through)) / 2)
  }
}

extension ChangeView {
  /// What the change makes of the properties it names.
  func steps() throws(DecodingFault) -> [RecordFold.Step] {
    try properties().map { RecordFold.Step(tag: $0.tag, after: $0.after) }
  }
}
