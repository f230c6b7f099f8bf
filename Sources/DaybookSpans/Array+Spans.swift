// Swift's own `Array.span` and `Array.mutableSpan` are there from macOS 26 and iOS 26 on, as arrays of objects
// may be Foundation's. Arrays of plain values never are: their elements lie in a row wherever Swift runs.
extension Array where Element: BitwiseCopyable {
  /// The elements in place, for as long as the array is borrowed; taken before Swift's own, which is less
  /// constrained.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  package var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
      let span = unsafe Span(_unsafeElements: elements)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Gives the elements to `body`, in place, to be changed.
  ///
  /// A closure it is, unlike Swift's `mutableSpan`: the array has to hear when the changes end.
  /// - Complexity: O(1), and O(`count`) where the array shares its elements with another.
  @inlinable
  @inline(__always)
  package mutating func withMutableSpan<Result, Failure: Error>(
    _ body: (inout MutableSpan<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeMutableBufferPointer { (elements) throws(Failure) -> Result in
      var span = unsafe MutableSpan(_unsafeElements: elements)
      return try body(&span)
    }
  }
}
