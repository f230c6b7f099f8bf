import Entities

/// A text that is looked for in others; see ``SearchFolding`` for when it is found.
public struct SearchTerm: Sendable {
  /// What is looked for, folded.
  public let scalars: [UInt32]

  /// A term that is found where the text's scalars are, folded.
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
