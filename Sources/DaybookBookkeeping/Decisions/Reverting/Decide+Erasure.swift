package import DaybookEntities

/// Decides the erasure of an entity's personal text from its current record.
///
/// Descriptions, payees, notes and tags are removed, a name is replaced by a placeholder, and an
/// imported row is no longer recognised by imports.
///
/// Erasing a name takes two steps, because erasing history also erases the change that replaces the
/// name: a temporary name is set before the erasure, and the final placeholder after it.
///
/// - Parameter isSettled: Whether this is the step after the erasure of history.
/// - Throws: `Refusal` with the code `value` if the kind has no personal text.
package func erase(
  _ kind: EntityKind, _ id: EntityID, isSettled: Bool, on state: inout some BookkeepingState
) throws(Refusal) {
  guard let description = KindDescription.of(kind), !description.personalTags.isEmpty else {
    throw Refusal(.value, "no \(kind.noun) has personal text to erase", [id])
  }
  guard let (record, number) = try reading({ try state.record(kind, id) }) else { return }
  if kind == .transaction, !isSettled {
    let row = try reading { try Transaction(record: record, id: id, number: number) }
    if let original = row.importIdentity?.original, !row.isOfFile {
      try state.count(original, of: row.importIdentity, changed: -1)
    }
  }
  let erased: Record
  do {
    erased = try description.erased(record, id, isSettled: isSettled)
  } catch {
    throw Refusal(state: error)
  }
  try state.emit(kind, id, number: number, record, erased)
}

extension KindDescription {
  /// The properties that are removed when an entity of this kind is erased.
  package var erasedTags: Set<UInt8> {
    var tags = Set(personalTags)
    // Imports recognise rows by their text, so an erased row is no longer recognised.
    if kind == .transaction { tags.insert(Tag.Transaction.importMark) }
    return tags
  }

  /// The placeholder name of an erased entity; until the erasure is complete, a temporary name.
  static func erasedName(of id: EntityID, isSettled: Bool) -> [UInt8] {
    Array("\(isSettled ? "Erased" : "Erasing") \(id.description.suffix(8))".utf8)
  }

  /// Returns a record without personal text and with a placeholder name.
  ///
  /// - Parameter isSettled: Whether this is the step after the erasure, which keeps text written
  ///   since then.
  /// - Throws: `DecodingFault` if the record is damaged.
  package func erased(
    _ record: Record, _ id: EntityID, isSettled: Bool
  ) throws(DecodingFault) -> Record {
    var values: [UInt8: [UInt8]] = [:]
    var reader = RecordReader(record.bytes.span.bytes)
    let goes = isSettled ? [] : erasedTags
    while let property = try reader.next() {
      if !goes.contains(property.tag) { values[property.tag] = property.value.copied() }
    }
    if let nameTag {
      values[nameTag] = Self.erasedName(of: id, isSettled: isSettled)
    }
    var writer = RecordWriter(reserving: record.bytes.count)
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.put(tag) { $0.raw(value) }
    }
    return writer.record
  }
}

extension JournalChange {
  /// Whether the change completed an erasure, so that the name before it is only a placeholder.
  var completesErasure: Bool {
    guard let tag = KindDescription.of(kind)?.nameTag else { return false }
    let unsettled = KindDescription.erasedName(of: id, isSettled: false)
    return properties.contains { $0.tag == tag && $0.before == unsettled }
  }
}
