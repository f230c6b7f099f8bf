internal import DaybookCLMDB
import DaybookPlatform

/// Checks whether a data file is safe to open.
///
/// LMDB maps the file and trusts its contents. If the file was truncated, the first access to a
/// page past its end kills the process with SIGBUS instead of returning an error. An existing file
/// is therefore checked before LMDB opens it. The check uses only `pread` and validates every
/// number before using it, so no file contents can crash the process. It is as safe as a check in a
/// child process, and also works on iOS, which has no child processes.
///
/// A file that is shorter than its meta page says may still be intact, because pages that were
/// allocated and freed in the same transaction are counted but never written. A short file is
/// therefore judged by the pages that its trees reach. This requires reading only the branch pages,
/// and the leaves of databases with overflow pages: about a hundredth of the file.
///
/// No other process should write during the check. If one commits, the check starts again.
package enum FileJudgement {
  /// The maximum number of attempts, since other processes may commit during the check.
  static let attemptCountMax = 8

  /// Throws if the data file in a folder is missing, not an LMDB file, or truncated.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - missingIsEmpty: Whether a missing or empty file is acceptable.
  /// - Throws: ``LMDBError/Kind/notFound``, ``LMDBError/Kind/invalid``,
  ///   ``LMDBError/Kind/versionMismatch``, ``LMDBError/Kind/truncated``;
  ///   ``LMDBError/Kind/corrupted`` if the meta pages aren't consecutive commits or the trees of a
  ///   short file are invalid.
  /// - Complexity: O(1) unless the file is short, then O(branch pages).
  package static func judge(
    path: String, missingIsEmpty: Bool = false
  ) throws(LMDBError) {
    let path = path + "/data.mdb"
    let file: OpenFile
    do throws(LMDBError) {
      file = try OpenFile(path: path)
    } catch {
      if error.kind == .notFound, missingIsEmpty { return }
      throw error
    }
    if try file.byteCount() == 0 {
      guard missingIsEmpty else { throw fault(LMDBError.Own.truncated, path) }
      return
    }
    try checkTurns(file)
    var meta = try MetaPage.newest(of: file)
    for _ in 0..<attemptCountMax {
      let pageCount = try file.byteCount() / meta.pageByteCount
      if UInt64(pageCount) > meta.lastPage { return }
      do throws(LMDBError) {
        var walker = PageWalker(meta: meta, pageCount: pageCount)
        return try walker.walk(file)
      } catch {
        let newer = try MetaPage.newest(of: file)
        if newer == meta { throw error }
        meta = newer
      }
    }
  }

  /// Returns the number of the newest commit in a folder's data file.
  package static func newestCommit(path: String) throws(LMDBError) -> UInt64 {
    try MetaPage.newest(of: OpenFile(path: path + "/data.mdb")).transactionID
  }

  /// Reads every page that the newest commit reaches, and checks its structure.
  ///
  /// This finds any damage that could make LMDB misbehave (see ``TreeExaminer``), but not changed
  /// values.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - checkingAge: Whether to also check the older commit, to make sure that it really is older.
  /// - Returns: The first fault, or nil if there is none.
  /// - Throws: ``LMDBError`` if the file can't be read, has another format, or other processes keep
  ///   committing to it (``LMDBError/Kind/busy``).
  /// - Complexity: O(pages).
  package static func examine(
    path: String, checkingAge: Bool = true
  ) throws(LMDBError) -> StructureFault? {
    let file = try OpenFile(path: path + "/data.mdb")
    for _ in 0..<attemptCountMax {
      let (first, second) = try MetaPage.both(of: file)
      let fault: StructureFault
      do {
        try MetaPage.checkTurns(first, second)
        let (newer, older) =
          second.transactionID > first.transactionID ? (second, first) : (first, second)
        let pageCount = try file.byteCount() / newer.pageByteCount
        var examiner = TreeExaminer(meta: newer, pageCount: pageCount)
        try examiner.examine(file)
        if checkingAge { try TreeExaminer(meta: older, pageCount: pageCount).checkAge(file) }
        return nil
      } catch let error as LMDBError {
        throw error
      } catch let error as StructureFault {
        fault = error
      } catch {
        throw Self.fault(MDB_CORRUPTED, file.path)
      }
      // A concurrent commit by another process looks like damage.
      if try MetaPage.both(of: file) == (first, second) { return fault }
    }
    throw fault(EBUSY, file.path)
  }

  /// Throws if the meta pages can't belong to two consecutive commits.
  ///
  /// In that case, the newest commit might be missing.
  private static func checkTurns(_ file: borrowing OpenFile) throws(LMDBError) {
    var known = try MetaPage.both(of: file)
    while true {
      do {
        return try MetaPage.checkTurns(known.first, known.second)
      } catch {
        // The two pages are read one after the other, so a commit in between can make them
        // inconsistent.
        let again = try MetaPage.both(of: file)
        if again == known { throw fault(MDB_CORRUPTED, file.path) }
        known = again
      }
    }
  }

  static func fault(_ code: Int32, _ path: String) -> LMDBError {
    LMDBError(code: code, operation: "judge", path: path)
  }
}
