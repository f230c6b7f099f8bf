import DaybookPlatform

extension StoreFolder {
  /// Returns the canonical path of a folder, which need not exist.
  ///
  /// The path is absolute, with links resolved as far as possible.
  package static func canonicalPath(_ path: String) -> String {
    var (head, tail) = (path, [String]())
    while true {
      while head.count > 1, head.hasSuffix("/") { head.removeLast() }
      if let real = resolved(head.isEmpty ? "." : head) {
        return ([real == "/" ? "" : real] + tail.reversed()).joined(separator: "/")
      }
      guard !head.isEmpty else { return path }
      let slash = head.lastIndex(of: "/")
      tail.append(String(slash.map { head[head.index(after: $0)...] } ?? head[...]))
      head = slash.map { $0 == head.startIndex ? "/" : String(head[..<$0]) } ?? ""
    }
  }

  /// Throws if a copy's destination is inside this folder, or this folder is inside the
  /// destination.
  ///
  /// Symbolic links are resolved.
  func checkIsApart(from place: String) throws(JournalError) {
    let (what, other) =
      if try StoreFolder.lies(place, in: path) {
        ("is inside", "the copy would be lost with the ledger")
      } else if try StoreFolder.lies(path, in: place) {
        ("contains", "replacing the copy would delete the ledger")
      } else {
        ("", "")
      }
    guard !what.isEmpty else { return }
    throw JournalError(
      .nested,
      "Couldn't write the copy: “\(place)” \(what) the ledger's folder, “\(path)”, and \(other). Choose another folder.",
      path: place)
  }

  /// Returns whether a path is equal to a folder or inside it; the path need not exist.
  ///
  /// The path's ancestors are compared with the folder by device and inode number.
  private static func lies(_ place: String, in folder: String) throws(JournalError) -> Bool {
    guard let sought = try Files.identity(folder) else { return false }
    var path = canonicalPath(place)
    while true {
      if let found = try Files.identity(path), found.device == sought.device,
        found.inode == sought.inode
      {
        return true
      }
      let above = parent(of: path)
      if above == path { return false }
      path = above
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
