internal import DaybookCLMDB
import DaybookPlatform

/// Checks whether a data file is safe to open.
///
/// LMDB maps the file and trusts its contents. If the file was truncated, the first access to a
/// page past its end kills the process with SIGBUS instead of returning an error. An existing file
/// is therefore checked before LMDB opens it. The check uses only `pread` and validates every
/// number before using it, so no contents of the file can crash the process. It is as safe as a
/// check in a child process, and also works on iOS, where there are no child processes.
///
/// The meta pages, the free list, the main database, and the upper levels of all trees are examined
/// as far as that is cheap; see ``TreeExaminer/examineTop(_:pageCountMax:)``. LMDB must not use a
/// number from a meta page before this: with a damaged number of pages, it would extend the file to
/// that size, or overwrite pages in use.
///
/// A file that is shorter than its meta page says may still be intact, because pages that were
/// allocated and freed in the same transaction are counted but never written. A short file is
/// therefore judged by the pages that its trees reach. This requires reading only the branch pages,
/// and the leaves of databases with overflow pages: about a hundredth of the file.
///
/// No other process should write during the check. If one commits, the check starts again.
package enum FileJudgement {
  /// The maximum number of attempts, because other processes may commit during the check.
  static let attemptCountMax = 8
  /// A file with at most this number of pages is examined completely.
  static let wholePageCountMax = 256
  /// The number of pages of the upper levels of trees that are examined in a larger file.
  static let topPageCountMax = 64

  /// Throws if the data file in a folder is missing, not an LMDB file, or truncated.
  ///
  /// - Parameters:
  ///   - path: The folder of the data file.
  ///   - missingIsEmpty: Whether a missing or empty file is acceptable.
  /// - Throws: ``LMDBError/Kind/notFound``, ``LMDBError/Kind/invalid``,
  ///   ``LMDBError/Kind/versionMismatch``, ``LMDBError/Kind/truncated``;
  ///   ``LMDBError/Kind/corrupted`` if the meta pages aren't consecutive commits, or an examined
  ///   page is invalid.
  /// - Complexity: O(databases + pages of the free list); if the file is short, O(branch pages).
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
    var known = try MetaPage.both(of: file)
    for _ in 0..<attemptCountMax {
      let failure: LMDBError
      do {
        return try judge(known, file)
      } catch let error as LMDBError {
        failure = error
      } catch {
        failure = fault(MDB_CORRUPTED, path)
      }
      // The meta pages are read one after the other, so a commit by another process between the two
      // reads looks like damage.
      let again = try MetaPage.both(of: file)
      if again == known { throw failure }
      known = again
    }
  }

  private static func judge(
    _ known: (first: MetaPage, second: MetaPage), _ file: borrowing OpenFile
  ) throws {
    try MetaPage.checkTurns(known.first, known.second)
    let meta = MetaPage.newer(known.first, known.second)
    let pageCount = try file.byteCount() / meta.pageByteCount
    if UInt64(pageCount) <= meta.lastPage {
      var walker = PageWalker(meta: meta, pageCount: pageCount)
      try walker.walk(file)
    }
    var examiner = TreeExaminer(meta: meta, pageCount: pageCount)
    if meta.lastPage <= wholePageCountMax {
      try examiner.examineWhole(file)
    } else {
      try examiner.examineTop(file, pageCountMax: topPageCountMax)
    }
  }

  /// Returns the number of the newest commit in a folder's data file.
  package static func newestCommit(path: String) throws(LMDBError) -> UInt64 {
    try MetaPage.newest(of: OpenFile(path: path + "/data.mdb")).transactionID
  }

  /// Reads every page that the newest commit reaches, and checks its structure.
  ///
  /// This finds any damage that could make LMDB misbehave (see ``TreeExaminer``), but doesn't
  /// detect changed values.
  ///
  /// - Parameters:
  ///   - path: The folder of the data file.
  ///   - checkingAge: Whether to also check that the older commit really is older.
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
        let newer = MetaPage.newer(first, second)
        let older = newer == second ? first : second
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
      // A commit by another process during the check looks like damage.
      if try MetaPage.both(of: file) == (first, second) { return fault }
    }
    throw fault(EBUSY, file.path)
  }

  static func fault(_ code: Int32, _ path: String) -> LMDBError {
    LMDBError(code: code, operation: "judge", path: path)
  }
}
