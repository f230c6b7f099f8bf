import DaybookEntities
import DaybookLMDB

// A commit with many changes is encoded in blocks. While one thread encodes a block, another
// digests the previous block and puts it into the journal. Therefore, at most two blocks are in
// memory, and never the whole commit.
extension JournalWriter {
  /// The maximum number of changes in a block; a commit with more changes is split into blocks.
  static let blockChangeCount = 4_096
  /// The number of bytes of records at which a block ends.
  static let blockByteCount = 4 << 20

  /// Puts the chunks of a large draft, and returns its link.
  ///
  /// If the draft is refused, all of its chunks are removed.
  func putLarge(
    _ draft: CommitDraft, origin: CommitEncoder.Origin, _ sequence: UInt64
  ) throws -> Hash256 {
    leaveRedoLog()
    do {
      return try putBlocks(of: draft, origin, sequence)
    } catch let refusal as JournalError where refusal.code == .refused {
      try removeChunks(sequence)
      throw refusal
    }
  }

  private func putBlocks(
    of draft: CommitDraft, _ origin: CommitEncoder.Origin, _ sequence: UInt64
  ) throws -> Hash256 {
    var header = CommitEncoder(schema: store.schema, limits: store.limits)
    try header.begin(draft, origin: origin)
    var digest = Hash256.Stream()
    digest.update(header.erased.bytes.span.bytes)
    var chunks = ChunkWriter(byteCountMax: store.limits.chunkByteCountMax)
    // The first chunk contains the link, which is not known until the end.
    var first: [UInt8] = []
    func put(_ number: UInt32, _ bytes: RawSpan) throws {
      if number == 0 { first = bytes.copied() }
      try putChunk(sequence, number, bytes)
    }
    try chunks.add(header.stored.bytes.span.bytes, put)
    var blocks = ChangeBlocks(draft.changes, store.schema, store.limits)
    while let block = try blocks.next() {
      let byteCount = chunks.byteCount + block.stored.count
      try header.check(byteCount: byteCount, at: block.end - 1, of: draft.changes.count)
      try chunks.add(block.stored.span.bytes, put)
      digest.update(block.erased.span.bytes)
    }
    try chunks.finish(put)
    let link = JournalTables.link(after: head.link, sequence, digest.finish())
    let front = CommitEncoder.front(byteCount: chunks.byteCount, link: link)
    first.replaceSubrange(0..<front.count, with: front)
    try replaceChunk(sequence, 0, first.span.bytes)
    return link
  }
}

/// The changes of a commit, encoded in blocks.
///
/// While one block is used, another thread encodes the next one.
private struct ChangeBlocks {
  struct Block: Sendable {
    /// The changes in their stored form and in their erased form.
    let stored: [UInt8]
    let erased: [UInt8]
    /// The index after the last change.
    let end: Int
  }

  private let changes: [Change]
  private let schema: Schema
  private let limits: JournalLimits
  private var ahead: Ahead<Result<Block, any Error>>?

  init(_ changes: [Change], _ schema: Schema, _ limits: JournalLimits) {
    self.changes = changes
    self.schema = schema
    self.limits = limits
    begin(at: 0)
  }

  /// Returns the next block, or `nil` if there are no more.
  mutating func next() throws -> Block? {
    guard let ahead else { return nil }
    self.ahead = nil
    guard let outcome = ahead.wait() else {
      preconditionFailure("a block is waited for once, and never dropped")
    }
    let block = try outcome.get()
    begin(at: block.end)
    return block
  }

  private mutating func begin(at start: Int) {
    if start == changes.count { return }
    let (changes, schema, limits, end) = (changes, schema, limits, blockEnd(from: start))
    ahead = Ahead {
      Result {
        var encoder = CommitEncoder(schema: schema, limits: limits)
        for index in start..<end { try encoder.put(changes[index], at: index) }
        return Block(stored: encoder.stored.bytes, erased: encoder.erased.bytes, end: end)
      }
    }
  }

  private func blockEnd(from start: Int) -> Int {
    var byteCount = 0
    var end = start
    while end < changes.count, end - start < JournalWriter.blockChangeCount,
      byteCount < JournalWriter.blockByteCount
    {
      let change = changes[end]
      byteCount += (change.before?.bytes.count ?? 0) + (change.after?.bytes.count ?? 0)
      end += 1
    }
    return end
  }
}
