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
  ///   ``LMDBError/Kind/versionMismatch``, ``LMDBError/Kind/truncated`` or, for a short file whose
  ///   trees make no sense, ``LMDBError/Kind/corrupted``.
  /// - Complexity: O(1) unless the file is short, then O(branch pages).
  package static func judge(
    path: String, missingIsEmpty: Bool = false
  ) throws(LMDBError) {
    try judge(path: path, missingIsEmpty: missingIsEmpty, depth: .reach, evenIfLong: false)
  }

  /// Reads every page that the trees of the newest commit reach, and checks its structure.
  ///
  /// Finds pages that are missing, not of the kind they should be, or reached twice, and nodes that
  /// lie outside of their page; not values that were changed.
  ///
  /// - Parameter path: The folder.
  /// - Throws: As ``judge(path:missingIsEmpty:)``, for files of any length.
  /// - Complexity: O(pages).
  package static func examine(path: String) throws(LMDBError) {
    try judge(path: path, missingIsEmpty: false, depth: .everything, evenIfLong: true)
  }

  private static func judge(
    path: String, missingIsEmpty: Bool, depth: PageWalker.Depth, evenIfLong: Bool
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
    var meta = try MetaPage.newest(of: file)
    for _ in 0..<attemptCountMax {
      let pageCount = try file.byteCount() / meta.pageByteCount
      if !evenIfLong, UInt64(pageCount) > meta.lastPage { return }
      do throws(LMDBError) {
        var walker = PageWalker(meta: meta, pageCount: pageCount, depth: depth)
        return try walker.walk(file)
      } catch {
        let newer = try MetaPage.newest(of: file)
        if newer == meta { throw error }
        meta = newer
      }
    }
  }

  static func fault(_ code: Int32, _ path: String) -> LMDBError {
    LMDBError(code: code, operation: "judge", path: path)
  }
}
