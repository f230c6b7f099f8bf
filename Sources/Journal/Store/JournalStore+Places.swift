package import Entities
import LMDB

/// Where a change lies: in which commit, and at which of its bytes.
package struct ChangePlace: Hashable, Comparable, Sendable {
  /// The commit, from 1.
  package let sequence: UInt64
  /// The byte of the stored commit where the change begins; 0 stands for its first change.
  package let offset: Int

  /// A place.
  package init(sequence: UInt64, offset: Int = 0) {
    self.sequence = sequence
    self.offset = offset
  }

  /// By commit, then within it.
  package static func < (left: ChangePlace, right: ChangePlace) -> Bool {
    (left.sequence, left.offset) < (right.sequence, right.offset)
  }
}

/// What a change is of, without its properties.
package struct ChangeHead: Sendable {
  /// What sort of entity.
  package let kind: EntityKind
  /// Which one.
  package let id: EntityID
  /// Its recording number.
  package let number: UInt64
  /// What was done to it.
  package let operation: JournalChange.Operation
  /// Where the change lies.
  package let place: ChangePlace
}

extension JournalStore {
  /// Calls `body` with the head of every change from a place on, in order, until it returns `false`.
  ///
  /// All is read in one transaction, and large commits piece by piece.
  ///
  /// - Parameters:
  ///   - place: The first change, or 0 as the offset.
  ///   - last: The last commit.
  /// - Throws: `JournalError` with `token` where the commit has been purged, or where one is missing or
  ///   damaged; or what `body` throws.
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

  /// Some changes of a commit, copied, with what the commit says of itself.
  ///
  /// - Parameters:
  ///   - sequence: Which commit.
  ///   - offsets: Where the changes lie in it.
  /// - Throws: `JournalError` as ``forEachChangeHead(from:through:_:)``.
  package func commit(at sequence: UInt64, changesAt offsets: [Int]) throws -> Commit {
    try read { view throws in
      try checkKept(after: sequence - 1, view)
      var reading = CommitReading(view, self, checkingKinds: true)
      let header = try reading.beginning(of: sequence) { try $0.header }
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

/// Reads the changes of one commit piece by piece, without putting it together.
struct CommitPieces: ~Escapable {
  private let view: TransactionView
  private let store: JournalStore
  private let sequence: UInt64

  /// So many chunks are read at once.
  private static let chunkCountMax = 64

  @_lifetime(copy view)
  init(_ view: TransactionView, _ store: JournalStore, _ sequence: UInt64) {
    self.view = view
    self.store = store
    self.sequence = sequence
  }

  /// Calls `body` with the changes from a byte on, as they are stored, until it returns `false`.
  ///
  /// - Returns: Whether it never did.
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
    // Every chunk but the last is as long as the first.
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

  /// Gives the changes that lie whole in a piece to `body`.
  ///
  /// - Returns: Where the next one begins, and whether it is wanted.
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
        // What is cut off comes whole with the next piece.
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
    return try reading.beginning(of: sequence) { $0.changesStart } + Layout.countByteCount
  }

  private var damaged: JournalError {
    ViewFault.decoding(.invalidValue("bytes behind the last change"))
      .error(at: sequence, store.schema)
  }
}
