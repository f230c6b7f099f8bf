public import Entities

extension Transaction {
  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var postings: [Posting] = []
    postings.reserveCapacity(2)
    self = try Transaction.unpacked(bytes, id: id, number: number, postings: &postings)
    self.postings.share(postings)
  }

  /// Reads a packed record: what lists are made of.
  ///
  /// The postings are added to `postings`, which the transaction is to share once it is complete.
  /// A function, because what an initializer puts together in `self` is copied once more.
  fileprivate static func unpacked(
    _ bytes: RawSpan, id: EntityID, number: UInt64, postings: inout [Posting]
  ) throws(DecodingFault) -> Transaction {
    let start = postings.count
    var day: Day?
    var type = TransactionType.expense
    var status = Status.cleared
    var description = ""
    var payee = ""
    var note = ""
    var tags: [String] = []
    var origin: TransactionOrigin?
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Transaction.day: day = try property.day()
      case Tag.Transaction.type: type = try property.code()
      case Tag.Transaction.status: status = try property.code()
      case Tag.Transaction.postings: try Self.readPostings(property.value, into: &postings)
      case Tag.Transaction.description: description = try property.text()
      case Tag.Transaction.payee: payee = try property.text()
      case Tag.Transaction.note: note = try property.text()
      case Tag.Transaction.tags: tags = try Self.tags(property.value)
      case Tag.Transaction.postingNotes:
        try Self.readNotes(property.value, of: &postings, from: start)
      default: try TransactionOrigin.read(property, into: &origin)
      }
    }
    guard let day else { throw .invalidValue("transaction without day") }
    return Transaction(
      id: TransactionID(id), number: number, day: day, type: type, status: status,
      description: description, payee: payee, note: note, tags: tags,
      postings: SharedList(pending: start..<postings.count), origin: origin?.list ?? [])
  }

  private static func readPostings(
    _ span: RawSpan, into postings: inout [Posting]
  ) throws(DecodingFault) {
    var cursor = PostingCursor(span)
    while try cursor.advance() {
      postings.append(
        Posting(
          Target(code: cursor.code, id: cursor.id), Money(cursor.units, cursor.currency)))
    }
  }

  private static func tags(_ span: RawSpan) throws(DecodingFault) -> [String] {
    var reader = ByteReader(span)
    var tags: [String] = []
    for _ in 0..<(try reader.count()) { tags.append(try reader.string()) }
    try reader.end(Tag.Transaction.tags)
    return tags
  }

  private static func readNotes(
    _ span: RawSpan, of postings: inout [Posting], from start: Int
  ) throws(DecodingFault) {
    var reader = ByteReader(span)
    for _ in 0..<(try reader.count()) {
      let index = try reader.varint()
      guard index < UInt64(postings.count - start) else {
        throw .invalidValue("note of no posting")
      }
      postings[start + Int(index)].note = try reader.string()
    }
    try reader.end(Tag.Transaction.postingNotes)
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter(reserving: 64 + 28 * postings.count + textByteCount)
    writer.put(Tag.Transaction.day, day: day)
    writer.put(Tag.Transaction.type, code: type.rawValue)
    writer.put(Tag.Transaction.status, code: status.rawValue)
    writer.put(Tag.Transaction.postings) { writer in writer.postings(postings) }
    writer.put(Tag.Transaction.description, text: description)
    writer.put(Tag.Transaction.payee, text: payee)
    writer.put(Tag.Transaction.note, text: note)
    writer.put(Tag.Transaction.tags, list: tags) { $0.string($1) }
    if postings.contains(where: { !$0.note.isEmpty }) { putNotes(&writer) }
    if let importIdentity {
      writer.put(Tag.Transaction.importState) { writer in
        let state: ImportState = importIdentity.original == nil ? .imported : .changed
        writer.u8(state.rawValue)
        if let original = importIdentity.original { writer.id(original) }
      }
      writer.put(Tag.Transaction.importReference, text: importIdentity.reference)
    }
    writer.put(Tag.Transaction.series, id: series?.rawValue)
    writer.put(Tag.Transaction.occurrence, day: occurrence)
    writer.put(Tag.Transaction.categorizedBy, id: categorizedBy?.rawValue)
    return writer.record
  }

  private var textByteCount: Int {
    description.utf8.count + payee.utf8.count + note.utf8.count
  }

  private func putNotes(_ writer: inout RecordWriter) {
    let noted = postings.indices.filter { !postings[$0].note.isEmpty }
    writer.put(Tag.Transaction.postingNotes, list: noted) { writer, index in
      writer.varint(UInt64(index))
      writer.string(postings[index].note)
    }
  }
}

/// A page of transactions while it is made: all share one list of postings.
package struct TransactionPage {
  private var rows: [Transaction] = []
  private var postings: [Posting] = []

  /// An empty page that has room for so many transactions, up to a thousand.
  package init(reserving count: Int) {
    let count = min(max(count, 0), 1_000)
    rows.reserveCapacity(count)
    postings.reserveCapacity(2 * count)
  }

  /// How many transactions were added.
  package var count: Int { rows.count }

  /// Adds a transaction by its packed record.
  package mutating func append(
    _ record: RawSpan, id: EntityID, number: UInt64
  ) throws(DecodingFault) {
    rows.append(try Transaction.unpacked(record, id: id, number: number, postings: &postings))
  }

  /// The transactions in the order that they were added.
  package consuming func finish() -> [Transaction] {
    for index in rows.indices { rows[index].postings.share(postings) }
    return rows
  }
}

extension TransactionOrigin {
  /// Reads one of the properties that few transactions have.
  fileprivate static func read(
    _ property: borrowing Property, into origin: inout TransactionOrigin?
  ) throws(DecodingFault) {
    var found = origin ?? TransactionOrigin()
    try found.read(property)
    origin = found
  }

  private mutating func read(_ property: borrowing Property) throws(DecodingFault) {
    switch property.tag {
    case Tag.Transaction.importState:
      var value = ByteReader(property.value)
      let state: ImportState = try value.code()
      importIdentity = ImportIdentity(original: state == .changed ? try value.id() : nil)
      try value.end(property.tag)
    case Tag.Transaction.importReference:
      guard importIdentity != nil else { throw .invalidValue("import reference without state") }
      importIdentity?.reference = try property.text()
    case Tag.Transaction.series: series = SeriesID(try property.id())
    case Tag.Transaction.occurrence: occurrence = try property.day()
    case Tag.Transaction.categorizedBy: categorizedBy = RuleID(try property.id())
    default: throw property.unknown
    }
  }
}

private enum ImportState: UInt8 {
  case imported = 1
  case changed = 2
}

extension ByteWriter {
  /// Postings as `Tag.Transaction.postings` documents them.
  fileprivate mutating func postings(_ postings: SharedList<Posting>) {
    var last = Currency(packed: 0)
    for posting in postings {
      let (code, id) = posting.target.coded
      let isSame = posting.amount.currency == last
      u8(code.rawValue | (isSame ? 8 : 0))
      if code.rawValue < 2 { self.id(id) }
      zigzag(posting.amount.minorUnits)
      if !isSame {
        last = posting.amount.currency
        currency(last)
      }
    }
  }
}
