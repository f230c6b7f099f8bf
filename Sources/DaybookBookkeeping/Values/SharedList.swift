/// A list that can be a slice of a longer list and share its memory.
///
/// For example, the transactions of a page share one allocation for all their postings instead of
/// having one each. The list behaves like an array: its indices start at 0, it has an array's
/// equality and description, and it copies its elements when it is changed. Use `Array(list)` to
/// get an array.
public struct SharedList<Element: Hashable & Sendable>: Sendable {
  @usableFromInline var shared: [Element]
  @usableFromInline var offset: Int32
  @usableFromInline var size: Int32

  /// Creates a list that shares a part of an array.
  ///
  /// - Precondition: `part` is within `shared`.
  @inlinable
  package init(_ part: Range<Int>, of shared: [Element]) {
    precondition(part.upperBound <= shared.count, "the part is outside the shared array")
    self.shared = shared
    offset = Int32(part.lowerBound)
    size = Int32(part.count)
  }

  /// Sets the array that a pending list is part of.
  ///
  /// - Precondition: The list's part is within `shared`.
  @inlinable
  package mutating func share(_ shared: [Element]) {
    precondition(endIndex + Int(offset) <= shared.count, "a list is shared before it is complete")
    self.shared = shared
  }

  /// Creates a list that will be part of an array that is still being built; see ``share(_:)``.
  @inlinable
  package init(pending part: Range<Int>) {
    shared = []
    offset = Int32(part.lowerBound)
    size = Int32(part.count)
  }

  /// Copies the elements if the list shares memory with others.
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

  /// Creates a list with its own memory.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    shared = Array(elements)
    offset = 0
    size = Int32(shared.count)
  }

  /// Always 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of elements, which is the index after the last one.
  @inlinable
  public var endIndex: Int { Int(size) }

  /// The element at an index from 0.
  ///
  /// - Precondition: `index` is within the list.
  @inlinable
  public subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < Int(size), "index out of range")
      return shared[Int(offset) + index]
    }
    set {
      precondition(index >= 0 && index < Int(size), "index out of range")
      separate()
      shared[index] = newValue
    }
  }

  /// Replaces the elements in a range.
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
  /// Whether the lists have equal elements in the same order.
  @inlinable
  public static func == (left: SharedList, right: SharedList) -> Bool {
    left.elementsEqual(right)
  }

  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension SharedList: ExpressibleByArrayLiteral {
  /// Creates a list with its own memory.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension SharedList: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements, printed like an array.
  public var description: String { Array(self).description }
  /// The elements, printed like an array.
  public var debugDescription: String { Array(self).debugDescription }
}
