import DaybookEntities
internal import DaybookJournal
package import Foundation

/// A folder with its files as one text, so that it can be kept in a repository and unpacked by nothing but
/// this.
///
/// LMDB's files consist of zeros for the most part. Of each file only blocks that are not zero are
/// written, as Base64:
/// ```text
/// daybook fixture
/// file journal-0001/data.mdb 49152
/// at 0
/// AAAAAAAAAADe…
/// checksum 5f0c…
/// ```
/// The last line is the SHA-256 of everything before it.
package struct FolderText {
  /// The files by their names within the folder.
  package let files: [String: [UInt8]]

  /// Why a text is none.
  package struct Damaged: Error {
    let line: Int
  }

  private static let title = "daybook fixture"
  private static let blockByteCount = 48

  /// A folder's files, with those one level down.
  package init(of folder: URL) throws {
    var files: [String: [UInt8]] = [:]
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: folder.path) {
      let place = folder.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      // Locks are made anew by whoever opens.
      guard place.lastPathComponent != "lock.mdb",
        manager.fileExists(atPath: place.path, isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      files[name] = [UInt8](try Data(contentsOf: place))
    }
    self.files = files
  }

  /// The files of a text.
  ///
  /// - Throws: ``Damaged`` where it is not what was written.
  package init(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 3, lines[0] == Self.title, lines.last?.isEmpty == true else {
      throw Damaged(line: 1)
    }
    let content = lines.dropLast(2).joined(separator: "\n") + "\n"
    guard lines[lines.count - 2] == "checksum \(Self.checksum(content))" else {
      throw Damaged(line: lines.count - 1)
    }
    var files: [String: [UInt8]] = [:]
    var (name, offset) = ("", 0)
    for (index, line) in lines.dropLast(2).enumerated().dropFirst() {
      let words = line.split(separator: " ")
      switch words.first {
      case "file" where words.count == 3:
        name = String(words[1])
        files[name] = [UInt8](repeating: 0, count: Int(words[2]) ?? 0)
      case "at" where words.count == 2:
        offset = Int(words[1]) ?? 0
      default:
        guard let bytes = Data(base64Encoded: String(line)),
          offset + bytes.count <= files[name]?.count ?? 0
        else { throw Damaged(line: index + 1) }
        files[name]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        offset += bytes.count
      }
    }
    self.files = files
  }

  /// The files as a text.
  package var text: String {
    var text = Self.title + "\n"
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      text += "file \(name) \(bytes.count)\n"
      var reached = -1
      for start in stride(from: 0, to: bytes.count, by: Self.blockByteCount) {
        let block = bytes[start..<min(start + Self.blockByteCount, bytes.count)]
        if block.allSatisfy({ $0 == 0 }) { continue }
        if reached != start { text += "at \(start)\n" }
        text += Data(block).base64EncodedString() + "\n"
        reached = start + block.count
      }
    }
    return text + "checksum \(Self.checksum(text))\n"
  }

  /// Writes the files into a new folder.
  package func write(to folder: URL) throws {
    for (name, bytes) in files {
      let place = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: place)
    }
  }

  private static func checksum(_ text: String) -> String {
    Hash256(hashing: Array(text.utf8)).description
  }
}
