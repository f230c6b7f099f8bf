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
    throw Refusal(.value, "a \(kind.name) has no personal text that could be erased", [id])
  }
  guard let (record, number) = try reading({ try state.record(kind, id) }) else { return }
  var goes = Set(description.personalTags)
  if kind == .transaction {
    // An import is recognised by what its rows said: this one is known no more.
    goes.insert(Tag.Transaction.importMark)
    let row = try reading { try Transaction(record: record, id: id, number: number) }
    if !isSettled, let original = row.importIdentity?.original, !row.isOfFile {
      try state.count(original, of: row.importIdentity, changed: -1)
    }
  }
  var writer = RecordWriter(reserving: record.bytes.count)
  let name = description.nameTag
  do {
    var reader = RecordReader(record.bytes.span.bytes)
    if let name {
      let text = "\(isSettled ? "Erased" : "Erasing") \(id.description.suffix(8))"
      writer.put(name, text: text)
    }
    while let property = try reader.next() {
      if isSettled ? property.tag == name : goes.contains(property.tag) { continue }
      let value = property.value
      writer.put(property.tag) { $0.raw(value.copied()) }
    }
  } catch {
    throw Refusal(state: error)
  }
  try state.emit(kind, id, number: number, record, writer.record)
}
