import DaybookEntities

/// A text to search for; see ``SearchFolding`` for how texts are compared.
public struct SearchTerm: Sendable {
  /// The folded scalars of the term.
  public let scalars: [UInt32]

  /// Creates a term from a text, which is folded.
  public init(_ text: String) {
    var folding = SearchFolding()
    folding.fold(text)
    scalars = folding.scalars
  }

  /// Whether the folded term is empty.
  public var isEmpty: Bool { scalars.isEmpty }

  /// Whether a text contains the term.
  public func matches(_ text: String) -> Bool {
    var folding = SearchFolding()
    folding.fold(text)
    return matches(folding)
  }

  /// Whether the last folded text contains the term.
  public func matches(_ folding: SearchFolding) -> Bool {
    place(in: folding.scalars, from: 0) != nil
  }

  /// The ranges in a text that match the term, in order and without overlaps.
  ///
  /// A range includes marks and skin tone modifiers that follow its last letter.
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
      // Skip a match that starts within a scalar which the previous match already covers.
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

extension SearchTerm {
  /// Whether two texts are similar: one is empty, one contains the other, or they share at least
  /// half of all their distinct words.
  package func isSimilar(to other: SearchTerm) -> Bool {
    if isEmpty || other.isEmpty { return true }
    if scalars.contains(other.scalars) || other.scalars.contains(scalars) { return true }
    let mine = Set(scalars.split(separator: 0x20))
    let theirs = Set(other.scalars.split(separator: 0x20))
    return mine.intersection(theirs).count * 2 >= mine.union(theirs).count
  }
}
