/// Goal: what a disk could hold if the power failed at some point of a recorded run.
/// Method: the operations that `Tests/Recorder/recorder.c` recorded are played up to that point.
/// Writes and truncations since a file's last flush may each be there or not; of the operations on
/// names since the last flush of a folder, some first ones are there. Writes to a file opened for
/// synchronous writing are there at once.
import Foundation

/// One recorded operation.
struct Recorded {
  var operation: Character
  var path: String
  var offset: Int
  var data: [UInt8]

  static func read(_ path: String) throws -> [Recorded] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var list: [Recorded] = []
    var place = 0
    func number(_ count: Int) -> Int {
      defer { place += count }
      return (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
    while place + 17 <= bytes.count {
      let operation = Character(Unicode.Scalar(bytes[place]))
      place += 1
      let pathCount = number(4)
      let dataCount = number(4)
      let offset = number(8)
      guard place + pathCount + dataCount <= bytes.count else { break }
      let path = String(decoding: bytes[place..<place + pathCount], as: UTF8.self)
      place += pathCount
      let data = Array(bytes[place..<place + dataCount])
      place += dataCount
      list.append(Recorded(operation: operation, path: path, offset: offset, data: data))
    }
    return list
  }

  var text: String { String(decoding: data, as: UTF8.self) }
}

/// A disk on which recorded operations are played.
struct RecordedDisk {
  /// A file, whatever its names.
  final class File {
    var durable: [UInt8] = []
    var pending: [Recorded] = []
  }

  /// Names as the process sees them, and what is needed to see them otherwise.
  private var names: [String: File] = [:]
  private var folders: Set<String> = []
  private var durableNames: [String: File] = [:]
  private var durableFolders: Set<String> = []
  private var pendingNames: [(inout [String: File], inout Set<String>) -> Void] = []
  /// Lines that the process had written to standard output.
  private(set) var acknowledged: [String] = []
  /// Files whose flushes are not believed: the trials' control.
  var disbelieved: (String) -> Bool = { _ in false }

  mutating func play(_ step: Recorded) {
    switch step.operation {
    case "A":
      acknowledged += step.text.split(whereSeparator: { $0 == "\n" || $0 == " " }).map(String.init)
    case "C":
      let file = File()
      change { names, _ in names[step.path] = file }
    case "W", "T":
      names[step.path]?.pending.append(step)
    case "S":
      guard let file = names[step.path] else { return }
      if disbelieved(step.path) {
        file.pending.append(step)
      } else {
        RecordedDisk.apply(step, to: &file.durable)
      }
    case "F":
      if let file = names[step.path] {
        guard !disbelieved(step.path) else { return }
        for write in file.pending { RecordedDisk.apply(write, to: &file.durable) }
        file.pending = []
      } else {
        for operation in pendingNames { operation(&durableNames, &durableFolders) }
        pendingNames = []
      }
    case "M":
      change { _, folders in folders.insert(step.path) }
    case "R":
      change { names, folders in
        for (name, file) in names
        where name == step.path || name.hasPrefix(step.path + "/") {
          names[name] = nil
          names[step.text + name.dropFirst(step.path.count)] = file
        }
        for name in folders where name == step.path || name.hasPrefix(step.path + "/") {
          folders.remove(name)
          folders.insert(step.text + name.dropFirst(step.path.count))
        }
      }
    case "U":
      change { names, folders in
        names[step.path] = nil
        folders.remove(step.path)
      }
    default:
      break
    }
  }

  private mutating func change(
    _ operation: @escaping (inout [String: File], inout Set<String>) -> Void
  ) {
    operation(&names, &folders)
    pendingNames.append(operation)
  }

  private static func apply(_ step: Recorded, to bytes: inout [UInt8]) {
    if step.operation == "T" {
      if step.offset < bytes.count {
        bytes.removeSubrange(step.offset...)
      } else {
        bytes += [UInt8](repeating: 0, count: step.offset - bytes.count)
      }
      return
    }
    let end = step.offset + step.data.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(step.offset..<end, with: step.data)
  }

  /// Writes what may have survived below `target`, which stands for the folder `root`.
  func survive(
    _ root: String, to target: String, _ random: inout some RandomNumberGenerator
  ) throws {
    var names = durableNames
    var folders = durableFolders
    let kept = Int.random(in: 0...pendingNames.count, using: &random)
    for operation in pendingNames.prefix(kept) { operation(&names, &folders) }
    let manager = FileManager.default
    try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
    for folder in folders.sorted() where folder.hasPrefix(root + "/") {
      try manager.createDirectory(
        atPath: target + folder.dropFirst(root.count), withIntermediateDirectories: true)
    }
    for (name, file) in names.sorted(by: { $0.key < $1.key }) where name.hasPrefix(root + "/") {
      var bytes = file.durable
      // Mostly some of the writes; now and then none or all.
      let share = Int.random(in: 0...4, using: &random)
      for write in file.pending where Int.random(in: 1...4, using: &random) <= share {
        RecordedDisk.apply(write, to: &bytes)
      }
      let path = target + name.dropFirst(root.count)
      try manager.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }
}
