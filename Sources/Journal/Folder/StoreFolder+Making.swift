import Entities

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// A ledger is made aside and renamed into its place. Who dies in between leaves the folder aside; it is
// removed when the ledger is made or opened next, if it is certain that nobody works on it.
extension StoreFolder {
  private static let asideMark = ".creating-"

  /// How old a folder must be before it can count as abandoned, in seconds: far longer than it takes from
  /// making the folder to locking it.
  static let abandonedSecondsMin: Int64 = 60

  /// Makes the folder of a ledger aside, furnished by `body`, and renames it into its place.
  ///
  /// `WRITER` in it is held meanwhile, so that others see that somebody works on it.
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

  /// Removes what processes left that died while they made this ledger.
  ///
  /// A folder is left alone as long as its process lives, somebody holds its lock, or it is new; whatever
  /// can't be told or removed is left alone, too.
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
