import DaybookEntities

extension JournalChange {
  /// Computes the entity's record before the change from its current record.
  ///
  /// - Parameter present: The current record, or `nil` if there is none.
  /// - Throws: `Reversal` if a later change prevents the undo.
  func undone(from present: Record?) throws -> Record? {
    if kind == .fingerprint { return try counted(present) }
    switch operation {
    case .insert:
      guard let present else { throw Reversal.gone }
      guard present == packed(\.after) else {
        throw Reversal.changed(try differing(present, from: packed(\.after)))
      }
      return nil
    case .delete:
      guard present == nil else { throw Reversal.back }
      return packed(\.before)
    case .update:
      guard let present else { throw Reversal.gone }
      return try merged(into: present)
    }
  }

  /// The entity's record after its creation or before its deletion; `nil` for other changes.
  var wholeRecord: Record? {
    switch operation {
    case .insert: packed(\.after)
    case .update: nil
    case .delete: packed(\.before)
    }
  }

  private func packed(_ side: KeyPath<PropertyChange, [UInt8]?>) -> Record {
    var writer = RecordWriter()
    for property in properties {
      guard let value = property[keyPath: side] else { continue }
      writer.put(property.tag) { $0.raw(value) }
    }
    return writer.record
  }

  private func merged(into present: Record) throws -> Record {
    var values = try JournalChange.values(of: present)
    for property in properties {
      guard values[property.tag] == property.after else { throw Reversal.changed([property.tag]) }
      values[property.tag] = property.before
    }
    return JournalChange.record(values)
  }

  /// Undoes the counts of imported rows by their difference, because later rows are counted too.
  ///
  /// Counts of zero are not stored.
  private func counted(_ present: Record?) throws -> Record? {
    var values = try present.map { try JournalChange.values(of: $0) } ?? [:]
    func number(_ bytes: [UInt8]?) throws -> Int64 {
      guard let bytes else { return 0 }
      var reader = ByteReader(bytes.span.bytes)
      return try reader.zigzag()
    }
    for property in properties {
      let difference = try number(property.before) - number(property.after)
      let sum = try number(values[property.tag]) + difference
      // A later import has already subtracted this count.
      guard sum >= 0 else { throw Reversal.changed([property.tag]) }
      var writer = ByteWriter(reserving: 10)
      writer.zigzag(sum)
      values[property.tag] = sum == 0 ? nil : writer.bytes
    }
    return values.isEmpty ? nil : JournalChange.record(values)
  }

  private func differing(_ present: Record, from old: Record) throws -> [UInt8] {
    let (now, then) = (try JournalChange.values(of: present), try JournalChange.values(of: old))
    return Set(now.keys).union(then.keys).filter { now[$0] != then[$0] }.sorted()
  }

  private static func values(of record: Record) throws -> [UInt8: [UInt8]] {
    var values: [UInt8: [UInt8]] = [:]
    var reader = RecordReader(record.bytes.span.bytes)
    while let property = try reader.next() { values[property.tag] = property.value.copied() }
    return values
  }

  private static func record(_ values: [UInt8: [UInt8]]) -> Record {
    var writer = RecordWriter()
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) { writer.put(tag) { $0.raw(value) } }
    return writer.record
  }
}

/// A later change that prevents an undo.
enum Reversal: Error {
  /// Properties have been changed since.
  case changed([UInt8])
  /// The entity has been deleted since.
  case gone
  /// The entity has been restored since.
  case back
}
