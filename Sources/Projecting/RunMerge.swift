/// Merges sorted runs of a temporary file, row by row.
struct RunMerge {
  private var readers: [SortedRunReader]
  // The reader with the least head, and the least head of the others.
  private var least = 0
  private var runnerUp: TableKey?
  /// The key at hand, or `nil` when there is no more.
  private(set) var head: TableKey?

  init(_ runs: [SortedRun], of file: SpillFile) throws {
    readers = try runs.map { try SortedRunReader($0, of: file) }.filter { !$0.isAtEnd }
    findLeast()
  }

  /// Of a few dozen runs the least head is found as fast by looking as by a heap, and mostly the same
  /// run has it again.
  private mutating func findLeast() {
    runnerUp = nil
    head = nil
    guard var key = readers.first?.head else { return }
    least = 0
    for index in readers.indices.dropFirst() {
      let other = readers[index].head
      if other < key {
        runnerUp = key
        key = other
        least = index
      } else if runnerUp.map({ other < $0 }) ?? true {
        runnerUp = other
      }
    }
    head = key
  }

  /// Gives the value at hand to `body`.
  @inline(__always)
  func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    try readers[least].withValue(body)
  }

  /// Steps to the next row.
  @inline(__always)
  mutating func advance() throws {
    try readers[least].advance()
    if readers[least].isAtEnd {
      readers.remove(at: least)
      return findLeast()
    }
    let next = readers[least].head
    if let runnerUp, next >= runnerUp { return findLeast() }
    head = next
  }

  /// Gives all rows to `body`; those of several runs with equal keys as one, where they can be combined.
  @inline(__always)
  mutating func forEach(
    _ combiner: inout RowCombiner, _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    while let key = head {
      if runnerUp != key || !combiner.doesCombine {
        try withValue { try body(key, $0) }
        try advance()
        continue
      }
      while head == key {
        try withValue { try combiner.add($0) }
        try advance()
      }
      try combiner.finish { try body(key, $0) }
    }
  }
}
