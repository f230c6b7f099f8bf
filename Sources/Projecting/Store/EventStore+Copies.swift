internal import Entities
public import Journal
internal import LMDB

extension EventStore {
  /// Makes a store of a consistent copy of the journal at `path`, as of now.
  ///
  /// Readers and writers go on meanwhile. The copy keeps identity and lineage; its views are built
  /// when it is opened. Runs on the caller's thread.
  ///
  /// - Throws: `JournalError` where something is at the path already, it lies in the store's own folder, or the
  ///   copy fails.
  /// - Complexity: O(journal).
  public func backup(to path: String) throws {
    try folder.copy(openStore().journal, to: path)
  }

  /// Makes a store at `path` of a backup, with a new lineage: tokens of the store that was backed up
  /// are not valid in it.
  ///
  /// - Throws: `JournalError` where the backup is none or damaged, something is at the path already,
  ///   or the copy fails.
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

  /// A copy of the store in a temporary folder, as of now, in which decisions can be tried out; it is gone when it is
  /// closed.
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

  /// A copy of a store in which nothing can be written, whose journal has been recovered.
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
  /// Looks at the files of a store that need not be open, without handing them to LMDB.
  ///
  /// LMDB maps its files and believes what is in them: of damaged ones it may read beyond the end, and
  /// the process dies. This reads every page that is in use with bounds checked, so it comes to an end
  /// whatever the files hold. A store that passes can be opened and read; ``verify(progress:)`` then says
  /// whether what is in it is what was recorded. Others may write meanwhile; if they never pause, they are
  /// made to wait.
  ///
  /// - Returns: What is wrong, the first of it for each file; nothing where the structure is sound. Views
  ///   that would be discarded unopened are not looked at.
  /// - Throws: `JournalError` where there is no store, or its text files are damaged; `LMDBError` where
  ///   a file cannot be read, or is not one of LMDB's.
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
        // Replaced meanwhile, or really gone.
        guard try folder.current() == current else { continue }
        throw JournalError(
          .damagedFolder,
          "“\(folder.journalPath(current.journal))”, the live journal, is gone or has no data.mdb: "
            + "restore the ledger from a backup.", path: folder.path, cause: error)
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
            "Remove the folder “\(views)” while nobody has the ledger open: it is built anew at the "
              + "next opening.")
        } catch let error as LMDBError where error.kind == .notFound {
          // They are built at the next opening.
        }
      },
    ])
    return findings.withLock { $0.compactMap(\.self) }
  }
}
