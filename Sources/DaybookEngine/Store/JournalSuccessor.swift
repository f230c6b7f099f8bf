internal import DaybookJournal
internal import DaybookLMDB

/// A new generation of the journal that is built while the live one stays in use.
struct JournalSuccessor: Sendable {
  let generation: Generation
  let tail: JournalTail
  let byteCountBefore: Int
  let building: WriterLock
}

extension Writer {
  /// Adds the remaining commits to the copy, compares it with the journal, and makes it live.
  func takeOver(_ successor: JournalSuccessor) throws -> CompactionReport {
    guard !isClosed else { throw closed }
    return try withLock {
      try adoptCurrentGenerations()
      // An ephemeral store doesn't share `WRITER`, but operations on its folder require the lock.
      let lock = try currentLock ?? folder.lockWriter()
      defer { if currentLock == nil { lock.release() } }
      let tail = successor.tail
      guard open.journal.generation == tail.source.generation, try tail.copy() else {
        throw Overtaken()
      }
      try tail.checkIsEqual()
      if !options.isEphemeral { try tail.target.environment.flush() }
      try folder.flush(successor.generation)
      let after = try tail.target.byteCount
      try flip(to: tail.target, lock)
      successor.building.release()
      return CompactionReport(
        sequence: try open.journal.head().sequence,
        byteCountBefore: UInt64(successor.byteCountBefore), byteCountAfter: UInt64(after))
    }
  }

  /// Makes a flushed copy of the journal live; the copy must equal the journal.
  private func flip(to target: JournalStore, _ lock: WriterLock) throws {
    options.trace?("before journal flip")
    var next = try folder.current()
    let old = Generation(kind: .journal, number: next.journal)
    next.journal = target.generation
    try published.whileFlipping {
      try folder.setCurrent(next, holding: lock)
      options.trace?("after journal flip")
      published.open = OpenStore(
        journal: target, views: open.views,
        stamp: options.isEphemeral ? nil : try folder.currentStamp(), loss: next.loss)
    }
    if let newer = published.open { try adopt(newer) }
    do {
      // The space is returned when the last reader of the old journal ends.
      try folder.remove(old, holding: lock)
    } catch {
      // The next open removes the old journal.
      options.trace?("the old journal cannot be removed: \(error)")
    }
    options.trace?("after journal removal")
  }
}
