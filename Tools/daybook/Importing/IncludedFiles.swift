import DaybookInterchange
import Foundation

/// Reads the files that a journal includes.
enum IncludedFiles {
  /// Returns a function that reads included files by path.
  ///
  /// The paths already contain the folder of the including file. `*`, `?` and `[…]` match parts of
  /// names, as in a shell, and `**` matches any number of folders.
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

  /// Returns the paths of files that match a pattern, in the order of their names.
  ///
  /// `**` matches any number of folders, except hidden ones.
  private static func matching(_ pattern: String) -> [String] {
    var parts = pattern.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // At the beginning of a name, `**` means the same as `**/*`.
    parts = parts.flatMap { part in
      part.hasPrefix("**") && part != "**" ? ["**", String(part.dropFirst())] : [part]
    }
    if parts.last == "**" { parts.append("*") }
    guard let deep = parts.firstIndex(of: "**") else { return files(pattern) }
    let top = parts[..<deep].joined(separator: "/")
    let rest = parts[(deep + 1)...].joined(separator: "/")
    var found: Set<String> = []
    for folder in folders(deep == 0 ? "." : top.isEmpty ? "/" : top) {
      let start = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
      found.formUnion(matching((start.hasPrefix("./") ? String(start.dropFirst(2)) : start) + rest))
    }
    return found.sorted()
  }

  /// Returns the folders that match a pattern, and all folders below them.
  private static func folders(_ pattern: String) -> [String] {
    var found = paths(pattern + "/").map { $0.count > 1 ? String($0.dropLast()) : $0 }
    var index = 0
    while index < found.count, found.count < folderCountMax {
      // Skip symbolic links, which could lead back up.
      found += paths(found[index].escaped + "/*/").map { String($0.dropLast()) }.filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: $0)) == nil
      }
      index += 1
    }
    return found.map(\.escaped)
  }

  private static let folderCountMax = 10_000

  private static func files(_ pattern: String) -> [String] {
    paths(pattern).filter { path in
      var isFolder = ObjCBool(false)
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  private static func paths(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }
  }
}

extension String {
  /// The path as a pattern that matches only itself.
  fileprivate var escaped: String {
    reduce(into: "") { result, character in
      if "*?[\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
