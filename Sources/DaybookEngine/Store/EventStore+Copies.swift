internal import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB

extension EventStore {
  /// Creates a store at `path` with a consistent copy of the current journal.
  ///
  /// Readers and writers continue. The copy has the same identity and lineage; its views are built
  /// when it is first opened. The method runs on the caller's thread.
  ///
  /// - Throws: `JournalError` if something exists at the path, the path is in the store's own
  ///   folder, or the copy fails.
  /// - Complexity: O(journal).
  public func backup(to path: String) throws {
    try folder.copy(openStore().journal, to: path)
  }

  /// Creates a store at `path` from a backup, with a new lineage.
  ///
  /// Tokens of the original store are not valid in the new one.
  ///
  /// - Throws: `JournalError` if the backup is not a store or is damaged, something exists at the
  ///   path, or the copy fails.
  /// - Complexity: O(journal).
  public static func restore(from backup: String, to path: String, schema: Schema) throws {
    var folder = try StoreFolder.open(at: backup)
    var sharedLockPath: String?
    var place: TemporaryFolder?
    if try folder.writingRefusal() != nil {
      sharedLockPath = folder.writerPath
      if try folder.needsRecovery() {
        let made = try TemporaryFolder()
        folder = try recoveredCopy(of: folder, in: made)
        place = made
        sharedLockPath = nil
      }
    }
    defer { withExtendedLifetime(place) {} }
    let journal = try JournalStore.open(
      folder, folder.current(), schema: schema, readOnly: true, sharedLockPath: sharedLockPath)
    _ = try journal.verifyChain()
    try folder.copy(journal, to: path, lineage: StoreFolder.newLineage())
  }

  /// Returns a copy of the current store in a temporary folder, for trying out decisions.
  ///
  /// Closing the copy deletes it.
  ///
  /// - Complexity: O(history).
  package func scratchCopy() async throws -> EventStore {
    let place = try TemporaryFolder()
    let path = place.path + "/ledger"
    try folder.copy(openStore().journal, to: path, lineage: StoreFolder.newLineage())
    var options = options
    options.isReadOnly = false
    options.sharedLockPath = nil
    let copy = try await EventStore.open(
      at: path, schema: schema, projections: types, options: options)
    copy.place.withLock { $0 = place }
    return copy
  }

  /// Returns a copy of a read-only store, with its journal recovered.
  private static func recoveredCopy(
    of folder: StoreFolder, in place: TemporaryFolder
  ) throws -> StoreFolder {
    let lock = try folder.lockShared()
    defer { lock.release() }
    let path = place.path + "/ledger"
    try folder.copyFiles(to: path, holding: lock)
    let copy = try StoreFolder.open(at: path)
    try copy.recoverJournal()
    return copy
  }
}

extension EventStore {
  /// Checks the structure of a store's files without opening them with LMDB; the store may be
  /// closed.
  ///
  /// LMDB maps its files and trusts their contents. In a damaged file, it may read past the end and
  /// crash the process. This method reads every page in use with bounds checks, so it completes
  /// whatever the files contain. A store that passes the check can be opened and read;
  /// ``verify(progress:)`` can then check its contents. Other processes may write during the check;
  /// if they never pause, the check makes them wait.
  ///
  /// - Returns: The first problem of each file, or an empty array if the structure of all files is
  ///   sound. Views that an open would discard are not checked.
  /// - Throws: `JournalError` if there is no store or its text files are damaged; `LMDBError` if a
  ///   file cannot be read or is not an LMDB file.
  /// - Complexity: O(pages).
  public static func examine(at path: String) throws -> [VerificationReport.Finding] {
    let folder = try StoreFolder.open(at: path)
    do {
      return try examine(folder)
    } catch let error as LMDBError where error.kind == .busy {
      return try folder.withWriter { _ in try examine(folder) }
    }
  }

  private static func examine(_ folder: StoreFolder) throws -> [VerificationReport.Finding] {
    while true {
      let current = try folder.current()
      do {
        return try examine(folder, current)
      } catch let error as LMDBError where error.kind == .notFound {
        // If `CURRENT` has changed, the generation was replaced; otherwise its files are missing.
        guard try folder.current() == current else { continue }
        throw JournalError(
          .damagedFolder,
          "“\(folder.journalPath(current.journal))”, the live journal, is missing or has no "
            + "data.mdb: restore the ledger from a backup.", path: folder.path, cause: error)
      }
    }
  }

  private static func examine(
    _ folder: StoreFolder, _ current: Current
  ) throws -> [VerificationReport.Finding] {
    let findings = Lock<[VerificationReport.Finding?]>([nil, nil])
    @Sendable func look(_ place: Int, _ path: String, _ remedy: String) throws {
      guard let fault = try FileJudgement.examine(path: path) else { return }
      findings.withLock {
        $0[place] = VerificationReport.Finding(
          message: "The file “\(path)/data.mdb” is damaged: \(fault). \(remedy)", sequence: nil)
      }
    }
    let views = folder.viewsPath(current.views)
    let journal = folder.journalPath(current.journal)
    try runInParallel([
      { try look(0, journal, "Restore the ledger from a backup.") },
      {
        if case .mismatch = try folder.session(views) { return }
        do {
          try look(
            1, views,
            "The journal is not affected: run `daybook rebuild`, and the views are rebuilt from it."
          )
        } catch let error as LMDBError where error.kind == .notFound {
          // The views are built when the store is next opened.
        }
      },
    ])
    return findings.withLock { $0.compactMap(\.self) }
  }
}
