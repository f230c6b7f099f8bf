import Entities
import Foundation
import Merging
import SyncWire

/// A snapshot whose sealed chunks are in a folder of files: it is read from there as often as it takes.
struct DownloadedSnapshot: Sendable {
  let manifest: SnapshotManifest
  /// The epoch of the key that State is sealed and proven with.
  let epoch: UInt32
  let devices: SnapshotDevices
  /// The log's end as of the snapshot.
  let end: LogEnd
  let floor: UInt64
  /// The reader's secrets, with the keys that the snapshot brought.
  let secrets: SyncSecrets
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
    var secrets = secrets
    var epoch: UInt32 = 0
    var joiner = ChunkJoiner()
    var folded = Folded()
    var devices = SnapshotDevices()
    defer { progress(nil) }
    for (index, digest) in manifest.chunks.enumerated() {
      progress(Double(index) / Double(manifest.chunks.count))
      let chunk = try await transport.chunk(digest)
      try check(chunk, index, digest)
      epoch = max(epoch, chunk.header.epoch)
      for element in try joiner.add(chunk.open(ledger: secrets.ledger, ring: secrets.keys)) {
        switch element.first {
        case 0: try devices.read(element)
        case SnapshotDevices.keyElement:
          try secrets.take(EpochEntry(bytes: Array(element.dropFirst())), as: names)
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
      floor: folded.floor, secrets: secrets, folder: folder)
  }
}
