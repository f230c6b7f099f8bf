package import Entities

/// Decides that an entity keeps no personal text: descriptions, payees, notes and tags go, a name
/// becomes one that says nothing, and the row of a file is no longer known as one.
///
/// What was erased from history cannot be told from what stands in the change itself, so a name takes
/// two steps: one before the erasure, which takes the old name away, and one after it.
///
/// - Parameter isSettled: whether this is the step after the erasure.
/// - Throws: `Refusal` with the code `limit` where the kind has no personal text to be erased.
package func erase(
  _ kind: EntityKind, _ id: EntityID, isSettled: Bool, on state: inout some BookkeepingState
) throws(Refusal) {
  guard let description = KindDescription.of(kind), !description.personalTags.isEmpty else {
    throw Refusal(.value, "a \(kind.name) has no personal text to erase", [id])
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
  /// The properties that go when an entity of this kind is erased.
  package var erasedTags: Set<UInt8> {
    var tags = Set(personalTags)
    // An import is recognised by what its rows said: an erased row is known no more.
    if kind == .transaction { tags.insert(Tag.Transaction.importMark) }
    return tags
  }

  /// The name of an entity whose text was erased; while that is not complete, another one.
  static func erasedName(of id: EntityID, isSettled: Bool) -> [UInt8] {
    Array("\(isSettled ? "Erased" : "Erasing") \(id.description.suffix(8))".utf8)
  }

  /// A record without personal text; a name becomes one that says nothing.
  ///
  /// - Parameter isSettled: whether this is the step after the erasure: text that stands there by now stays.
  /// - Throws: `DecodingFault` where the record is damaged.
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
  /// Whether it completed the erasure of an entity's text: the name before it is only a placeholder.
  var completesErasure: Bool {
    guard let tag = KindDescription.of(kind)?.nameTag else { return false }
    let unsettled = KindDescription.erasedName(of: id, isSettled: false)
    return properties.contains { $0.tag == tag && $0.before == unsettled }
  }
}
