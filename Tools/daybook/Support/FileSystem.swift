import DaybookPlatform

/// File operations on files other than the ledger's.
enum FileSystem {
  /// Returns whether a path exists, even as a broken link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names of a folder's entries, in no particular order.
  ///
  /// - Throws: `CommandFailure` if the folder can't be read.
  static func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else {
      throw CommandFailure(
        .noInput, code: "file", "Couldn't read the folder \(folder): \(Output.reason(errno)).",
        remedy: "Check the path and its permissions.")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns all bytes from standard input.
  static func standardInput() throws -> [UInt8] {
    var all: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(
          .noInput, code: "file", "Couldn't read standard input: \(Output.reason(errno)).",
          remedy:
            "Name a file, or use a pipe such as `cat statement.csv | daybook import -`.")
      }
      if count == 0 { return all }
      all += bytes[..<count]
    }
  }

  /// Creates a folder, which must not exist yet.
  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) == 0 else {
      throw CommandFailure(
        .cannotCreate, code: "cannotCreate",
        "Couldn't create the folder \(path): \(Output.reason(errno)).",
        remedy: "Choose a folder that doesn't exist yet, in a writable folder.")
    }
  }

  /// Writes a new file, which must not exist yet.
  static func create(_ path: String, _ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw CommandFailure(
        .cannotCreate, code: "cannotCreate",
        "Couldn't create the file \(path): \(Output.reason(errno)).",
        remedy: "Choose a file that doesn't exist yet, in a writable folder.")
    }
    defer { close(file) }
    try Output.write(text, to: file)
  }

  /// Returns the text of a small file, or `nil` if the file doesn't exist.
  static func text(of path: String) throws -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else {
      throw CommandFailure(
        .noInput, code: "noInput", "Couldn't read the file \(path): \(Output.reason(errno)).",
        remedy: "Check the path and its permissions.")
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Writes a file, atomically replacing an existing one.
  static func replace(_ path: String, _ text: String) throws {
    let aside = "\(path).new-\(getpid())"
    try create(aside, text)
    guard rename(aside, path) == 0 else {
      let reason = Output.reason(errno)
      unlink(aside)
      throw CommandFailure(
        .cannotCreate, code: "cannotCreate", "Couldn't write the file \(path): \(reason).",
        remedy: "Choose a writable location.")
    }
  }
}
