internal import DaybookEntities
internal import DaybookJournal

/// Reads the current entities from the journal by sorting changes instead of looking up each
/// entity.
///
/// Purged entities are in the baseline, ordered by number, and come first.
///
/// Recording numbers keep the sort cheap. Insertions are in the journal in the order of their
/// numbers, so only later changes must be sorted: amendments, deletions, and insertions that
/// restore a deleted entity. The first of two passes collects the later changes, sorted by number
/// and age. The second pass reads the insertions, folds the later changes into each entity, and
/// emits the entity unless it was deleted. The size of the sorters' runs limits the memory,
/// regardless of the journal's length.
struct StateReplay {
  /// The folder for the sorters' temporary files.
  let folder: String
  let through: UInt64
  /// Called with the completed fraction, from 0 to 1; if it throws, the work ends with that error.
  let progress: (Double) throws -> Void

  private enum Later: UInt8 {
    case update = 0
    case delete = 1
    case insert = 2
  }

  /// Calls `body` with every entity that exists after the last commit.
  ///
  /// The entities of a kind are roughly in the order of their numbers.
  func forEachEntity(
    _ reading: borrowing JournalReading,
    _ emit: (EntityKind, EntityID, UInt64, Record) throws -> Void
  ) throws {
    let later = try gatherLaterChanges(reading)
    for sorter in later { try sorter?.startDraining() }
    try forEachFirstInsertion(reading) { kind, id, number, span in
      if let later = later[Int(kind.rawValue)] {
        // If an entity's number was assigned out of order, all of the entity's changes are in
        // `later`.
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

  /// Returns the recording number at the start of a later change's key.
  private static func number(of key: TableKey?) -> UInt64? { key.map { $0.word0 >> 24 } }

  /// Returns the entity with all its later changes applied, or `nil` if it was deleted.
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

  /// Calls `body` with every entity of the baseline, and then with every insertion of a new number.
  ///
  /// The numbers of each kind are ascending.
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

  /// Returns the greatest purged number of each kind; an insertion with a number up to that one
  /// isn't new.
  private func greatestNumbers(_ reading: borrowing JournalReading) throws -> [UInt64] {
    var greatest = [UInt64](repeating: 0, count: 256)
    for (kind, number) in try reading.purgedNumbers { greatest[Int(kind)] = number }
    return greatest
  }

  /// Collects the changes other than first insertions.
  ///
  /// - Returns: The sorted later changes of each kind, or `nil` if it has none, indexed by the
  ///   kind's number.
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
  /// Returns the new values of the changed properties.
  func steps() throws(DecodingFault) -> [RecordFold.Step] {
    try properties().map { RecordFold.Step(tag: $0.tag, after: $0.after) }
  }
}
