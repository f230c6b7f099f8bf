import DaybookEntities
import DaybookMerging

/// What a log means, by the naive model or by the fold under test, in one form, so that the two can be
/// compared.
struct NaiveState: Equatable {
  /// Every entity the log speaks of.
  var entities: [EntityKey: EntityState] = [:]
  /// Every finding.
  var findings: [FindingID: Finding] = [:]
  /// What is held.
  var held: [EntityKey: [HeldChange]] = [:]
  /// Why the fold under test refused an entry, if it did.
  var refusal: String?

  /// Where two states differ, one line each; empty where they are equal.
  func differences(from other: NaiveState) -> [String] {
    var lines: [String] = []
    if refusal != other.refusal {
      lines.append("refusal \(refusal ?? "none") / \(other.refusal ?? "none")")
    }
    for key in Set(entities.keys).union(other.entities.keys).sorted()
    where entities[key] != other.entities[key] {
      lines.append("\(brief(key))\n    \(brief(entities[key]))\n    \(brief(other.entities[key]))")
    }
    for id in Set(findings.keys).union(other.findings.keys).sorted()
    where findings[id] != other.findings[id] {
      lines.append(
        "finding\n    \(brief(findings[id]))\n    \(brief(other.findings[id]))")
    }
    for key in Set(held.keys).union(other.held.keys).sorted() where held[key] != other.held[key] {
      lines.append(
        "held \(brief(key))\n    \(brief(held[key] ?? []))\n    \(brief(other.held[key] ?? []))")
    }
    return lines
  }
}

private func brief(_ held: [HeldChange]) -> String {
  held.map { change in
    "\(change.id.replica.rawValue)#\(change.id.number) \(brief(change.before)) ->"
      + " \(brief(change.after)) closed \(brief(change.closing)) last \(brief(change.last))"
  }.joined(separator: "; ")
}

/// The properties of a record by their tags.
typealias Properties = [UInt8: [UInt8]]

/// The properties of a packed record, or those up to where it is damaged.
func properties(of record: Record?) -> Properties {
  guard let record else { return [:] }
  var found: Properties = [:]
  var reader = RecordReader(record.bytes.span.bytes)
  while let property = try? reader.next() { found[property.tag] = property.value.copied() }
  return found
}

/// A record of properties.
func packed(_ properties: Properties) -> Record {
  var writer = RecordWriter()
  for (tag, value) in properties.sorted(by: { $0.key < $1.key }) {
    writer.put(tag) { $0.raw(value) }
  }
  return writer.record
}

/// An entity's key in a few letters.
func brief(_ key: EntityKey) -> String { "\(key.kind.rawValue)/\(key.id.low)" }

/// A record in a few letters.
func brief(_ record: Record?) -> String {
  guard let record else { return "nil" }
  let parts = properties(of: record).sorted { $0.key < $1.key }
    .map { "\($0.key):\(brief($0.value))" }
  return "{" + parts.joined(separator: " ") + "}"
}

private func brief(_ bytes: [UInt8]) -> String { bytes.map { "\($0)" }.joined(separator: ".") }

private func brief(_ writer: Writer?) -> String {
  guard let writer else { return "-" }
  return "@\(writer.position)(\(writer.replica.rawValue)#\(writer.number)"
    + (writer.isMade ? " made)" : ")")
}

private func brief(_ state: EntityState?) -> String {
  guard let state else { return "nothing" }
  let writers = state.writers.map { "\($0.register.rawValue)\(brief($0.writer))" }
  var text = brief(state.record)
  text += " number \(state.number)"
  if !state.isInserted { text += " not inserted" }
  if state.isDeleted { text += " deleted" }
  if state.isErased { text += " erased \(state.erasures.map { brief($0) })" }
  text += " revivals \(state.revivals.map { brief($0) })"
  text += " deletions \(state.deletions.map { brief($0) }) writers \(writers)"
  return text
}

private func brief(_ finding: Finding?) -> String {
  guard let finding else { return "nothing" }
  let id = finding.id
  let values = finding.values.map { value in
    "\(value.register.rawValue): lost \(brief(value.lost.bytes)) \(brief(value.lost.writer))"
      + " won \(brief(value.won.bytes)) \(brief(value.won.writer))"
  }
  return "\(id.replica.rawValue)#\(id.number) \(brief(id.key)) \(id.rule)"
    + (finding.asks ? " asks " : " ") + values.joined(separator: "; ")
}
