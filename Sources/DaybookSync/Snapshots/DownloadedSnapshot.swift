import DaybookEntities
import DaybookMerging
import DaybookSyncWire
import Foundation

/// A snapshot whose sealed chunks are stored as files in a folder, so that it can be read
/// repeatedly.
struct DownloadedSnapshot: Sendable {
  let manifest: SnapshotManifest
  /// The log's end and devices as of the snapshot, and the keys that it contained.
  let read: SnapshotChunks.Ending
  fileprivate let folder: URL

  /// Returns a function that reads the elements of the fold one by one, and returns `nil` after the
  /// last element.
  ///
  /// - Throws: `WireError` if a file is damaged, and errors of the file system. The returned
  ///   function throws the same errors.
  func reader() throws -> () throws -> [UInt8]? {
    var index = 0
    var joiner = ChunkJoiner()
    var found: ArraySlice<[UInt8]> = []
    return {
      while true {
        if let element = found.popFirst() {
          if element.first == 0 || element.first == SnapshotDevices.keyElement { continue }
          return element
        }
        guard index < manifest.chunks.count else { return nil }
        let chunk = try SealedEntry(bytes: Array(try Data(contentsOf: Self.file(index, folder))))
        let secrets = read.secrets
        found = try joiner.add(chunk.open(ledger: secrets.ledger, ring: secrets.keys))[...]
        index += 1
      }
    }
  }

  fileprivate static func file(_ index: Int, _ folder: URL) -> URL {
    folder.appending(path: "\(index)")
  }
}

extension SnapshotReader {
  /// Downloads the relay's newest snapshot to a folder.
  ///
  /// - Parameter names: The replica names that this device has had, the current one first. The
  ///   snapshot contains the keys that were created while this device was absent, wrapped for these
  ///   names.
  func download(to folder: URL, as names: [UInt64]) async throws -> DownloadedSnapshot {
    try await newest { try await download($0, to: folder, as: names) }
  }

  private func download(
    _ manifest: SnapshotManifest, to folder: URL, as names: [UInt64]
  ) async throws -> DownloadedSnapshot {
    let chunks = SnapshotChunks(self, manifest, as: names)
    defer { progress(nil) }
    var index = 0
    while let (chunk, _) = try await chunks.next() {
      try Data(chunk.bytes).write(to: DownloadedSnapshot.file(index, folder))
      index += 1
    }
    return DownloadedSnapshot(
      manifest: manifest, read: try await chunks.ending(), folder: folder)
  }
}
