import DaybookEntities
import DaybookPlatform

// A ledger is created in a folder next to its destination, and the folder is then renamed. If the
// process dies before that, the folder remains. It is removed the next time that the ledger is
// created or opened, unless a process is using it.
extension StoreFolder {
  private static let asideMark = ".creating-"

  /// The minimum age of an abandoned folder in seconds.
  ///
  /// It is much longer than the time between the creation of a folder and the locking of its
  /// `WRITER`.
  static let abandonedSecondsMin: Int64 = 60

  /// Creates a ledger's folder next to its destination, calls `body` to fill it, and renames it.
  ///
  /// The folder's `WRITER` lock is held until then, so that other processes notice that the folder
  /// is in use.
  static func makeAside(
    _ path: String, _ body: (_ aside: String) throws(JournalError) -> Void
  ) throws(JournalError) {
    try checkVacant(path)
    removeAbandoned(besides: path)
    let aside = "\(path)\(asideMark)\(getpid())-\(hexText(randomBytes(4)))"
    do {
      try Files.makeFolder(aside)
      let lock = try WriterLock.take(aside + "/WRITER", for: aside, waiting: false)
      defer { lock?.release() }
      try body(aside)
      try moveIntoPlace(aside, path)
    } catch {
      try? Files.removeTree(aside)
      throw error
    }
  }

  /// Removes the folders left behind by processes that died while creating this ledger.
  ///
  /// A folder is kept if its process is alive, if its lock is held, if it is new, or if it can't be
  /// checked or removed.
  package static func removeAbandoned(besides path: String) {
    let path = trimmed(path)
    let parent = parent(of: path)
    let prefix = (path.split(separator: "/").last.map(String.init) ?? "") + asideMark
    guard let names = try? Files.names(in: parent) else { return }
    for name in names where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count).split(separator: "-")
      guard rest.count == 2, let process = pid_t(rest[0]) else { continue }
      try? remove(parent + "/" + name, leftBy: process)
    }
  }

  private static func remove(_ aside: String, leftBy process: pid_t) throws(JournalError) {
    guard process != getpid(), kill(process, 0) != 0, errno == ESRCH,
      let found = try Files.identity(aside), found.isFolder,
      Int64(time(nil)) - found.modifiedSeconds >= abandonedSecondsMin
    else { return }
    if try Files.identity(aside + "/WRITER") != nil {
      guard let lock = try WriterLock.take(aside + "/WRITER", for: aside, waiting: false) else {
        return
      }
      defer { lock.release() }
      return try Files.removeTree(aside)
    }
    try Files.removeTree(aside)
  }
}
