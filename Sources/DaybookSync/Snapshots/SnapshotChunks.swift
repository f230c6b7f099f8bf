import DaybookEntities
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

/// Reads the chunks of a relay's snapshot in order, and the log position and devices that they
/// contain.
actor SnapshotChunks {
  /// The data that a snapshot contains in addition to State, which is known once all chunks have
  /// been read.
  struct Ending: Sendable {
    /// The log's end as of the snapshot.
    var end: LogEnd
    var floor: UInt64
    var devices: SnapshotDevices
    /// The epoch of the key with which State is sealed and proved.
    var epoch: UInt32
    /// The reader's secrets, with the keys that the snapshot contained.
    var secrets: SyncSecrets
  }

  private let reader: SnapshotReader
  private let manifest: SnapshotManifest
  private let names: [UInt64]
  private var index = 0
  private var joiner = ChunkJoiner()
  private var folded = Folded()
  private var devices = SnapshotDevices()
  private var epoch: UInt32 = 0
  private var secrets: SyncSecrets

  /// - Parameter names: The replica names that this device has had, the current one first. The
  ///   snapshot contains the keys that were created while this device was absent, wrapped for these
  ///   names. If an invitation contained all keys, this array is empty.
  init(_ reader: SnapshotReader, _ manifest: SnapshotManifest, as names: [UInt64] = []) {
    self.reader = reader
    self.manifest = manifest
    self.names = names
    secrets = reader.secrets
  }

  /// Returns the next chunk and the elements of the fold that end in it, or `nil` after the last
  /// chunk.
  func next() async throws -> (chunk: SealedEntry, elements: [[UInt8]])? {
    guard index < manifest.chunks.count else { return nil }
    reader.progress(Double(index) / Double(manifest.chunks.count))
    let digest = manifest.chunks[index]
    let chunk = try await reader.transport.chunk(digest)
    try reader.check(chunk, index, digest)
    index += 1
    epoch = max(epoch, chunk.header.epoch)
    var elements: [[UInt8]] = []
    for element in try joiner.add(chunk.open(ledger: secrets.ledger, ring: secrets.keys)) {
      switch element.first {
      case 0: try devices.read(element)
      case SnapshotDevices.keyElement:
        try secrets.take(EpochEntry(bytes: Array(element.dropFirst())), as: names)
      case 1:
        try folded.readEnd(element)
        elements.append(element)
      default: elements.append(element)
      }
    }
    return (chunk, elements)
  }

  /// Returns the decoded elements of the next chunk.
  func batch() async throws -> Replica.Joining.Batch? {
    try await next().map { try Replica.Joining.Batch($0.elements) }
  }

  /// Returns the data that the snapshot contained in addition to State.
  ///
  /// - Throws: `WireError` if the snapshot is incomplete.
  func ending() throws -> Ending {
    guard !joiner.isWithinElement, folded.head == manifest.beacon.position else {
      throw WireError(.damaged, "the snapshot is incomplete")
    }
    return Ending(
      end: LogEnd(
        position: manifest.beacon.position, link: manifest.beacon.link,
        received: max(folded.received, 0)),
      floor: folded.floor, devices: devices, epoch: epoch, secrets: secrets)
  }
}
