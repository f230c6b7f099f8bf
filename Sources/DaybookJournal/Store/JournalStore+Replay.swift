import DaybookEntities
import DaybookLMDB

extension JournalStore {
  /// Calls `body` with every commit of a range, in ascending or descending order, until it returns
  /// `false`.
  ///
  /// Everything is read in one transaction, which stays open until the call ends, so `body`
  /// shouldn't block.
  ///
  /// - Parameters:
  ///   - sequence: The commit before the range; 0 for the start of history.
  ///   - last: The last commit of the range; `nil` for the newest.
  /// - Throws: `JournalError` if a commit is missing or damaged, or has a kind that this process
  ///   doesn't support; the errors of `body`.
  /// - Complexity: O(bytes of the commits).
  package func forEachCommit(
    after sequence: UInt64, through last: UInt64? = nil, reversed: Bool = false,
    _ body: (CommitView) throws -> Bool
  ) throws {
    try read { view throws in
      try forEachCommit(
        after: sequence, through: last, reversed: reversed, checkingKinds: true, view, body)
    }
  }

  /// Calls `body` with every commit of a range, as ``forEachCommit(after:through:reversed:_:)``
  /// does, and with a function that checks that the commit's bytes are unchanged.
  ///
  /// The function throws `JournalError` with `brokenChain` if the bytes were altered; it takes one
  /// hash of the commit.
  package func forEachCommit(
    after sequence: UInt64, through last: UInt64? = nil, reversed: Bool = false,
    _ body: (_ commit: CommitView, _ check: () throws -> Void) throws -> Bool
  ) throws {
    try read { view throws in
      try forEachCommit(
        after: sequence, through: last, reversed: reversed, checkingKinds: true, view
      ) { commit in
        try body(commit) { try checkLink(of: commit, view) }
      }
    }
  }

  /// Returns a copy of a commit.
  ///
  /// - Throws: `JournalError` with `missingCommit` if the journal doesn't contain it, `brokenChain`
  ///   if it was altered.
  package func commit(at sequence: UInt64) throws -> Commit {
    var found: Commit?
    guard sequence > 0 else { throw missingCommit(0) }
    try forEachCommit(after: sequence - 1, through: sequence) { commit, check in
      try check()
      found = try commit.copied()
      return false
    }
    guard let found else { throw missingCommit(sequence) }
    return found
  }

  /// Returns a copy of a commit's header and first changes.
  ///
  /// The rest of a large commit isn't read. A commit that is read completely is also checked
  /// against its link.
  ///
  /// - Parameters:
  ///   - sequence: The commit's sequence, from 1.
  ///   - changeCountMax: The maximum number of changes.
  ///   - isWanted: Returns whether to copy the commit.
  /// - Returns: `nil` if `isWanted` returns `false`.
  /// - Throws: `JournalError` with `missingCommit` if the journal doesn't contain the commit, or
  ///   with `token` if it has been purged; the errors of `isWanted`.
  package func beginning(
    of sequence: UInt64, changeCountMax: Int, where isWanted: (CommitView) throws -> Bool
  ) throws -> Commit? {
    guard sequence > 0 else { throw missingCommit(0) }
    return try read { view throws in
      try checkKept(after: sequence - 1, view)
      var reading = CommitReading(view, self, checkingKinds: true)
      return try reading.beginning(of: sequence) { commit, isWhole in
        guard try isWanted(commit) else { return nil }
        if isWhole { try checkLink(of: commit, view) }
        return try commit.copied(upTo: changeCountMax)
      }
    }
  }

  func forEachCommit(
    after sequence: UInt64, through last: UInt64?, reversed: Bool, checkingKinds: Bool,
    _ view: TransactionView, _ body: (CommitView) throws -> Bool
  ) throws {
    let newest = try head(view).sequence
    let last = min(last ?? newest, newest)
    try checkKept(after: sequence, view)
    guard sequence < last else { return }
    var reading = CommitReading(view, self, checkingKinds: checkingKinds)
    if reversed {
      try reading.backward(from: last, downTo: sequence + 1, body)
    } else {
      try reading.forward(from: sequence + 1, through: last, body)
    }
  }

  /// Checks that none of the commits after a given one has been purged.
  func checkKept(after sequence: UInt64, _ view: TransactionView) throws {
    let floor = try floor(view)
    guard sequence < floor.sequence else { return }
    throw JournalError(
      .token(.expired(floor: floor.sequence)),
      "Commits up to \(floor.sequence) have been purged; take a full snapshot, then follow from "
        + "its token.", path: path, sequence: sequence)
  }
}

/// Assembles commits from their chunks.
struct CommitReading: ~Escapable {
  private let view: TransactionView
  private let store: JournalStore
  private let checkingKinds: Bool
  /// The bytes of a commit, assembled from several chunks.
  private var buffer: [UInt8] = []

  @_lifetime(copy view)
  init(_ view: TransactionView, _ store: JournalStore, checkingKinds: Bool) {
    self.view = view
    self.store = store
    self.checkingKinds = checkingKinds
  }

