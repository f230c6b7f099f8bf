internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps the end of a data file ahead of its last page, a page at a time.
///
/// Linux keeps a file in memory in pieces as large as the calls that wrote it first, and ext4 walks over all
/// blocks of a piece for each write into it. LMDB writes up to 64 new pages with one call, so that any of them,
/// when it is written again, took some 8 µs instead of 2 (measured with Linux 6.18). A page that was there
/// before stays a piece of its own. What lies behind the last page has no meaning to LMDB.
///
/// Only where commits are not flushed: where they are, it gains nothing.
struct FileGrowth {
  /// How many pages there are, as far as is known; others may have made it longer.
  private var pageCount = 0
  /// By how many pages a commit has grown lately at most, half forgotten with each that needs less.
  private var growth = 0
  private var lastPage = 0
  private var wasAnnounced = false

  /// The fewest pages that are kept ahead.
  static let pageCountMin = 8
  /// The most pages that are kept ahead of a commit nobody has announced.
  static let pageCountMax = 4_096

  /// Makes the file so long that the next commit finds the pages that it adds.
  ///
  /// To be called when a commit begins, with nobody writing into the transaction: a large one may have LMDB
  /// write pages behind the end of the file before. A full disk is told by the commit.
  ///
  /// - Parameter expected: how many pages the commit will add, where that is known.
  mutating func prepare(_ environment: Environment, expecting expected: Int) {
    var information = MDB_envinfo()
    mdb_env_info(environment.raw, &information)
    let last = Int(information.me_last_pgno)
    if last != lastPage {
      // What was announced says nothing of the commits after it.
      if lastPage > 0, !wasAnnounced { growth = max(last - lastPage, growth / 2) }
      lastPage = last
    }
    wasAnnounced = expected > 0
    let usual = min(max(2 * growth, FileGrowth.pageCountMin), FileGrowth.pageCountMax)
    let ahead = wasAnnounced ? expected : usual
    if last + 1 + ahead <= pageCount { return }
    // Half as much more, so that it need not be done at each commit.
    let spare = wasAnnounced ? 0 : ahead / 2
    pageCount = environment.lengthen(toPageCount: last + 1 + ahead + spare)
  }
}

extension Environment {
  /// Writes pages of zeros behind the end of the file, each with a call of its own.
  ///
  /// - Returns: how many pages the file has then.
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
      // Beyond the limit, the system would end the process.
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
