/// A list that may be a part of a longer one and shares its memory: the postings of one row of a page,
/// the figures of one month of many.
///
/// A page of fifty transactions takes one allocation for all postings instead of fifty. The list is used
/// like an array: it counts from 0, compares and prints like one, and gets memory of its own as soon as
/// it is changed. `Array(list)` makes an array.
public struct SharedList<Element: Hashable & Sendable>: Sendable {
  @usableFromInline var shared: [Element]
  @usableFromInline var offset: Int32
  @usableFromInline var size: Int32

  /// A part of what is shared.
  ///
  /// - Precondition: `part` lies within `shared`.
  @inlinable
  package init(_ part: Range<Int>, of shared: [Element]) {
    precondition(part.upperBound <= shared.count, "a list's part lies outside of what it shares")
    self.shared = shared
    offset = Int32(part.lowerBound)
    size = Int32(part.count)
  }

  /// Takes the place of what the list shares so far, which the longer list replaces.
  ///
  /// - Precondition: the list's part lies within `shared`.
  @inlinable
  package mutating func share(_ shared: [Element]) {
    precondition(endIndex + Int(offset) <= shared.count, "a list is shared before it is complete")
    self.shared = shared
  }

  /// A list that is to become a part of a longer one, which is still being made; see ``share(_:)``.
  @inlinable
  package init(pending part: Range<Int>) {
    shared = []
    offset = Int32(part.lowerBound)
    size = Int32(part.count)
  }

  /// Gives the list memory of its own.
  @inlinable
  mutating func separate() {
    if Int(size) == shared.count { return }
    self = SharedList(Array(self))
  }
}

extension SharedList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// An empty list.
  @inlinable
  public init() {
    shared = []
    offset = 0
    size = 0
  }

  /// A list of its own.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    shared = Array(elements)
    offset = 0
    size = Int32(shared.count)
  }

  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of elements, which is the index past the last.
  @inlinable
  public var endIndex: Int { Int(size) }

  /// The element at a position from 0.
  ///
  /// - Precondition: `index` is one of the list's.
  @inlinable
  public subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < Int(size), "an element is asked for that is not there")
      return shared[Int(offset) + index]
    }
    set {
      precondition(index >= 0 && index < Int(size), "an element is changed that is not there")
      separate()
      shared[index] = newValue
    }
  }

  /// Puts other elements in place of a range.
  @inlinable
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    separate()
    shared.replaceSubrange(range, with: elements)
    size = Int32(shared.count)
  }
}

extension SharedList: Hashable {
  /// Whether the elements are equal one by one.
  @inlinable
  public static func == (left: SharedList, right: SharedList) -> Bool {
    left.elementsEqual(right)
  }

  /// Hashes the elements one by one.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension SharedList: ExpressibleByArrayLiteral {
  /// A list of its own.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension SharedList: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements as an array prints them.
  public var description: String { Array(self).description }
  /// The elements as an array prints them.
  public var debugDescription: String { Array(self).debugDescription }
}
