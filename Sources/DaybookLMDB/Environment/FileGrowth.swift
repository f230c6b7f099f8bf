internal import DaybookCLMDB
import DaybookPlatform

/// Extends a data file ahead of its last page, one page at a time.
///
/// Linux caches a file in folios as large as the calls that first wrote them, and ext4 walks all
/// blocks of a folio on each write into it. LMDB writes up to 64 new pages with one call; rewriting
/// any of them then took about 8 µs instead of 2 (measured with Linux 6.18). A page that already
/// existed keeps its own folio. LMDB ignores whatever follows its last page.
///
/// Used only if commits aren't flushed; with flushed commits it has no benefit.
struct FileGrowth {
  /// The known number of pages in the file; others may have extended it.
  private var pageCount = 0
  /// The recent maximum number of pages added by a commit; halved by each commit that adds fewer.
  private var growth = 0
  private var lastPage = 0
  private var wasAnnounced = false

  /// The minimum number of pages to keep ahead.
  static let pageCountMin = 8
  /// The maximum number of pages to keep ahead of an unannounced commit.
  static let pageCountMax = 4_096

  /// Extends the file to include the pages that the next commit will add.
  ///
  /// Call it at the start of a commit, when the transaction makes no more changes. During a large
  /// transaction, LMDB may already have written pages past the end of the file. If the disk is
  /// full, the commit reports it.
  ///
  /// - Parameter expected: The number of pages that the commit will add, if known.
  mutating func prepare(_ environment: Environment, expecting expected: Int) {
    var information = MDB_envinfo()
    mdb_env_info(environment.raw, &information)
    let last = Int(information.me_last_pgno)
    if last != lastPage {
      // An announced commit says nothing about the size of later ones.
      if lastPage > 0, !wasAnnounced { growth = max(last - lastPage, growth / 2) }
      lastPage = last
    }
    wasAnnounced = expected > 0
    let usual = min(max(2 * growth, FileGrowth.pageCountMin), FileGrowth.pageCountMax)
    let ahead = wasAnnounced ? expected : usual
    if last + 1 + ahead <= pageCount { return }
    // Add half as much again, so that the file needn't be extended at each commit.
    let spare = wasAnnounced ? 0 : ahead / 2
    pageCount = environment.lengthen(toPageCount: last + 1 + ahead + spare)
  }
}

extension Environment {
  /// Writes pages of zeros past the end of the file, with one call each.
  ///
  /// - Returns: The number of pages in the file.
  fileprivate func lengthen(toPageCount wanted: Int) -> Int {
    #if os(Linux)
      var descriptor: Int32 = -1
      mdb_env_get_fd(raw, &descriptor)
      var statistics = MDB_stat()
      mdb_env_stat(raw, &statistics)
      let pageByteCount = Int(statistics.ms_psize)
      var file = stat()
      guard pageByteCount > 0, fstat(descriptor, &file) == 0 else { return wanted }
      var count = (Int(file.st_size) + pageByteCount - 1) / pageByteCount
      // Writing past the limit would make the system end the process.
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
