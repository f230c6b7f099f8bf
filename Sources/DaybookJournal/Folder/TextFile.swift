import DaybookEntities
import DaybookPlatform

/// A small text file with a title, `key value` lines, and a checksum as the last line.
///
/// People can read the file, and the checksum reveals damage.
package struct TextFile: Sendable {
  /// The first line, which names the type of file.
  var title: String
  /// The lines in order.
  var lines: [(key: String, value: String)]

  static let byteCountMax = 4_096

  /// The value of the line with the given key, or `nil` if there is no such line.
  subscript(key: String) -> String? { lines.first { $0.key == key }?.value }

  /// The complete contents of the file.
  package var bytes: [UInt8] {
    var text = title + "\n"
    for line in lines { text += "\(line.key) \(line.value)\n" }
    return Array((text + "checksum \(TextFile.checksum(text))\n").utf8)
  }

  private static func checksum(_ text: String) -> String {
    String(Hash256(hashing: Array(text.utf8)).description.prefix(16))
  }

  package init(title: String, lines: [(key: String, value: String)]) {
    self.title = title
    self.lines = lines
  }

  /// Parses a file; returns `nil` if it is damaged or has another title.
  init?(_ bytes: [UInt8], title: String) {
    guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
      return nil
    }
    var lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map({ $0 == title }) == true, let last = lines.popLast(), lines.count >= 1
    else { return nil }
    let content = lines.joined(separator: "\n") + "\n"
    guard last == "checksum \(TextFile.checksum(content))" else { return nil }
    self.title = title
    self.lines = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      self.lines.append((String(parts[0]), String(parts[1])))
    }
  }

  /// Replaces the file at `folder/name` atomically.
  ///
  /// The method writes a temporary file, flushes it, renames it and flushes the folder. The
  /// modification time of the new file is always later than that of the old one, so that inode and
  /// modification time together distinguish any two versions.
  func write(_ name: String, in folder: String, flushing: Bool) throws(JournalError) {
    let path = folder + "/" + name
    let aside = path + ".new"
    let old = try Files.identity(path)
    do {
      try writeAside(aside, replacing: old, flushing: flushing)
      try Files.move(aside, to: path)
    } catch {
      try? Files.remove(aside)
      throw error
    }
    if flushing { try Files.flushFolder(folder) }
  }

  private func writeAside(
    _ aside: String, replacing old: Files.Identity?, flushing: Bool
  ) throws(JournalError) {
    let file = try Files.open(aside, O_WRONLY | O_CREAT | O_TRUNC)
    try Files.write(bytes, to: file, aside)
    if let old { try TextFile.setLater(file, than: old, aside) }
    if flushing { try Files.flush(file, aside) }
  }

  private static func setLater(
    _ file: borrowing Files.Open, than old: Files.Identity, _ path: String
  ) throws(JournalError) {
    let now = try Files.identity(of: file, path)
    guard
      (now.modifiedSeconds, now.modifiedNanoseconds)
        <= (old.modifiedSeconds, old.modifiedNanoseconds)
    else { return }
    let next = (old.modifiedNanoseconds + 1) % 1_000_000_000
    let time = timespec(
      tv_sec: Int(old.modifiedSeconds) + (next == 0 ? 1 : 0), tv_nsec: Int(next))
    guard unsafe futimens(file.descriptor, [time, time]) == 0 else {
      throw Files.failure("Setting the time of", path)
    }
  }
}
