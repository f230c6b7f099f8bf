import Entities
import LMDB

// A commit of many changes is encoded in blocks, each by another thread while the one before it is digested and
// put into the journal: that takes two thirds of the time, and never as much memory as all of the commit.
extension JournalWriter {
  /// From so many changes on a commit is put in blocks.
  static let blockChangeCount = 4_096

  /// Puts the chunks of a large draft, and returns its link.
  ///
  /// A draft that is refused leaves nothing behind.
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
    // The first chunk has the link in it, which is known last.
    var first: [UInt8] = []
    func put(_ number: UInt32, _ bytes: RawSpan) throws {
      if number == 0 { first = bytes.copied() }
      try putChunk(sequence, number, bytes)
    }
    try storing { try chunks.add(header.stored.bytes.span.bytes, put) }
    let count = draft.changes.count
    var next: Ahead<Result<EncodedChanges, any Error>>? = ahead(0, of: draft)
    defer { next?.drop() }
    for start in stride(from: 0, to: count, by: JournalWriter.blockChangeCount) {
      guard let block = try next?.wait()?.get() else { break }
      let end = min(start + JournalWriter.blockChangeCount, count)
      next = end < count ? ahead(end, of: draft) : nil
      try header.check(byteCount: chunks.byteCount + block.stored.count, at: end - 1, of: count)
      try storing { try chunks.add(block.stored.span.bytes, put) }
      digest.update(block.erased.span.bytes)
    }
    try storing { try chunks.finish(put) }
    let link = JournalTables.link(after: head.link, sequence, digest.digest)
    let front = CommitEncoder.front(byteCount: chunks.byteCount, link: link)
    first.replaceSubrange(0..<front.count, with: front)
    try storing { try replaceChunk(sequence, 0, first.span.bytes) }
    return link
  }

  /// A block's changes, encoded by another thread.
  private func ahead(
    _ start: Int, of draft: CommitDraft
  ) -> Ahead<Result<EncodedChanges, any Error>> {
    let (schema, limits, changes) = (store.schema, store.limits, draft.changes)
    let range = start..<min(start + JournalWriter.blockChangeCount, changes.count)
    return Ahead {
      Result {
        var encoder = CommitEncoder(schema: schema, limits: limits)
        for index in range { try encoder.put(changes[index], at: index) }
        return EncodedChanges(stored: encoder.stored.bytes, erased: encoder.erased.bytes)
      }
    }
  }
}

/// Changes of a commit, as they are stored and in their erased form.
private struct EncodedChanges: Sendable {
  let stored: [UInt8]
  let erased: [UInt8]
}
