/// Merges sorted runs, row by row.
struct RunMerge {
  // The reader with the least key. It is not stored in `others`, because an array element would be
  // copied for each row.
  private var current: SortedRunReader
  private var others: [SortedRunReader]
  // The current keys of the other readers, and the least of these keys.
  private var heads: [TableKey]
  private var runnerUp: TableKey?
  /// The current key, or `nil` at the end.
  private(set) var head: TableKey?

  /// - Returns: `nil` if there are no runs.
  init?(_ runs: [SortedRun]) throws {
    var readers = try runs.map { try SortedRunReader($0) }
    guard let last = readers.popLast() else { return nil }
    current = last
    others = readers.filter { !$0.isAtEnd }
    heads = others.map(\.head)
    findLeast()
  }

  /// Makes the reader with the least key the current one.
  ///
  /// With a few dozen runs, a linear search is as fast as a heap, and usually the same run has the
  /// least key again.
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

  /// Calls `body` with the current value.
  @inline(__always)
  func withValue<R>(_ body: (RawSpan) throws -> R) rethrows -> R {
    try current.withValue(body)
  }

  /// Moves to the next row.
  @inline(__always)
  mutating func advance() throws {
    try current.advance()
    if current.isAtEnd { return findLeast() }
    let next = current.head
    if let runnerUp, next >= runnerUp { return findLeast() }
    head = next
  }

  /// Calls `body` with each row while a condition holds.
  ///
  /// Rows of several runs with equal keys are combined if their kind allows it.
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
