import Entities
import Foundation
import Merging
import SyncWire

/// A snapshot whose sealed chunks are in a folder of files: it is read from there as often as it takes.
struct DownloadedSnapshot: Sendable {
  let manifest: SnapshotManifest
  /// The epoch of the manifest's key.
  let epoch: UInt32
  let devices: SnapshotDevices
  /// The log's end as of the snapshot.
  let end: LogEnd
  let floor: UInt64
  fileprivate let folder: URL
  fileprivate let secrets: SyncSecrets

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
          if element.first == 0 { continue }
          return element
        }
        guard index < manifest.chunks.count else { return nil }
        let chunk = try SealedEntry(bytes: Array(try Data(contentsOf: Self.file(index, folder))))
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
  func download(to folder: URL) async throws -> DownloadedSnapshot {
    try await newest { try await download($0, $1, to: folder) }
  }

  private func download(
    _ manifest: SnapshotManifest, _ epoch: UInt32, to folder: URL
  ) async throws -> DownloadedSnapshot {
    var joiner = ChunkJoiner()
    var folded = Folded()
    var devices = SnapshotDevices()
    for (index, digest) in manifest.chunks.enumerated() {
      let chunk = try await transport.chunk(digest)
      try check(chunk, index, digest)
      for element in try joiner.add(chunk.open(ledger: secrets.ledger, ring: secrets.keys)) {
        switch element.first {
        case 0: try devices.read(element)
        case 1: try folded.readEnd(element)
        default: break
        }
      }
      try Data(chunk.bytes).write(to: DownloadedSnapshot.file(index, folder))
    }
    guard !joiner.isWithinElement, folded.head == manifest.beacon.position else {
      throw WireError(.damaged, "the snapshot is not whole")
    }
    return DownloadedSnapshot(
      manifest: manifest, epoch: epoch, devices: devices,
      end: LogEnd(
        position: manifest.beacon.position, link: manifest.beacon.link,
        received: max(folded.received, 0)),
      floor: folded.floor, folder: folder, secrets: secrets)
  }
}