  @_lifetime(self: copy self)
  mutating func forward(
    from first: UInt64, through last: UInt64, _ body: (CommitView) throws -> Bool
  ) throws {
    var cursor = try view.cursor(in: store.tables.commits)
    let start = JournalTables.chunkKey(first, 0)
    var entry = try cursor.seek(atOrAfter: start.span.bytes)
    var sequence = first
    while true {
      guard let found = entry else { throw store.missingCommit(sequence) }
      try check(found.key, sequence, 0)
      let byteCount = try self.byteCount(found.value, sequence)
      if found.value.byteCount == byteCount {
        guard try deliver(found.value, sequence, body) else { return }
      } else {
        buffer.removeAll(keepingCapacity: true)
        buffer.reserveCapacity(min(byteCount, 1 << 28))
        append(found.value)
        var chunk: UInt32 = 0
        while buffer.count < byteCount {
          chunk += 1
          guard let next = try cursor.next() else { throw store.missingCommit(sequence) }
          try check(next.key, sequence, chunk)
          append(next.value)
        }
        guard try deliverBuffer(byteCount, sequence, body) else { return }
      }
      if sequence == last { return }
      sequence += 1
      entry = try cursor.next()
    }
  }

  @_lifetime(self: copy self)
  mutating func backward(
    from last: UInt64, downTo first: UInt64, _ body: (CommitView) throws -> Bool
  ) throws {
    var sequence = last
    while sequence >= first {
      let key = JournalTables.chunkKey(sequence, 0)
      guard let front = try view.get(key.span.bytes, in: store.tables.commits) else {
        throw store.missingCommit(sequence)
      }
      let byteCount = try self.byteCount(front, sequence)
      if front.byteCount == byteCount {
        guard try deliver(front, sequence, body) else { return }
      } else {
        try gather(sequence, front, byteCount: byteCount, isWhole: true)
        guard try deliverBuffer(byteCount, sequence, body) else { return }
      }
      sequence -= 1
    }
  }

  /// Calls `body` with the beginning of a commit; if `body` throws because bytes are missing, calls
  /// it again with more bytes.
  @_lifetime(self: copy self)
  mutating func beginning<Result>(
    of sequence: UInt64, _ body: (_ commit: CommitView, _ isWhole: Bool) throws -> Result
  ) throws -> Result {
    var wanted = CommitReading.beginningByteCount
    while true {
      let key = JournalTables.chunkKey(sequence, 0)
      guard let front = try view.get(key.span.bytes, in: store.tables.commits) else {
        throw store.missingCommit(sequence)
      }
      let byteCount = try self.byteCount(front, sequence)
      let isWhole = wanted >= byteCount
      try gather(sequence, front, byteCount: isWhole ? byteCount : wanted, isWhole: isWhole)
      guard !isWhole || buffer.count == byteCount else { throw damaged(sequence) }
      do {
        return try deliver(buffer.span.bytes, sequence) { try body($0, isWhole) }
      } catch  where !isWhole {
        wanted *= 2
      }
    }
  }

  /// The number of bytes to read first if only the beginning of a commit is needed.
  private static let beginningByteCount = 1 << 16

  /// Collects the chunks of a commit until they have a given number of bytes.
  ///
  /// - Parameter isWhole: Whether this is the byte count of the whole commit. Any excess bytes are
  ///   then kept, so that they are detected.
  @_lifetime(self: copy self)
  private mutating func gather(
    _ sequence: UInt64, _ front: RawSpan, byteCount: Int, isWhole: Bool
  ) throws {
    buffer.removeAll(keepingCapacity: true)
    append(isWhole ? front : front.extracting(first: byteCount))
    var chunk: UInt32 = 0
    while buffer.count < byteCount {
      chunk += 1
      let next = JournalTables.chunkKey(sequence, chunk)
      guard let part = try view.get(next.span.bytes, in: store.tables.commits) else {
        throw store.missingCommit(sequence)
      }
      append(isWhole ? part : part.extracting(first: byteCount - buffer.count))
    }
  }

  @_lifetime(self: copy self)
  private mutating func append(_ span: RawSpan) {
    unsafe span.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
  }

  private func deliver<Result>(
    _ span: RawSpan, _ sequence: UInt64, _ body: (CommitView) throws -> Result
  ) throws -> Result {
    let commit = try CommitView(
      span.extracting(Layout.countByteCount..<span.byteCount), sequence: sequence,
      schema: store.schema, checkingKinds: checkingKinds)
    return try body(commit)
  }

  private func deliverBuffer(
    _ byteCount: Int, _ sequence: UInt64, _ body: (CommitView) throws -> Bool
  ) throws -> Bool {
    guard buffer.count == byteCount else { throw damaged(sequence) }
    return try deliver(buffer.span.bytes, sequence, body)
  }

  /// Returns the number of bytes of a commit, including the byte count itself, according to its
  /// first chunk.
  private func byteCount(_ chunk: RawSpan, _ sequence: UInt64) throws -> Int {
    var reader = ByteReader(chunk)
    guard let count = try? reader.u32be() else { throw damaged(sequence) }
    let byteCount = Int(count) + Layout.countByteCount
    guard chunk.byteCount <= byteCount, byteCount >= Layout.frontByteCount else {
      throw damaged(sequence)
    }
    return byteCount
  }

  private func check(_ key: RawSpan, _ sequence: UInt64, _ chunk: UInt32) throws {
    var reader = ByteReader(key)
    guard key.byteCount == 12, try reader.u64be() == sequence, try reader.u32be() == chunk else {
      throw store.missingCommit(sequence)
    }
  }

  private func damaged(_ sequence: UInt64) -> JournalError {
    JournalError(
      .damagedCommit,
      "Commit \(sequence) is damaged: run verify, and restore from a backup.", path: store.path,
      sequence: sequence)
  }
}
