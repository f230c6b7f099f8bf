import DaybookPlatform

/// File operations on a ledger's folder, with errors that name the path.
enum Files {
  /// The identity of a file or folder, which changes if the file or folder is replaced.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var modifiedSeconds: Int64
    var modifiedNanoseconds: Int64
    var byteCount: Int64
    var isFolder: Bool
  }

  /// An open file or folder, closed when the value is destroyed.
  struct Open: ~Copyable {
    let descriptor: Int32

    deinit { _ = close(descriptor) }
  }

  static func failure(_ doing: String, _ path: String, _ code: Int32 = errno) -> JournalError {
    let reason = unsafe String(cString: strerror(code))
    let kind: JournalError.Code =
      code == ENOSPC || code == EDQUOT || code == EFBIG
      ? .diskFull : code == ENOENT ? .missing : .fileSystem
    let remedy =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: "Free some space and try again."
      case EACCES, EPERM, EROFS: "Check who owns it and its permissions."
      case ENOENT: "Check the path."
      default: "Check the path and the file system."
      }
    return JournalError(kind, "\(doing) “\(path)” failed: \(reason). \(remedy)", path: path)
  }

  /// Opens a file or folder; child processes don't inherit it.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600
  ) throws(JournalError) -> Open {
    Open(descriptor: try descriptor(path, flags, mode: mode))
  }

  /// Opens a file or folder, which the caller must close; child processes don't inherit it.
  static func descriptor(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600
  ) throws(JournalError) -> Int32 {
    while true {
      let descriptor = openFile(path, flags | O_CLOEXEC, mode)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw failure("Opening", path) }
    }
  }

  /// Returns the identity of the file or folder at `path`, or `nil` if there is none.
  static func identity(_ path: String) throws(JournalError) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("Looking at", path)
    }
    return identity(status)
  }

  static func identity(of file: borrowing Open, _ path: String) throws(JournalError) -> Identity {
    var status = stat()
    guard unsafe fstat(file.descriptor, &status) == 0 else { throw failure("Looking at", path) }
    return identity(status)
  }

  private static func identity(_ status: stat) -> Identity {
    let modified = modificationTime(status)
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino), modifiedSeconds: Int64(modified.tv_sec),
      modifiedNanoseconds: Int64(modified.tv_nsec), byteCount: Int64(status.st_size),
      isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }

  /// Returns the contents of a small file.
  static func read(_ path: String, upTo byteCountMax: Int) throws(JournalError) -> [UInt8] {
    let file = try open(path, O_RDONLY)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= byteCountMax {
      let count = unsafe readFile(file.descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if errno != EINTR {
        throw failure("Reading", path)
      }
    }
    throw JournalError(
      .damagedFolder,
      "“\(path)” is longer than \(byteCountMax) bytes, so it isn't a file of Daybook.",
      path: path)
  }

  static func write(
    _ bytes: [UInt8], to file: borrowing Open, _ path: String
  ) throws(JournalError) {
    var offset = 0
    while offset < bytes.count {
      let rest = Array(bytes[offset...])
      let count = unsafe writeFile(file.descriptor, rest, rest.count)
      if count >= 0 { offset += count } else if errno != EINTR { throw failure("Writing", path) }
    }
  }

  /// Flushes a file or folder to stable storage.
  static func flush(_ file: borrowing Open, _ path: String) throws(JournalError) {
    try check(flushToDrive(file.descriptor), path)
  }

  /// Flushes an open file's contents and only the metadata needed to read them.
  static func flushContent(_ descriptor: Int32, _ path: String) throws(JournalError) {
    try check(flushContentToDrive(descriptor), path)
  }

  private static func check(_ flushCode: Int32, _ path: String) throws(JournalError) {
    guard flushCode == 0 else { throw failure("Flushing", path, flushCode) }
  }

  /// Flushes the names in a folder.
  static func flushFolder(_ path: String) throws(JournalError) {
    let folder = try open(path, O_RDONLY | O_DIRECTORY)
    try flush(folder, path)
  }

  static func makeFolder(_ path: String) throws(JournalError) {
    guard mkdir(path, 0o700) == 0 else { throw failure("Creating the folder", path) }
  }

  /// Renames a file or folder, replacing a file or an empty folder.
  static func move(_ old: String, to new: String) throws(JournalError) {
    let code = tryMove(old, to: new)
    guard code == 0 else { throw failure("Renaming “\(old)” to", new, code) }
  }

  /// Renames like `move`; returns 0 or the system's error code.
  static func tryMove(_ old: String, to new: String) -> Int32 {
    rename(old, new) == 0 ? 0 : errno
  }

  /// Removes a file; does nothing if it doesn't exist.
  static func remove(_ path: String) throws(JournalError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("Removing", path) }
  }

  /// Returns the sorted names in a folder, without `.` and `..`.
  static func names(in path: String) throws(JournalError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw failure("Listing", path) }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file, or a folder with its contents.
  static func removeTree(_ path: String) throws(JournalError) {
    guard let found = try identity(path) else { return }
    if found.isFolder {
      for name in try names(in: path) { try removeTree(path + "/" + name) }
      guard rmdir(path) == 0 || errno == ENOENT else { throw failure("Removing", path) }
    } else {
      try remove(path)
    }
  }
}
