import DaybookInterchange
import Foundation

/// Reads the files that a journal includes.
enum IncludedFiles {
  /// A function that reads included files by path.
  ///
  /// The paths already contain the folder of the including file. `*`, `?` and `[…]` match parts of
  /// names, as in a shell.
  static func reader(
    beside file: String
  ) -> @Sendable (String) throws(InterchangeError) -> [RawFile] {
    { path throws(InterchangeError) in
      let home = ProcessInfo.processInfo.environment["HOME"] ?? "~"
      let full = path.hasPrefix("~/") ? home + path.dropFirst(1) : path
      guard full.contains(where: { "*?[".contains($0) }) else {
        return [try RawFile(path: full)]
      }
      let paths = matching(full)
      guard !paths.isEmpty else {
        throw InterchangeError(
          .file, "Couldn't find the included file \(path).",
          remedy: "Check the path in the include line.",
          path: file)
      }
      var files: [RawFile] = []
      for path in paths { files.append(try RawFile(path: path)) }
      return files
    }
  }

  private static func matching(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }
  }
}
