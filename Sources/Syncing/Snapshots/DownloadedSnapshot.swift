import Entities
import Foundation
import Merging
import SyncWire

/// A snapshot whose sealed chunks are in a folder of files: it is read from there as often as it takes.
struct DownloadedSnapshot: Sendable {
  let manifest: SnapshotManifest
  /// What it says of the log and its devices, and the keys that it brought.
  let read: SnapshotChunks.Ending
  fileprivate let folder: URL

  /// Begins to read the elements of the fold; `nil` ends them.
  ///
  /// - Throws: `WireError` where a file is damaged, and what reading files throws; the reader does so too.
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
  /// Brings the newest snapshot that the relay keeps into a folder.
  ///
  /// - Parameter names: the replicas that this device was, the present one first: for them the keys are wrapped that
  ///   began while it was away.
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
