import DaybookBookkeeping
import DaybookEntities

/// The properties of a transaction that are merged together with its postings, in one register.
struct PackedRow {
  var postings: [Posting]
  /// The transaction's type as stored.
  var type: UInt8
  /// The id of the rule that chose the category; empty if a person chose it.
  var rule: [UInt8]

  private static let ruleTag = EntityKind.transaction.tag(of: "categorizedBy")

  init(postings: [Posting], type: UInt8, rule: [UInt8]) {
    self.postings = postings
    self.type = type
    self.rule = rule
  }

  /// Decodes the register's value; returns `nil` if it is damaged.
  init?(_ bytes: [UInt8]) {
    let record = Record(bytes: bytes)
    guard let packed = record[Tag.Transaction.postings],
      var postings = try? PostingsCoding.apart(packed)
    else { return nil }
    if let noted = record[Tag.Transaction.postingNotes] {
      guard let list = try? PostingNotesCoding.apart(noted) else { return nil }
      for note in list {
        guard let place = Int(exactly: note.posting), postings.indices.contains(place) else {
          return nil
        }
        postings[place].note = note.note
      }
    }
    self.postings = postings
    type = record[Tag.Transaction.type]?.first ?? TransactionType.expense.rawValue
    rule = record[Self.ruleTag] ?? []
  }

  /// The encoded value of the register.
  var bytes: [UInt8] {
    let list = SharedList(postings)
    var writer = RecordWriter()
    if type != TransactionType.expense.rawValue {
      writer.put(Tag.Transaction.type) { $0.u8(type) }
    }
    writer.put(Tag.Transaction.postings) { PostingsCoding.write(list, to: &$0) }
    if !PostingNotesCoding.isAbsent(list) {
      writer.put(Tag.Transaction.postingNotes) { PostingNotesCoding.write(list, to: &$0) }
    }
    if !rule.isEmpty { writer.put(Self.ruleTag) { $0.raw(rule) } }
    return writer.record.bytes
  }
}
