import Entities
import LMDB

/// What has to be done before a journal may be opened whose data file may lack writes that were never flushed.
struct JournalRecovery {
  /// Why the data file cannot be trusted.
  private let reason: String
  private let path: String
  private let file: RedoFile
  private let epoch: UInt64
  private let base: RedoBase

  /// Looks whether there is anything to be done; `nil` where there is not.
  ///
  /// - Parameter path: The folder of the journal.
  init?(path: String, bootIdentity: String?) throws(JournalError) {
    guard let file = try RedoFile.open(in: path, writing: false) else { return nil }
    let slots = try RedoLog.slots(file)
    guard let newest = RedoHeader.newest(slots), let base = newest.base else { return nil }
    if try base.boot != RedoLog.bootDigest(bootIdentity) {
      reason = "the system was restarted while it held unflushed commits"
    } else if try Files.identity(path + "/data.mdb").map({ FileIdentity($0) }) != base.file {
      reason = "the folder was copied while it was open"
    } else {
      return nil
    }
    self.path = path
    self.file = file
    self.base = base
    epoch = newest.epoch
  }

  /// Throws `unrecovered` where something has to be done.
  static func requireNone(path: String, bootIdentity: String?) throws(JournalError) {
    guard let needed = try JournalRecovery(path: path, bootIdentity: bootIdentity) else { return }
    throw JournalError(
      .unrecovered,
      "“\(path)” cannot be trusted (\(needed.reason)). Open the ledger for writing once, and what is "
        + "missing is taken from its redo log.", path: path)
  }

  /// Puts the data file back to the commit that was flushed last, and what was recorded into it again.
  ///
  /// Whoever is interrupted here can begin again.
  ///
  /// - Throws: `JournalError` with `damagedFolder` where the log and the data file do not belong together.
  ///   `LMDBError`, or `JournalError` with `diskFull`.
  func run(in folder: StoreFolder, _ current: Current) throws {
    let log = try file.read(try file.recordsByteCount() + RedoFile.recordsStart, at: 0)
    let records = try records(log)
    try checkAge(recordCount: records.count)
    try base.pages.restore(path: path)
    if let fault = try FileJudgement.examine(path: path, checkingAge: false) {
      throw damaged("its data file, as of commit \(base.sequence), is damaged: \(fault)")
    }
    let journal = try JournalStore.open(
      folder, current, schema: Schema([]), recovering: true)
    defer { try? journal.close() }
    guard try journal.head().sequence == base.sequence, try journal.head().link == base.link else {
      throw damaged("its data file holds another commit \(base.sequence)")
    }
    var transaction = try journal.environment.beginWrite()
    for content in records {
      let head = try journal.head(transaction.view).sequence
      try RedoRecord.redo(
        log.span.bytes.extracting(content), after: head, in: journal.tables, &transaction)
    }
    // Also without a record: the older of the two commits that LMDB remembers is then one that is whole.
    let head = try journal.head(transaction.view)
    try transaction.put(
      JournalTables.headKey, sealed(head.bytes, under: JournalTables.headKey),
      in: journal.tables.meta)
    try transaction.commit()
    guard let log = try RedoFile.open(in: path) else { return }
    let closed = RedoHeader(epoch: epoch + 1, base: nil)
    try log.write(closed.bytes, at: closed.offset)
    try log.flush()
  }

  /// The contents of the records, in order.
  private func records(_ log: [UInt8]) throws(JournalError) -> [Range<Int>] {
    let mark = base.mark(epoch: epoch)
    var records: [Range<Int>] = []
    var offset = RedoFile.recordsStart
    while let content = RedoRecord.content(of: log.span.bytes, at: offset, mark: mark) {
      records.append(content)
      offset = RedoRecord.end(behind: content)
    }
    // The last one may be torn: it was never acknowledged. But each was flushed before the next.
    var writer = ByteWriter(reserving: 8)
    writer.u64be(mark)
    while offset + 8 <= log.count {
      if log[offset] == writer.bytes[0], Array(log[offset..<offset + 8]) == writer.bytes,
        RedoRecord.content(of: log.span.bytes, at: offset, mark: mark) != nil
      {
        throw damaged("a record of it, before byte \(offset), is not what was written")
      }
      offset += 1
    }
    return records
  }

  /// Checks that the data file holds no commit that the log cannot know of.
  ///
  /// Beside the recorded ones there may be one that was about to be.
  private func checkAge(recordCount: Int) throws {
    let newest = try FileJudgement.newestCommit(path: path)
    guard newest <= base.pages.newestCommit + UInt64(recordCount) + 1 else {
      throw damaged(
        "the data file has \(newest - base.pages.newestCommit) commits more than it was begun with, and "
          + "it \(recordCount) of them")
    }
  }

  private func damaged(_ why: String) -> JournalError {
    JournalError(
      .damagedFolder,
      "The redo log “\(file.path)” cannot be used: \(why). Restore the ledger from a backup.",
      path: path)
  }
}

extension FileIdentity {
  fileprivate init(_ found: Files.Identity) {
    self.init(device: found.device, inode: found.inode)
  }
}

extension StoreFolder {
  /// Recovers the live journal, where the machine stopped while it held commits that were not flushed, or where the
  /// folder is a copy that was made while it was open.
  ///
  /// To be called before the journal is opened.
  ///
  /// - Throws: `JournalError`; `damagedFolder` where that cannot be done.
  /// - Complexity: O(1) where there is nothing to recover, otherwise O(bytes of the journal).
  package func recoverJournal(bootIdentity: String? = nil) throws {
    let live = try current()
    guard try JournalRecovery(path: journalPath(live.journal), bootIdentity: bootIdentity) != nil
    else { return }
    try withWriter { _ in
      // Another process may have been quicker.
      let live = try current()
      let path = journalPath(live.journal)
      do {
        try JournalRecovery(path: path, bootIdentity: bootIdentity)?.run(in: self, live)
      } catch {
        throw storageError(error, "Recovering the journal", path)
      }
    }
  }
}

extension JournalStore {
  /// Whether commits of this process are durable by the redo log alone.
  package var isUnsettled: Bool { redo.isOpen }

  /// Flushes the data file where it holds commits that were not; `WRITER` is held.
  ///
  /// - Throws: `LMDBError` or `JournalError`; what was committed is durable all the same.
  package func settle() throws { try redo.settle() }
}
