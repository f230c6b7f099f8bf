/// Which environments this process has open.
///
/// LMDB guards its lock file by `fcntl` locks, which belong to the process and not to the opening:
/// opening a path twice, and then closing one of the two, silently gives up the locks of both.
enum OpenEnvironments {
  private static let folders = Lock<Set<FileIdentity>>([])
  private static let serials = Lock<UInt32>(0)

  /// Takes a folder for one opening; throws if it is taken.
  static func claim(_ folder: FileIdentity, path: String) throws(LMDBError) {
    let isNew = folders.withLock { $0.insert(folder).inserted }
    guard isNew else {
      throw LMDBError(code: LMDBError.Own.alreadyOpen, operation: "open", path: path)
    }
  }

  /// How many environments are open.
  static var count: Int { folders.withLock { $0.count } }

  /// Gives a folder back.
  static func release(_ folder: FileIdentity) {
    folders.withLock { _ = $0.remove(folder) }
  }

  /// A number that no other opening of this process has had.
  static func nextSerial() -> UInt32 {
    serials.withLock {
      $0 += 1
      return $0
    }
  }
}
