#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The little the command line does with files of its own.
enum FileSystem {
  /// Whether there is anything at a path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Makes a folder, which must not exist yet.
  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) == 0 else {
      throw CommandFailure(
        .cannotCreate, code: "cannotCreate",
        "The folder \(path) could not be made: \(Output.reason(errno)).",
        remedy: "Choose a folder that does not exist yet, in one that you may write to.")
    }
  }

  /// Writes a file that must not exist yet.
  static func create(_ path: String, _ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw CommandFailure(
        .cannotCreate, code: "cannotCreate",
        "The file \(path) could not be made: \(Output.reason(errno)).",
        remedy: "Choose a file that does not exist yet, in a folder that you may write to.")
    }
    defer { close(file) }
    try Output.write(text, to: file)
  }
}
