import DaybookPlatform

/// The state of the file SESSION in a views folder.
///
/// The state is reliable only while `WRITER` is held.
package enum SessionState: Hashable, Sendable {
  /// The file doesn't exist, because all commits in the views have been flushed.
  case absent
  /// The views contain unflushed commits but can be trusted.
  ///
  /// All of these commits were written to this file since the system was started.
  case matches
  /// The views must be discarded without opening them.
  ///
  /// The system has been restarted since then, or the file is a copy.
  case mismatch(reason: String)
}

extension StoreFolder {
  private static let sessionTitle = "daybook session"

  /// The boot identity if the system doesn't reveal its own; see ``bootIdentity()``.
  package static let unknownBoot = ""

  /// Returns the boot identity of the running system, or ``unknownBoot`` if the system doesn't reveal
  /// it, for example because of a sandbox.
  ///
  /// With an unknown boot, nothing is trusted that depends on it: the journal is flushed with every
  /// commit instead of using the redo log, and views that were not flushed are rebuilt.
  package static func bootIdentity() -> String { systemBootIdentity() ?? unknownBoot }

  /// Checks the SESSION file of a views generation, without opening the views.
  package func session(
    _ viewsPath: String, bootIdentity: String? = nil
  ) throws(JournalError) -> SessionState {
    let place = viewsPath + "/SESSION"
    guard try Files.identity(place) != nil else { return .absent }
    let bytes: [UInt8]
    do throws(JournalError) {
      bytes = try Files.read(place, upTo: TextFile.byteCountMax)
    } catch {
      // A file that is too long can't be a SESSION file.
      guard error.code == .damagedFolder else { throw error }
      bytes = []
    }
    guard let file = TextFile(bytes, title: StoreFolder.sessionTitle) else {
      return .mismatch(reason: "SESSION is damaged")
    }
    let boot = bootIdentity ?? StoreFolder.bootIdentity()
    guard boot != StoreFolder.unknownBoot else {
      return .mismatch(
        reason: "the views hold unflushed commits, and it is not known whether the system was "
          + "restarted")
    }
    guard file["boot"] == boot else {
      return .mismatch(reason: "the system was restarted while the views held unflushed commits")
    }
    guard let data = try Files.identity(viewsPath + "/data.mdb") else {
      return .mismatch(reason: "the views' data.mdb is missing")
    }
    guard file["device"] == "\(data.device)", file["inode"] == "\(data.inode)" else {
      return .mismatch(reason: "the folder was copied while it was open")
    }
    return .matches
  }

  /// Writes SESSION and flushes the file and its folder; called before the first unflushed commit.
  package func writeSession(
    _ viewsPath: String, holding lock: WriterLock, bootIdentity: String? = nil
  ) throws(JournalError) {
    try require(lock)
    guard let data = try Files.identity(viewsPath + "/data.mdb") else {
      throw JournalError(
        .foreignGeneration, "“\(viewsPath)” has no data.mdb: rebuild the views.", path: viewsPath)
    }
    let boot = bootIdentity ?? StoreFolder.bootIdentity()
    let file = TextFile(
      title: StoreFolder.sessionTitle,
      lines: [("boot", boot), ("device", "\(data.device)"), ("inode", "\(data.inode)")])
    try file.write("SESSION", in: viewsPath, flushing: isFlushed)
  }

  /// Removes SESSION and flushes its folder; called after the views have been flushed.
  package func removeSession(_ viewsPath: String, holding lock: WriterLock) throws(JournalError) {
    try require(lock)
    try Files.remove(viewsPath + "/SESSION")
    if isFlushed { try Files.flushFolder(viewsPath) }
  }
}

/// Identifies a SESSION file without reading its contents.
package struct SessionStamp: Hashable, Sendable {
  private let file: Files.Identity

  fileprivate init(_ file: Files.Identity) { self.file = file }
}

extension StoreFolder {
  /// Returns the stamp of the current SESSION file, or `nil` if there is none.
  package func sessionStamp(_ viewsPath: String) throws(JournalError) -> SessionStamp? {
    try Files.identity(viewsPath + "/SESSION").map { SessionStamp($0) }
  }
}
