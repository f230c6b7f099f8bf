// Swift's own `Array.span` and `Array.mutableSpan` require macOS 26 or iOS 26, because an array of
// objects may be bridged from Foundation. Arrays of plain values never are: their elements are
// always contiguous.
extension Array where Element: BitwiseCopyable {
  /// The elements, in place, for as long as the array is borrowed.
  ///
  /// This property is preferred to Swift's own, which has fewer constraints.
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

  /// Calls `body` with the elements, which it can change in place.
  ///
  /// Unlike Swift's `mutableSpan`, this is a method with a closure, because the array must be
  /// notified when the changes end.
  /// - Complexity: O(1), or O(`count`) if the array shares its elements with another array.
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
