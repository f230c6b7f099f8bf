package import DaybookEntities

/// The coding of postings, stored one after the other without a count.
///
/// Each posting has a header byte (bits 0 to 2: 0 an account, 1 a category, 2 Opening, 3 Exchange,
/// 4 Outside, 5 uncategorised expense, 6 uncategorised income; bit 3: same currency as the previous
/// posting; other bits 0), an id if the code is 0 or 1, the minor units as a number, and a currency
/// unless bit 3 is set.
package struct PostingsCoding: PropertyCoding {
  @inline(__always) package static var absent: SharedList<Posting>? { SharedList() }
  @inline(__always) package static var blank: SharedList<Posting> { SharedList() }
  /// Always `false`; even an empty list is written, to distinguish it from a damaged record.
  @inline(__always) package static func isAbsent(_ value: SharedList<Posting>) -> Bool { false }

  @inline(__always)
  package static func write(_ value: SharedList<Posting>, to writer: inout ByteWriter) {
    var last = Currency(packed: 0)
    for posting in value {
      let (code, id) = posting.account.coded
      let isSame = posting.amount.currency == last
      writer.u8(code.rawValue | (isSame ? 8 : 0))
      if code.rawValue < 2 { writer.id(id) }
      writer.zigzag(posting.amount.minorUnits)
      if !isSame {
        last = posting.amount.currency
        writer.currency(last)
      }
    }
  }

  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> SharedList<Posting> {
    var cursor = PostingCursor(walk.value.span)
    while try cursor.advance() {
      walk.postings.append(
        Posting(
          PostingAccount(code: cursor.code, id: cursor.id), Money(cursor.units, cursor.currency)))
    }
    walk.value.offset = walk.value.span.byteCount
    return SharedList(pending: walk.firstPosting..<walk.postings.count)
  }

  package static func shown(_ value: SharedList<Posting>, _ bytes: RawSpan) -> PropertyValue {
    var cursor = PostingCursor(bytes)
    var postings: [Posting] = []
    while (try? cursor.advance()) == true {
      postings.append(
        Posting(
          PostingAccount(code: cursor.code, id: cursor.id), Money(cursor.units, cursor.currency)))
    }
    return .postings(postings)
  }

  package typealias Apart = [Posting]
  package static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> [Posting] {
    var walk = RecordWalk(value: bytes.span.bytes)
    _ = try read(&walk)
    return walk.postings
  }
  package static func bytes(_ apart: [Posting]) -> [UInt8] {
    var writer = ByteWriter()
    write(SharedList(apart), to: &writer)
    return writer.bytes
  }
}

/// The coding of the notes of postings: a list of (varint index of the posting, string).
///
/// The notes are a separate property, so that they can be erased. They are decoded into the
/// postings.
package struct PostingNotesCoding: PropertyCoding {
  @inline(__always) package static var absent: SharedList<Posting>? { SharedList() }
  @inline(__always) package static var blank: SharedList<Posting> { SharedList() }
  @inline(__always)
  package static func isAbsent(_ value: SharedList<Posting>) -> Bool {
    !value.contains { !$0.note.isEmpty }
  }

  package static func write(_ value: SharedList<Posting>, to writer: inout ByteWriter) {
    let noted = value.indices.filter { !value[$0].note.isEmpty }
    writer.varint(UInt64(noted.count))
    for index in noted {
      writer.varint(UInt64(index))
      writer.string(value[index].note)
    }
  }

  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> SharedList<Posting> {
    for _ in 0..<(try walk.value.count()) {
      let index = try walk.value.varint()
      guard index < UInt64(walk.postings.count - walk.firstPosting) else {
        throw .invalidValue("note of no posting")
      }
      walk.postings[walk.firstPosting + Int(index)].note = try walk.value.string()
    }
    return SharedList()
  }

  package static func value(_ bytes: RawSpan) throws(DecodingFault) -> PropertyValue {
    .texts(try apart(bytes.copied()).map(\.note))
  }

  package typealias Apart = [PostingNote]
  package static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> [PostingNote] {
    try ListCoding<PostingNote>.apart(bytes)
  }
  package static func bytes(_ apart: [PostingNote]) -> [UInt8] {
    ListCoding<PostingNote>.bytes(apart)
  }
}

/// The note of a posting, and the posting's index.
package struct PostingNote: ListElement {
  /// The index of the posting, from 0.
  package var posting: UInt64
  /// The note.
  package var note: String

  init(posting: UInt64, note: String) {
    self.posting = posting
    self.note = note
  }

  package func write(to writer: inout ByteWriter) {
    writer.varint(posting)
    writer.string(note)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    posting = try reader.varint()
    note = try reader.string()
  }
}

/// The mark of an imported row.
package struct ImportMark: Hashable, Sendable, Codable {
  /// The id of the `Fingerprint` that counts the row, if its values have changed since the import.
  package var original: EntityID?
}

/// The coding of an import mark.
///
/// Code 1 if the row has its imported values; otherwise code 2 and the id of the `Fingerprint` that
/// counts the row.
package struct ImportMarkCoding: RequiredCoding {
  @inline(__always) package static var blank: ImportMark { ImportMark() }

  @inline(__always)
  package static func write(_ value: ImportMark, to writer: inout ByteWriter) {
    writer.u8(value.original == nil ? 1 : 2)
    if let original = value.original { writer.id(original) }
  }

  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> ImportMark {
    switch try walk.value.u8() {
    case 1: return ImportMark()
    case 2: return ImportMark(original: try walk.value.id())
    default: throw .invalidValue("import mark")
    }
  }
  package static func shown(_ value: ImportMark, _ bytes: RawSpan) -> PropertyValue {
    .choice(value.original == nil ? "unchanged" : "edited")
  }
}

/// The coding of the halves of a transfer: of each one its id, its recording number and its record
/// with its byte count.
package struct HalvesCoding: DefaultedCoding {
  @inline(__always) package static var standard: [Transaction] { [] }

  package static func write(_ value: [Transaction], to writer: inout ByteWriter) {
    for half in value {
      let record = half.record().bytes
      writer.id(half.entityID)
      writer.varint(half.number)
      writer.varint(UInt64(record.count))
      writer.raw(record)
    }
  }

  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> [Transaction] {
    var halves: [Transaction] = []
    while walk.value.offset < walk.value.span.byteCount {
      let id = try walk.value.id()
      let number = try walk.value.varint()
      let count = try walk.value.count()
      let record = try walk.value.raw(count)
      let half = try Transaction(record, id: id, number: number)
      guard half.halves.isEmpty else { throw .invalidValue("halves of a half") }
      halves.append(half)
    }
    return halves
  }

  package static func shown(_ value: [Transaction], _ bytes: RawSpan) -> PropertyValue {
    .entities(value.map(\.entityID))
  }
}

extension PropertyCoding where Self == HalvesCoding {
  /// The coding of the halves of a transfer.
  @inline(__always) static var halves: Self { Self() }
}
extension PropertyCoding where Self == PostingsCoding {
  /// The coding of postings.
  @inline(__always) static var postings: Self { Self() }
}
extension PropertyCoding where Self == PostingNotesCoding {
  /// The coding of the notes of postings.
  @inline(__always) static var postingNotes: Self { Self() }
}
extension PropertyCoding where Self == ImportMarkCoding {
  /// The coding of the mark of an imported row.
  @inline(__always) static var importMark: Self { Self() }
}
