/// The environments that this process has open.
///
/// LMDB protects its lock file with `fcntl` locks, which belong to the process rather than to a
/// descriptor. If a process opens a path twice, closing either environment silently releases the
/// locks of both.
enum OpenEnvironments {
  /// An opening's claim on a folder.
  struct Claim: Sendable {
    fileprivate let folder: FileIdentity
    fileprivate let number: UInt32
  }

  private struct Holder {
    let number: UInt32
    /// The lock file, once it is open.
    var file: FileIdentity?
  }

  private struct Registry {
    var holders: [FileIdentity: Holder] = [:]
    var count = 0
    var lastNumber: UInt32 = 0
  }

  private static let registry = Lock(Registry())

  /// Claims a folder for one opening; throws if another opening has claimed it.
  ///
  /// If a folder is removed while its environment is open, another folder can get the same inode. A
  /// folder is therefore considered claimed only if its lock file is the open lock file.
  static func claim(_ folder: FileIdentity, path: String) throws(LMDBError) -> Claim {
    let present = try? FileIdentity.of(path: path + "/lock.mdb")
    let claim = registry.withLock { registry -> Claim? in
      if let holder = registry.holders[folder], holder.file == nil || holder.file == present {
        return nil
      }
      registry.lastNumber += 1
      registry.count += 1
      registry.holders[folder] = Holder(number: registry.lastNumber)
      return Claim(folder: folder, number: registry.lastNumber)
    }
    if let claim { return claim }
    throw LMDBError(code: LMDBError.Own.alreadyOpen, operation: "open", path: path)
  }

  /// Records the lock file of an opening; while the file is open, its inode can't be reused.
  static func noteLockFile(of claim: Claim, path: String) {
    let file = try? FileIdentity.of(path: path + "/lock.mdb")
    registry.withLock { registry in
      if registry.holders[claim.folder]?.number == claim.number {
        registry.holders[claim.folder]?.file = file
      }
    }
  }

  /// The number of open environments.
  static var count: Int { registry.withLock { $0.count } }

  /// Releases a claim.
  static func release(_ claim: Claim) {
    registry.withLock { registry in
      registry.count -= 1
      if registry.holders[claim.folder]?.number == claim.number {
        registry.holders[claim.folder] = nil
      }
    }
  }

  /// Returns a number that is different for each opening in this process.
  static func nextSerial() -> UInt32 {
    registry.withLock {
      $0.lastNumber += 1
      return $0.lastNumber
    }
  }
}
