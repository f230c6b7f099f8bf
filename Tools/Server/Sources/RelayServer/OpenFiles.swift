import Foundation

/// The limit on the number of files and connections that this process can have open.
public enum OpenFiles {
  /// Raises the limit as far as the system allows.
  ///
  /// - Returns: The new limit, at most 65,536, because the relay never uses more.
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

  /// Returns the maximum number of device connections within a limit of open files.
  ///
  /// The remaining files are for the store, for connections to a database, and for a reserve.
  ///
  /// - Parameters:
  ///   - limit: The limit of open files.
  ///   - databaseConnectionCountMax: The maximum number of connections to a database.
  /// - Returns: The number of connections, at least 1.
  public static func connectionCountMax(of limit: Int, databaseConnectionCountMax: Int = 0) -> Int {
    max(1, limit - databaseConnectionCountMax - 64)
  }
}
