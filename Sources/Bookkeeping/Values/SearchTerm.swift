import Entities

/// A text that is looked for in others; see ``SearchFolding`` for when it is found.
public struct SearchTerm: Sendable {
  /// What is looked for, folded.
  public let scalars: [UInt32]

  /// A term.
  public init(_ text: String) {
    var folding = SearchFolding()
    folding.fold(text)
    scalars = folding.scalars
  }

  /// Whether there is nothing to look for.
  public var isEmpty: Bool { scalars.isEmpty }

  /// Whether another text holds this one.
  public func isIn(_ text: String) -> Bool {
    var folding = SearchFolding()
    folding.fold(text)
    return isIn(folding)
  }

  /// Whether the text that was folded last holds this one.
  public func isIn(_ folding: SearchFolding) -> Bool {
    place(in: folding.scalars, from: 0) != nil
  }

  /// Where a text holds this one: ranges that do not overlap, in order.
  ///
  /// Marks, and colours of skin, that belong to the last letter of a place are part of it.
  ///
  /// - Complexity: O(text).
  public func ranges(in text: String) -> [Range<String.Index>] {
    if isEmpty { return [] }
    var folding = SearchFolding()
    let origins = folding.foldTracing(text)
    let indices = Array(text.unicodeScalars.indices)
    var ranges: [Range<String.Index>] = []
    var start = 0
    while let place = place(in: folding.scalars, from: start) {
      let origin = origins[place..<place + scalars.count]
      start = place + scalars.count
      guard let first = origin.min(), let last = origin.max() else { continue }
      // A scalar of which an earlier place has a part is not begun again.
      if let before = ranges.last, indices[first] < before.upperBound { continue }
      var end = last + 1
      while end < indices.count, SearchTerm.belongsToOneBefore(text.unicodeScalars[indices[end]]) {
        end += 1
      }
      ranges.append(indices[first]..<(end < indices.count ? indices[end] : text.endIndex))
    }
    return ranges
  }

  private static func belongsToOneBefore(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
  }

  private func place(in text: [UInt32], from start: Int) -> Int? {
    let last = text.count - scalars.count
    guard last >= start, let first = scalars.first else { return nil }
    for place in start...last where text[place] == first {
      var length = 1
      while length < scalars.count, text[place + length] == scalars[length] { length += 1 }
      if length == scalars.count { return place }
    }
    return nil
  }
}

// MARK: Transactions

extension SearchFolding {
  /// Folds every text of a packed transaction in turn (description, payee, note, tags, notes of
  /// postings), and gives itself to `body` after each until that returns false.
  ///
  /// - Throws: `DecodingFault` where the record is damaged, and what `body` throws.
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

  private mutating func fold(_ bytes: RawSpan) throws {
    if foldASCII(bytes) { return }
    var reader = ByteReader(bytes)
    fold(try reader.text(bytes.byteCount))
  }
}

extension SearchTerm {
  /// Whether a text of a packed transaction holds this one.
  ///
  /// - Throws: `DecodingFault` where the record is damaged.
  public func isIn(transaction record: RawSpan, with folding: inout SearchFolding) throws -> Bool {
    var isFound = false
    try folding.forEachText(ofTransaction: record) { folded in
      isFound = isIn(folded)
      return !isFound
    }
    return isFound
  }
}
