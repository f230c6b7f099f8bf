internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whether a data file may be opened at all.
///
/// LMDB maps the file and believes what it reads there. Of a file that was cut off, the first access
/// to a page behind its end kills the process with SIGBUS; no error is ever returned. So a file
/// that exists is looked at before LMDB gets it, with `pread` alone and every number checked against
/// the page it comes from: nothing in the file, whatever it holds, can end the process. That makes
/// it as safe as a look from a child process, and it works where there are none (iOS).
///
/// A file merely shorter than its meta page says can be healthy: pages that were allocated and
/// freed again in one transaction are counted, but never written. So a short file is judged by the
/// pages that its trees reach. Only branch pages are read for that, and the leaves of databases with
/// overflow pages: about a hundredth of the file.
///
/// Nobody else should be writing; if a commit comes in between, the judgement starts over.
package enum FileJudgement {
  /// How often a judgement starts over because another process has committed meanwhile.
  static let attemptCountMax = 8

  /// Throws if the data file in a folder is missing, not LMDB's, or cut off.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - missingIsEmpty: Whether a missing or empty file is fine.
  /// - Throws: ``LMDBError/Kind/notFound``, ``LMDBError/Kind/invalid``,
  ///   ``LMDBError/Kind/versionMismatch``, ``LMDBError/Kind/truncated`` or, where the meta pages do not
  ///   follow each other or the trees of a short file make no sense, ``LMDBError/Kind/corrupted``.
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

  /// The number of the newest commit that the data file in a folder names.
  package static func newestCommit(path: String) throws(LMDBError) -> UInt64 {
    try MetaPage.newest(of: OpenFile(path: path + "/data.mdb")).transactionID
  }

  /// Reads every page that the newest commit reaches, and checks the structure of all of it.
  ///
  /// Finds whatever could lead LMDB astray: see ``TreeExaminer``; not values that were changed.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - checkingAge: Whether the older commit is looked at too, to see that the newest really is.
  /// - Returns: The first fault, or nil where there is none.
  /// - Throws: ``LMDBError`` where the file cannot be read, has another format, or others commit to it all
  ///   the time (``LMDBError/Kind/busy``).
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
      // What another process commits meanwhile looks like damage.
      if try MetaPage.both(of: file) == (first, second) { return fault }
    }
    throw fault(EBUSY, file.path)
  }

  /// Throws if the meta pages cannot be of a commit and the one before it, so that the newest might not
  /// be the newest.
  private static func checkTurns(_ file: borrowing OpenFile) throws(LMDBError) {
    var known = try MetaPage.both(of: file)
    while true {
      do {
        return try MetaPage.checkTurns(known.first, known.second)
      } catch {
        // Read one after the other, they may differ for the commits that came in between.
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
