package import DaybookEntities
import DaybookLMDB

/// The progress of a purge after one slice.
package struct PurgeSlice: Hashable, Sendable {
  /// The floor; the retained history begins after this commit.
  package var floor: UInt64
  /// Whether commits that have been folded still take up space.
  package var untrimmed: Bool
  /// Whether everything up to the target has been folded and its space freed.
  package var isDone: Bool
}

// Purging folds commits into the baseline. It runs on the writer's thread with `WRITER` held. Each
// slice is one bounded transaction, which folds changes, moves the floor past fully folded commits,
// and removes the bytes of commits below the floor. A very large commit is folded in several
// slices. Readers can ignore partially folded commits, because folding the first changes of a
// commit again, or applying them on top of the baseline, gives the same result.
extension JournalStore {
  /// The maximum number of changes that one slice folds.
  ///
  /// The number of bytes that a slice removes is limited by `sliceByteCountMax`.
  package static let sliceChangeCountMax = 500
  static let sliceByteCountMax = 1 << 20

  /// Runs one slice of a purge up to a commit, but not beyond commits that a consumer still needs.
  ///
  /// Consumers are checked in each slice, because a consumer may have registered since the purge
  /// began.
  ///
  /// - Parameters:
  ///   - now: The time, in microseconds since 1970.
  ///   - changeCountMax: The maximum number of changes in a slice.
  package func purgeSlice(
    through wanted: UInt64, now: Int64, changeCountMax: Int = JournalStore.sliceChangeCountMax
  ) throws -> PurgeSlice {
    try writeAside { transaction in
      let holders = try consumers(transaction.view).filter { !$0.isPassable(now: now) }
      let target = min(wanted, holders.map(\.sequence).min() ?? wanted)
      var folder = try BaselineFolder(self, &transaction)
      if target > folder.floor.sequence {
        try folder.fold(through: target, changeCountMax: changeCountMax, &transaction)
      }
      let isTrimmed = try trim(below: folder.floor.sequence, &transaction)
      return PurgeSlice(
        floor: folder.floor.sequence, untrimmed: !isTrimmed,
        isDone: isTrimmed && folder.floor.sequence >= target)
    }
  }

  /// Removes bytes of commits up to the floor, and returns whether none are left.
  private func trim(below floor: UInt64, _ transaction: inout WriteTransaction) throws -> Bool {
    var cursor = try transaction.writeCursor(in: tables.commits)
    var removed = 0
    while removed < JournalStore.sliceByteCountMax {
      let isBelow: Bool
      if let entry = try cursor.next() {
        var reader = ByteReader(entry.key)
        isBelow = try reader.u64be() <= floor
        removed += entry.value.byteCount + 32
      } else {
        return true
      }
      guard isBelow else { return true }
      try cursor.deleteCurrent()
    }
    return false
  }

  /// A summary of the baseline.
  package struct BaselineSummary: Hashable, Sendable {
    /// The commit up to which the baseline contains history.
    package var floor: Floor
    /// The baseline's digest, hashed to 32 bytes.
    package var digest: Hash256
    /// The number of entities.
    package var entityCount: UInt64
    /// Whether no commit is partially folded; `false` during a purge or after an interrupted one.
    package var isWhole: Bool
  }

  /// Returns a summary of the baseline.
  package func baseline() throws -> BaselineSummary {
    try read { view throws in
      let state = try BaselineState(self, view)
      return BaselineSummary(
        floor: try floor(view), digest: state.digest.hash, entityCount: state.rowCount,
        isWhole: state.foldedCount == 0)
    }
  }

  /// Recomputes the baseline's digest from its rows, and returns whether it equals the stored
  /// digest.
  package func verifyBaseline() throws -> Bool {
    try read { view throws in
      let kept = try BaselineState(self, view)
      var digest = BaselineDigest()
      var count: UInt64 = 0
      try tables.baselineTable.forEachRow(view) { kind, number, row in
        let personal = schema[EntityKind(rawValue: kind)]?.personalTags ?? []
        digest.add(try row.digest(kind: kind, number: number, personal: personal))
        count += 1
      }
      return digest == kept.digest && count == kept.rowCount
    }
  }

  /// Returns the number of bytes that a range of commits occupies.
  ///
  /// - Complexity: O(bytes of the commits).
  package func byteCount(after first: UInt64, through last: UInt64) throws -> Int {
    try read { view throws in
      var count = 0
      let lower = JournalTables.chunkKey(first + 1, 0)
      let upper = JournalTables.chunkKey(last + 1, 0)
      try view.forEach(
        in: tables.commits, from: lower.span.bytes, to: upper.span.bytes
      ) { key, value in
        count += key.byteCount + value.byteCount + 10
        return true
      }
      return count
    }
  }

  /// Returns the last retained commit before a given time.
  ///
  /// The result is the floor if there is no such commit.
  package func newestSequence(before wallMicroseconds: Int64) throws -> UInt64 {
    var (low, high) = (try floor().sequence, try head().sequence)
    while low < high {
      let middle = low + (high - low + 1) / 2
      var isOlder = false
      try forEachCommit(after: middle - 1, through: middle) { commit in
        isOlder = commit.wallMicroseconds < wallMicroseconds
        return false
      }
      if isOlder { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns the commit after which the newest commits occupy at most a given number of bytes.
  package func sequence(keepingBytes byteCount: Int) throws -> UInt64 {
    let (floor, head) = (try floor().sequence, try head().sequence)
    var left = byteCount
    var sequence = head
    while sequence > floor {
      let size = try self.byteCount(after: sequence - 1, through: sequence)
      if size > left { break }
      left -= size
      sequence -= 1
    }
    return sequence
  }
}

/// The stored state of the baseline: its digest and the progress of folding.
struct BaselineState {
  var digest = BaselineDigest()
  var rowCount: UInt64 = 0
  /// The number of folded changes in the commit after the floor.
  var foldedCount: UInt64 = 0
  /// The greatest recording number of each kind that has ever been folded.
  var greatest: [UInt8: UInt64] = [:]

  init(_ store: JournalStore, _ view: TransactionView) throws {
    let key = JournalTables.baselineKey
    guard let row = try view.get(key.span.bytes, in: store.tables.meta) else { return }
    let content = try unsealed(row, under: key.span.bytes, path: store.path)
    var lanes: [UInt8] = []
    for key in [JournalTables.digestKey(0), JournalTables.digestKey(1)] {
      lanes += try view.bytes(for: key, in: store.tables.meta) ?? []
    }
    digest = try BaselineDigest(lanes)
    var reader = ByteReader(content)
    rowCount = try reader.u64be()
    foldedCount = try reader.u64be()
    while !reader.isAtEnd {
      let kind = try reader.u8()
      greatest[kind] = try reader.u64be()
    }
  }

  func put(_ store: JournalStore, into transaction: inout WriteTransaction) throws {
    var writer = ByteWriter(reserving: 64)
    writer.u64be(rowCount)
    writer.u64be(foldedCount)
    for (kind, number) in greatest.sorted(by: { $0.key < $1.key }) {
      writer.u8(kind)
      writer.u64be(number)
    }
    let lanes = digest.bytes
    let half = lanes.count / 2
    let meta = store.tables.meta
    let key = JournalTables.baselineKey
    try transaction.put(key, sealed(writer.bytes, under: key), in: meta)
    try transaction.put(JournalTables.digestKey(0), Array(lanes[..<half]), in: meta)
    try transaction.put(JournalTables.digestKey(1), Array(lanes[half...]), in: meta)
  }
}
