internal import DaybookPlatform

/// A temporary folder that is deleted with this object.
package final class TemporaryFolder: Sendable {
  let path: String

  package init() throws {
    var template = Array("\(TemporaryFolder.parent)/daybook-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else {
      throw ProjectingError(
        .limit,
        "Couldn't create a folder in \(TemporaryFolder.parent). Free some space, or set TMPDIR."
      )
    }
    path = unsafe String(cString: made)
  }

  /// The folder for temporary files: `TMPDIR`, or `/tmp`.
  private static var parent: String {
    guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
    let path = unsafe String(cString: value)
    return path.isEmpty ? "/tmp" : path
  }

  deinit { TemporaryFolder.remove(path) }

  /// Deletes a file, or a folder with its contents.
  static func remove(_ path: String) {
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
            unsafe String(cString: $0)
          }
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      unsafe closedir(folder)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
