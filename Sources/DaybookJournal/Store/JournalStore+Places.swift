package import DaybookEntities
import DaybookLMDB

/// The position of a change: its commit, and its offset within the commit.
package struct ChangePlace: Hashable, Comparable, Sendable {
  /// The commit's sequence, from 1.
  package let sequence: UInt64
  /// The offset of the change in the stored commit; 0 denotes the first change.
  package let offset: Int

  /// Creates a position.
  package init(sequence: UInt64, offset: Int = 0) {
    self.sequence = sequence
    self.offset = offset
  }

  /// Orders positions by commit, then by offset.
  package static func < (left: ChangePlace, right: ChangePlace) -> Bool {
    (left.sequence, left.offset) < (right.sequence, right.offset)
  }
}

/// A change without its properties.
package struct ChangeHead: Sendable {
  /// The kind of entity.
  package let kind: EntityKind
  /// The entity's id.
  package let id: EntityID
  /// The entity's recording number.
  package let number: UInt64
  /// The operation.
  package let operation: JournalChange.Operation
  /// The position of the change.
  package let place: ChangePlace
}

extension JournalStore {
  /// Calls `body` with the head of every change, in order and starting at a position, until it
  /// returns `false`.
  ///
  /// Everything is read in one transaction; large commits are read in pieces.
  ///
  /// - Parameters:
  ///   - place: The position of the first change; offset 0 denotes the first change of the commit.
  ///   - last: The last commit whose changes are read.
  /// - Throws: `JournalError` with `token` if the commit has been purged; another `JournalError` if
  ///   a commit is missing or damaged; the errors of `body`.
  /// - Complexity: O(bytes of the changes).
  package func forEachChangeHead(
    from place: ChangePlace, through last: UInt64, _ body: (ChangeHead) throws -> Bool
  ) throws {
    try read { view throws in
      try checkKept(after: place.sequence - 1, view)
      var start = place
      while start.sequence <= last {
        let pieces = CommitPieces(view, self, start.sequence)
        let goesOn = try pieces.forEachChange(from: start.offset) { change, place in
          try body(
            ChangeHead(
              kind: change.kind, id: change.id, number: change.number,
              operation: change.operation, place: place))
        }
        guard goesOn else { return }
        start = ChangePlace(sequence: start.sequence + 1)
      }
    }
  }

  /// Returns a copy of a commit with only some of its changes.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the commit.
  ///   - offsets: The offsets of the changes within the commit.
  /// - Returns: `nil` if the commit has kinds in older versions and must be read as a whole.
  /// - Throws: `JournalError` as ``forEachChangeHead(from:through:_:)``.
  package func commit(at sequence: UInt64, changesAt offsets: [Int]) throws -> Commit {
    try read { view throws in
      try checkKept(after: sequence - 1, view)
      var reading = CommitReading(view, self, checkingKinds: true)
      let header = try reading.beginning(of: sequence) { commit, isWhole in
        if isWhole { try checkLink(of: commit, view) }
        return try commit.header
      }
      var changes: [JournalChange] = []
      let pieces = CommitPieces(view, self, sequence)
      for offset in offsets {
        _ = try pieces.forEachChange(from: offset) { change, _ in
          changes.append(try change.copied())
          return false
        }
      }
      return Commit(header: header, changes: changes)
    }
  }
}

/// Reads the changes of one commit in pieces, without assembling it.
struct CommitPieces: ~Escapable {
  private let view: TransactionView
  private let store: JournalStore
  private let sequence: UInt64

  /// The number of chunks read at a time.
  private static let chunkCountMax = 64

  @_lifetime(copy view)
  init(_ view: TransactionView, _ store: JournalStore, _ sequence: UInt64) {
    self.view = view
    self.store = store
    self.sequence = sequence
  }

  /// Calls `body` with the stored changes, starting at an offset, until it returns `false`.
  ///
  /// - Returns: Whether `body` always returned `true`.
  func forEachChange(
    from offset: Int, _ body: (ChangeView, ChangePlace) throws -> Bool
  ) throws -> Bool {
    var cursor = try view.cursor(in: store.tables.commits)
    let first = JournalTables.chunkKey(sequence, 0)
    guard let front = try cursor.seek(exactly: first.span.bytes)?.value else {
      throw store.missingCommit(sequence)
    }
    var reader = ByteReader(front)
    let byteCount = Int(try reader.u32be()) + Layout.countByteCount
    let start = offset > 0 ? offset : try changesStart()
    guard front.byteCount < byteCount else {
      let (end, goesOn) = try each(in: front, from: start, base: 0, isLast: true, body)
      guard !goesOn || end == byteCount else { throw damaged }
      return goesOn
    }
    // All chunks of a commit are as large as the first, except the last one.
    let chunk = start / front.byteCount
    var base = chunk * front.byteCount
    var local = start - base
    var window: [UInt8] = []
    let key = JournalTables.chunkKey(sequence, UInt32(chunk))
    var entry = try cursor.seek(exactly: key.span.bytes)
    while true {
      for _ in 0..<CommitPieces.chunkCountMax where base + window.count < byteCount {
        guard let found = entry else { throw store.missingCommit(sequence) }
        unsafe found.value.withUnsafeBytes { unsafe window.append(contentsOf: $0) }
        entry = base + window.count < byteCount ? try cursor.next() : nil
      }
      let isLast = base + window.count >= byteCount
      let (end, goesOn) = try each(
        in: window.span.bytes, from: local, base: base, isLast: isLast, body)
      guard goesOn else { return false }
      if isLast {
        guard base + end == byteCount else { throw damaged }
        return true
      }
      window.removeFirst(end)
      base += end
      local = 0
    }
  }

  /// Calls `body` with the changes that are completely within a piece.
  ///
  /// - Returns: The offset of the next change, and whether to continue.
  private func each(
    in span: RawSpan, from start: Int, base: Int, isLast: Bool,
    _ body: (ChangeView, ChangePlace) throws -> Bool
  ) throws -> (Int, Bool) {
    var reader = ByteReader(span)
    reader.offset = start
    while !reader.isAtEnd {
      let at = reader.offset
      let change: ChangeView
      do {
        change = try CommitView.change(&reader)
      } catch {
        // If a change is truncated here, the next piece contains all of it.
        guard isLast else { return (at, true) }
        throw ViewFault.decoding(error).error(at: sequence, store.schema)
      }
      guard try body(change, ChangePlace(sequence: sequence, offset: base + at)) else {
        return (reader.offset, false)
      }
    }
    return (reader.offset, true)
  }

  private func changesStart() throws -> Int {
    var reading = CommitReading(view, store, checkingKinds: true)
    let start = try reading.beginning(of: sequence) { commit, _ in commit.changesStart }
    return start + Layout.countByteCount
  }

  private var damaged: JournalError {
    ViewFault.decoding(.invalidValue("bytes behind the last change"))
      .error(at: sequence, store.schema)
  }
}
