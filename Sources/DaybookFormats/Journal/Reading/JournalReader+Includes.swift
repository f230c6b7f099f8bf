import DaybookBookkeeping

extension JournalReader {
  /// Schedules the files of an `include` directive to be read after this line.
  mutating func include(_ start: Int) throws(JournalFault) {
    var path = rest(start)
    if let comment = path.firstMatch(of: /[ \t]+;/) {
      path = String(path[..<comment.range.lowerBound])
    }
    if path.count >= 2, let first = path.first, first == path.last, first == "\"" || first == "'" {
      path = String(path.dropFirst().dropLast())
    }
    guard !path.isEmpty else {
      throw fault(start, "“include” needs a file.", "Name the file: include 2026.journal.")
    }
    if let colon = path.firstIndex(of: ":"), !path.hasPrefix("journal:"),
      path[..<colon].allSatisfy({ $0.isASCII && $0.isLetter })
    {
      throw fault(
        start, "Files of the format “\(path[..<colon])” can't be included.",
        "Include only journals.")
    }
    if path.hasPrefix("journal:") { path = String(path.dropFirst(8)) }
    guard let include = options.include else {
      throw fault(
        start, "Includes aren't available here: “\(path)”.", "Put everything into one file.")
    }
    guard includeDepth < Self.includeDepthMax else {
      throw fault(
        start, "Files include each other more than \(Self.includeDepthMax) levels deep.",
        "Make sure that no file includes itself.")
    }
    var files: [RawFile]
    do {
      files = try include(joinedPath(path, to: matter.files[file]))
    } catch {
      throw fault(start, .refused, error.message, error.remedy)
    }
    // A pattern may match the file itself.
    let found = files.count
    files.removeAll { openFiles.contains($0.name) }
    let isPattern = path.contains { "*?[{".contains($0) }
    guard found > 0, isPattern || !files.isEmpty else {
      throw fault(
        start, found > 0 ? "“\(path)” includes itself." : "Couldn't find the file “\(path)”.",
        found > 0 ? "Remove one of the two lines." : "Check the path.")
    }
    includeCount += files.count
    guard includeCount <= Self.includeCountMax else {
      throw fault(
        start, "More than \(Self.includeCountMax) files are included.",
        "Make sure that no file includes itself.")
    }
    pendingIncludes = files
    context = .none
  }
}

/// Resolves a path relative to the folder of a file.
func joinedPath(_ path: String, to file: String) -> String {
  if path.hasPrefix("/") || path.hasPrefix("~") { return path }
  var path = path[...]
  while path.hasPrefix("./") { path = path.dropFirst(2) }
  guard let slash = file.lastIndex(of: "/") else { return String(path) }
  return String(file[...slash]) + path
}
