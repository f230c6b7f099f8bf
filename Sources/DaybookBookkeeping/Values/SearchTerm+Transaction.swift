import DaybookEntities

extension SearchFolding {
  /// Folds the texts of a packed transaction one by one and calls `body` until it returns `false`.
  ///
  /// The texts are the description, payee, note, tags and notes of postings. `body` receives the
  /// folding of each text.
  ///
  /// - Throws: `DecodingFault` if the record is damaged, and any error that `body` throws.
  public mutating func forEachText(
    ofTransaction record: RawSpan, _ body: (SearchFolding) throws -> Bool
  ) throws {
    var reader = RecordReader(record)
    while let property = try reader.next() {
      switch property.tag {
      case Tag.Transaction.description, Tag.Transaction.payee, Tag.Transaction.note:
        try fold(property.value)
        if try !body(self) { return }
      case Tag.Transaction.tags:
        var list = ByteReader(property.value)
        for _ in 0..<(try list.count()) {
          let length = try list.count()
          try fold(list.raw(length))
          if try !body(self) { return }
        }
      case Tag.Transaction.postingNotes:
        var list = ByteReader(property.value)
        for _ in 0..<(try list.count()) {
          _ = try list.varint()
          let length = try list.count()
          try fold(list.raw(length))
          if try !body(self) { return }
        }
      default: continue
      }
    }
  }

  fileprivate mutating func fold(_ bytes: RawSpan) throws {
    if foldASCII(bytes) { return }
    var reader = ByteReader(bytes)
    fold(try reader.text(bytes.byteCount))
  }
}

extension SearchTerm {
  /// Whether any text of a packed transaction contains the term.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  public func matches(transaction record: RawSpan, with folding: inout SearchFolding) throws -> Bool
  {
    var isFound = false
    try folding.forEachText(ofTransaction: record) { folded in
      isFound = matches(folded)
      return !isFound
    }
    return isFound
  }

  /// Whether the payee of a packed transaction contains the term, or equals it if `whole`.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  public func matches(
    payeeOf record: RawSpan, whole: Bool, with folding: inout SearchFolding
  ) throws -> Bool {
    var reader = RecordReader(record)
    while let property = try reader.next() {
      guard property.tag == Tag.Transaction.payee else { continue }
      try folding.fold(property.value)
      return whole ? folding.scalars == scalars : matches(folding)
    }
    return scalars.isEmpty
  }

  /// Whether the term is a tag of a packed transaction.
  ///
  /// - Throws: `DecodingFault` if the record is damaged.
  public func isTag(of record: RawSpan, with folding: inout SearchFolding) throws -> Bool {
    var reader = RecordReader(record)
    while let property = try reader.next() {
      guard property.tag == Tag.Transaction.tags else { continue }
      var list = ByteReader(property.value)
      for _ in 0..<(try list.count()) {
        let length = try list.count()
        try folding.fold(list.raw(length))
        if folding.scalars == scalars { return true }
      }
      return false
    }
    return false
  }
}
