import DaybookPlatform

// A ledger on read-only media, or in a folder without write permission, can still be read.
extension StoreFolder {
  /// The path of the file on which writers hold an exclusive lock, and readers without write
  /// permission hold a shared lock.
  package var writerPath: String { path + "/WRITER" }

  /// Returns the reason why the ledger can't be written, or `nil` if it can.
  ///
  /// - Complexity: About ten system calls.
  package func writingRefusal() throws(JournalError) -> JournalError? {
    if try isSnapshotCopy() {
      return JournalError(
        .readOnly,
        "“\(path)” is a copy for reading. Write to the ledger from which it was made, and copy it "
          + "again.", path: path)
    }
    let mark = path + "/BACKUP"
    if try Files.identity(mark) != nil {
      return JournalError(
        .readOnly,
        "“\(path)” is a backup. To write to it, restore it into another folder.",
        path: mark)
    }
    let live = try current()
    var places = [path, writerPath]
    for folder in [journalPath(live.journal), viewsPath(live.views)] {
      places += [folder, folder + "/data.mdb", folder + "/lock.mdb"]
    }
    for place in places {
      guard let found = try Files.identity(place) else { continue }
      let mode = found.isFolder ? W_OK | X_OK : W_OK
      if faccessat(AT_FDCWD, place, mode, AT_EACCESS) == 0 { continue }
      switch errno {
      case EROFS: return refusal("its file system is mounted read-only", place)
      case EACCES, EPERM: return refusal("you have no permission to write to “\(place)”", place)
      default: throw Files.failure("Looking at", place)
      }
    }
    return nil
  }

  private func refusal(_ reason: String, _ place: String) -> JournalError {
    JournalError(
      .readOnly,
      "The ledger at “\(path)” is read-only: \(reason). To write to it, make it writable, or "
        + "restore it to a writable place.", path: place)
  }

  /// Waits for the current writer to finish, and blocks other writers until the lock is released.
  ///
  /// No write permission is needed.
  package func lockShared() throws(JournalError) -> WriterLock {
    var turn: WriterLock?
    if try Files.identity(nextPath) != nil {
      turn = try WriterLock.take(nextPath, for: path, waiting: true, isShared: true)
    }
    defer { turn?.release() }
    guard
      let lock = try WriterLock.take(writerPath, for: path, waiting: true, isShared: true)
    else { throw JournalError(.fileSystem, "The lock of “\(path)” can't be acquired.", path: path) }
    return lock
  }

  /// Returns whether the journal must be recovered before it can be read; see `recoverJournal`.
  package func needsRecovery(bootIdentity: String? = nil) throws(JournalError) -> Bool {
    let path = journalPath(try current().journal)
    return try JournalRecovery(path: path, bootIdentity: bootIdentity) != nil
  }

  /// Copies the journal file by file; opening the copy recovers its journal and builds its views.
  ///
  /// - Parameters:
  ///   - path: The folder to create.
  ///   - lock: The lock that keeps writers out during the copy, from `lockShared`.
  /// - Complexity: O(bytes of the journal).
  package func copyFiles(to path: String, holding lock: WriterLock) throws(JournalError) {
    let live = try current()
    let journal = Generation(kind: .journal, number: live.journal).folderName
    try Files.makeFolder(path)
    try Files.makeFolder(path + "/" + journal)
    for name in ["FORMAT", "CURRENT", journal + "/data.mdb", journal + "/REDO"] {
      if try Files.identity(self.path + "/" + name) == nil { continue }
      try Files.copy(self.path + "/" + name, to: path + "/" + name)
    }
    withExtendedLifetime(lock) {}
  }
}

extension Files {
  /// Copies a file's bytes to a new file.
  static func copy(_ old: String, to new: String) throws(JournalError) {
    let source = try open(old, O_RDONLY)
    let target = try open(new, O_WRONLY | O_CREAT | O_EXCL)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe readFile(source.descriptor, &buffer, buffer.count)
      if count == 0 { return }
      if count > 0 {
        try write(count == buffer.count ? buffer : Array(buffer[..<count]), to: target, new)
      } else if errno != EINTR {
        throw failure("Reading", old)
      }
    }
  }
}
