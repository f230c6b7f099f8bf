internal import DaybookCLMDB
import DaybookPlatform

/// Extends a data file past its last page, one page at a time.
///
/// This makes later writes faster. Linux caches a file in folios as large as the calls that first
/// wrote them, and on each write into a folio, ext4 walks all of its blocks. LMDB writes up to 64
/// new pages with one call; rewriting any of them then takes about 8 µs instead of 2 (measured with
/// Linux 6.18). A page that already exists keeps its own folio. LMDB ignores the file's contents
/// past its last page.
///
/// This is used only if commits aren't flushed; otherwise it has no benefit.
struct FileGrowth {
  /// The number of pages in the file when it was last checked; other processes may have extended
  /// it.
  private var pageCount = 0
  /// The maximum number of pages added by recent commits; halved by each commit that adds fewer.
  private var growth = 0
  private var lastPage = 0
  private var wasAnnounced = false
  /// The last page that was compared with the file; nil before the first comparison.
  private var comparedLastPage: Int?

  /// The minimum number of additional pages at the end of the file.
  static let pageCountMin = 8
  /// The maximum number of additional pages for a commit whose size isn't given in advance.
  static let pageCountMax = 4_096
  /// The maximum number of pages past the end of the file that can be the result of a commit.
  ///
  /// A commit that allocates and frees pages counts these pages without writing them.
  static let missingPageCountMax = pageCountMax * 3 / 2

  /// Checks the last page that the meta page names; call it at the start of a write transaction.
  ///
  /// The meta page is mapped, so it can be damaged while the environment is open. With a damaged
  /// page number, LMDB would extend the file without limit, or overwrite pages in use.
  ///
  /// - Throws: ``LMDBError/Kind/corrupted``.
  /// - Complexity: O(1) without system calls, unless the last commit added pages.
  mutating func check(_ environment: Environment) throws(LMDBError) {
    var information = MDB_envinfo()
    mdb_env_info(environment.raw, &information)
    let last = Int(information.me_last_pgno)
    if last == comparedLastPage { return }
    guard last >= comparedLastPage ?? 0 else {
      throw environment.failure(MDB_CORRUPTED, "mdb_txn_begin")
    }
    if last >= pageCount {
      guard let count = environment.filePageCount() else {
        throw environment.failure(errno, "fstat")
      }
      pageCount = max(pageCount, count)
      if last - count > FileGrowth.missingPageCountMax {
        try FileJudgement.judge(path: environment.path)
      }
    }
    comparedLastPage = last
  }

  /// Extends the file to include the pages that the next commit will add.
  ///
  /// Call this at the start of a commit, when the transaction makes no more changes. During a large
  /// transaction, LMDB may already have written pages past the end of the file. If the disk is
  /// full, the commit reports the error.
  ///
  /// - Parameter expected: The number of pages that the commit will add, or 0 if it is unknown.
  mutating func prepare(_ environment: Environment, expecting expected: Int) {
    var information = MDB_envinfo()
    mdb_env_info(environment.raw, &information)
    let last = Int(information.me_last_pgno)
    if last != lastPage {
      // A commit whose size was given in advance says nothing about the sizes of later commits.
      if lastPage > 0, !wasAnnounced { growth = max(last - lastPage, growth / 2) }
      lastPage = last
    }
    wasAnnounced = expected > 0
    let usual = min(max(2 * growth, FileGrowth.pageCountMin), FileGrowth.pageCountMax)
    let ahead = wasAnnounced ? expected : usual
    if last + 1 + ahead <= pageCount { return }
    // Add half of the size as a reserve, so that not every commit has to extend the file.
    let spare = wasAnnounced ? 0 : ahead / 2
    pageCount = environment.lengthen(toPageCount: last + 1 + ahead + spare)
  }
}

extension Environment {
  /// The descriptor of the data file, and the size of its pages.
  private var fileLayout: (descriptor: Int32, pageByteCount: Int) {
    var descriptor: Int32 = -1
    mdb_env_get_fd(raw, &descriptor)
    var statistics = MDB_stat()
    mdb_env_stat(raw, &statistics)
    return (descriptor, Int(statistics.ms_psize))
  }

  /// Returns the number of pages in the data file, including a partial one, or nil if unknown.
  fileprivate func filePageCount() -> Int? {
    let (descriptor, pageByteCount) = fileLayout
    var file = stat()
    guard pageByteCount > 0, fstat(descriptor, &file) == 0 else { return nil }
    return (Int(file.st_size) + pageByteCount - 1) / pageByteCount
  }

  /// Writes pages of zeros past the end of the file, each with a separate call.
  ///
  /// - Returns: The number of pages in the file.
  fileprivate func lengthen(toPageCount wanted: Int) -> Int {
    #if os(Linux)
      guard var count = filePageCount() else { return wanted }
      let (descriptor, pageByteCount) = fileLayout
      // The system would kill the process if it wrote past the limit.
      let most = min(wanted, fileByteCountLimit().map { Int($0) / pageByteCount } ?? wanted)
      if count >= most { return max(count, wanted) }
      let zeros = [UInt8](repeating: 0, count: pageByteCount)
      while count < most {
        let written = zeros.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress, pageByteCount, off_t(count * pageByteCount))
        }
        guard written == pageByteCount else { break }
        count += 1
      }
    #endif
    return wanted
  }
}
