/// A list of figures, such as one per currency: a part of the longer list of everything that the same
/// query answered, which it shares instead of having a copy.
///
/// It counts from 0 like an array, and compares and prints like one; `Array(list)` makes one.
public struct FigureList<Figure: Hashable & Sendable>: RandomAccessCollection, Hashable, Sendable {
  private let shared: [Figure]
  private let start: Int

  /// The number of figures, which is the index past the last.
  public let endIndex: Int

  /// 0.
  public var startIndex: Int { 0 }

  /// A list of its own.
  public init(_ figures: some Sequence<Figure>) {
    shared = Array(figures)
    start = 0
    endIndex = shared.count
  }

  /// A part of what is shared.
  init(_ part: Range<Int>, of shared: [Figure]) {
    self.shared = shared
    start = part.lowerBound
    endIndex = part.count
  }

  /// The figure at a position from 0.
  ///
  /// - Precondition: `index` is one of the list's.
  public subscript(index: Int) -> Figure {
    precondition(index >= 0 && index < endIndex, "a figure is asked for that is not in its list")
    return shared[start + index]
  }

  /// Whether the figures are equal one by one.
  public static func == (left: FigureList, right: FigureList) -> Bool {
    left.elementsEqual(right)
  }

  /// Hashes the figures one by one.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for figure in self { hasher.combine(figure) }
  }
}

extension FigureList: ExpressibleByArrayLiteral {
  /// A list of its own.
  public init(arrayLiteral elements: Figure...) { self.init(elements) }
}

extension FigureList: CustomStringConvertible {
  /// The figures as an array prints them.
  public var description: String { Array(self).description }
}
