import Entities
import Merging
import Replicas
import SyncWire

/// The elements of a relay's snapshot, chunk by chunk, for a store that is joining.
actor SnapshotElements {
  private let reader: SnapshotReader
  private let manifest: SnapshotManifest
  private var index = 0
  private var joiner = ChunkJoiner()
  private var folded = Folded()
  private var devices = SnapshotDevices()
  private var epoch: UInt32 = 0

  init(_ reader: SnapshotReader, _ manifest: SnapshotManifest) {
    self.reader = reader
    self.manifest = manifest
  }

  /// The elements of the next chunk; `nil` after the last.
  func next() async throws -> Replica.Joining.Batch? {
    guard index < manifest.chunks.count else { return nil }
    let digest = manifest.chunks[index]
    let chunk = try await reader.transport.chunk(digest)
    try reader.check(chunk, index, digest)
    let content = try chunk.open(ledger: reader.secrets.ledger, ring: reader.secrets.keys)
    index += 1
    epoch = max(epoch, chunk.header.epoch)
    var elements: [[UInt8]] = []
    for element in try joiner.add(content) {
      switch element.first {
      case 0: try devices.read(element)
      // The invitation has them.
      case SnapshotDevices.keyElement: break
      case 1:
        try folded.readEnd(element)
        elements.append(element)
      default: elements.append(element)
      }
    }
    return try Replica.Joining.Batch(elements)
  }

  /// What was read, where it is whole: the log's end as of the snapshot, the floor, the devices, and the epoch of the key
  /// that State is proven with.
  func ending() throws -> (
    end: LogEnd, floor: UInt64, devices: SnapshotDevices, epoch: UInt32
  ) {
    guard !joiner.isWithinElement, folded.head == manifest.beacon.position else {
      throw WireError(.damaged, "the snapshot is not whole")
    }
    let end = LogEnd(
      position: manifest.beacon.position, link: manifest.beacon.link,
      received: max(folded.received, 0))
    return (end, folded.floor, devices, epoch)
  }
}
