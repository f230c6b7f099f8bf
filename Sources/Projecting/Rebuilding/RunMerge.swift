/// Merges sorted runs, row by row.
struct RunMerge {
  // The reader with the least head, which is not among the others: as an element of an array it would
  // be copied for each row.
  private var current: SortedRunReader
  private var others: [SortedRunReader]
  // The heads of the others, and the least of them.
  private var heads: [TableKey]
  private var runnerUp: TableKey?
  /// The key at hand, or `nil` when there is no more.
  private(set) var head: TableKey?

  /// - Returns: `nil` where there is no run.
  init?(_ runs: [SortedRun]) throws {
    var readers = try runs.map { try SortedRunReader($0) }
    guard let last = readers.popLast() else { return nil }
    current = last
    others = readers.filter { !$0.isAtEnd }
    heads = others.map(\.head)
    findLeast()
  }

  /// Makes the reader with the least head the current one.
  ///
  /// Of a few dozen runs it is found as fast by looking as by a heap, and mostly the same run has it
  /// again.
  private mutating func findLeast() {
    runnerUp = nil
    head = nil
    if current.isAtEnd {
      guard let last = others.popLast() else { return }
      current = last
      heads.removeLast()
    }
    var key = current.head
    var least: Int?
    for index in heads.indices {
      let other = heads[index]
      if other < key {
        runnerUp = key
        key = other
        least = index
      } else if runnerUp.map({ other < $0 }) ?? true {
        runnerUp = other
      }
    }
    if let least {
      heads[least] = current.head
      swap(&current, &others[least])
    }
    head = key
  }

  /// Gives the value at hand to `body`.
  @inline(__always)
  func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    try current.withValue(body)
  }

  /// Steps to the next row.
  @inline(__always)
  mutating func advance() throws {
    try current.advance()
    if current.isAtEnd { return findLeast() }
    let next = current.head
    if let runnerUp, next >= runnerUp { return findLeast() }
    head = next
  }

  /// Gives rows to `body` for as long as a condition holds; those of several runs with equal keys as one,
  /// where they can be combined.
  @inline(__always)
  mutating func forEach(
    _ combiner: inout RowCombiner, while condition: () -> Bool,
    _ body: (TableKey, RawSpan) throws -> Void
  ) throws {
    while let key = head, condition() {
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
