import DaybookEntities
import DaybookLMDB

/// Recovers a journal whose data file may lack unflushed writes.
///
/// Recovery must run before the journal can be opened.
struct JournalRecovery {
  /// The reason why the data file can't be trusted.
  private let reason: String
  private let path: String
  private let file: RedoFile
  private let epoch: UInt64
  private let base: RedoBase

  /// Creates a recovery, or returns `nil` if none is needed.
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

  /// Throws `JournalError` with `unrecovered` if recovery is needed.
  static func requireNone(path: String, bootIdentity: String?) throws(JournalError) {
    guard let needed = try JournalRecovery(path: path, bootIdentity: bootIdentity) else { return }
    throw JournalError(
      .unrecovered,
      "“\(path)” cannot be trusted (\(needed.reason)). Open the ledger for writing once to "
        + "recover missing commits from its redo log.", path: path)
  }

  /// Restores the data file to the last flushed commit, and applies the redo records.
  ///
  /// An interrupted recovery can be started again.
  ///
  /// - Throws: `JournalError` with `damagedFolder` if the log doesn't match the data file;
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
      throw damaged("its data file contains a different commit \(base.sequence)")
    }
    var transaction = try journal.environment.beginWrite()
    for content in records {
      let head = try journal.head(transaction.view).sequence
      try RedoRecord.redo(
        log.span.bytes.extracting(content), after: head, in: journal.tables, &transaction)
    }
    // Even without records, write the head. This ensures that both of the commits that LMDB keeps
    // are intact.
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

  /// Returns the ranges of the records' contents, in order.
  private func records(_ log: [UInt8]) throws(JournalError) -> [Range<Int>] {
    let mark = base.mark(epoch: epoch)
    var records: [Range<Int>] = []
    var offset = RedoFile.recordsStart
    while let content = RedoRecord.firstContent(of: log, from: offset, mark: mark) {
      let copy = RedoRecord.copy(around: content)
      // The first copy is here, or, if that is damaged, the second one ends in the same place.
      // Otherwise, both copies of a record are damaged. They can't be torn, because each record was
      // flushed before the next one was written.
      guard copy.lowerBound == offset || copy.lowerBound == offset + copy.count else {
        throw damaged("both copies of the record at byte \(offset) are damaged")
      }
      records.append(content)
      offset += 2 * copy.count
    }
    // If both copies of the last record are incomplete, it was torn and never acknowledged.
    return records
  }

  /// Checks that the data file contains no commits that the log can't explain.
  ///
  /// In addition to the recorded commits, it may contain one that was about to be recorded.
  private func checkAge(recordCount: Int) throws {
    let newest = try FileJudgement.newestCommit(path: path)
    guard newest <= base.pages.newestCommit + UInt64(recordCount) + 1 else {
      throw damaged(
        "the data file has \(newest - base.pages.newestCommit) more commits than when the log was "
          + "begun, but the log contains only \(recordCount) of them")
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
  /// Recovers the live journal if it may lack unflushed commits.
  ///
  /// This is the case if the machine stopped before the commits were flushed, or if the folder was
  /// copied while the journal was open. Call this before opening the journal.
  ///
  /// - Throws: `JournalError`; `damagedFolder` if recovery is impossible.
  /// - Complexity: O(1) if there is nothing to recover, otherwise O(bytes of the journal).
  package func recoverJournal(bootIdentity: String? = nil) throws {
    let live = try current()
    guard try JournalRecovery(path: journalPath(live.journal), bootIdentity: bootIdentity) != nil
    else { return }
    try withWriter { _ in
      // Another process may have already recovered it.
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
  /// Whether some commits of this process are durable only through the redo log.
  package var isUnsettled: Bool { redo.isOpen }

  /// Flushes the data file if it has unflushed commits; the caller must hold `WRITER`.
  ///
  /// - Throws: `LMDBError` or `JournalError`; the commits are durable even then.
  package func settle() throws { try redo.settle() }
}
