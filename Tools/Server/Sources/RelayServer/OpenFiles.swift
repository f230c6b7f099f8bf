import Foundation

/// How many files and connections this process may have open.
public enum OpenFiles {
  /// Raises the limit to what the system lets the process raise it to, as servers do.
  ///
  /// - Returns: How many may be open from now on, at most 65,536: a relay counts on no more.
  public static func raiseLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 256 }
    let wanted = min(limit.rlim_max, 65_536)
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = wanted
      if setrlimit(files, &raised) == 0 { limit = raised }
    }
    return Int(min(limit.rlim_cur, 65_536))
  }

  #if canImport(Glibc)
    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let files = RLIMIT_NOFILE
  #endif

  /// How many connections of devices leave room for what else is open: the store, connections to a database, and some to
  /// spare.
  ///
  /// - Parameters:
  ///   - limit: How many files may be open.
  ///   - databaseConnectionCountMax: How many connections to a database there are at most.
  /// - Returns: At least 1.
  public static func connectionCountMax(of limit: Int, databaseConnectionCountMax: Int = 0) -> Int {
    max(1, limit - databaseConnectionCountMax - 64)
  }
}
