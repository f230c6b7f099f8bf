/// Which environments this process has open.
///
/// LMDB guards its lock file by `fcntl` locks, which belong to the process and not to the opening:
/// opening a path twice, and then closing one of the two, silently gives up the locks of both.
enum OpenEnvironments {
  /// A folder that is taken for one opening.
  struct Claim: Sendable {
    fileprivate let folder: FileIdentity
    fileprivate let number: UInt32
  }

  private struct Holder {
    let number: UInt32
    /// Its lock file, once it is open.
    var file: FileIdentity?
  }

  private struct Registry {
    var holders: [FileIdentity: Holder] = [:]
    var count = 0
    var lastNumber: UInt32 = 0
  }

  private static let registry = Lock(Registry())

  /// Takes a folder for one opening; throws if it is taken.
  ///
  /// A folder that was removed while its environment was open gives its inode to another: what
  /// counts is whether the folder has the lock file that is open.
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

  /// Remembers the lock file of an opening: as long as it is open, its inode is given to no other.
  static func noteLockFile(of claim: Claim, path: String) {
    let file = try? FileIdentity.of(path: path + "/lock.mdb")
    registry.withLock { registry in
      if registry.holders[claim.folder]?.number == claim.number {
        registry.holders[claim.folder]?.file = file
      }
    }
  }

  /// How many environments are open.
  static var count: Int { registry.withLock { $0.count } }

  /// Gives a folder back.
  static func release(_ claim: Claim) {
    registry.withLock { registry in
      registry.count -= 1
      if registry.holders[claim.folder]?.number == claim.number {
        registry.holders[claim.folder] = nil
      }
    }
  }

  /// A number that no other opening of this process has had.
  static func nextSerial() -> UInt32 {
    registry.withLock {
      $0.lastNumber += 1
      return $0.lastNumber
    }
  }
}
