import Entities
import Merging
import SyncWire

/// Reads the newest snapshot that a relay keeps.
struct SnapshotReader {
  /// What a new device begins with.
  struct Snapshot {
    var folded: Folded
    var memory: LogMemory
  }

  private let transport: any SyncTransport
  private let secrets: SyncSecrets

  init(_ transport: any SyncTransport, _ secrets: SyncSecrets) {
    self.transport = transport
    self.secrets = secrets
  }

  func read() async throws -> Snapshot {
    let sealed = try await transport.manifest()
    let manifest = try SnapshotManifest(
      bytes: try sealed.open(ledger: secrets.ledger, ring: secrets.keys))
    var joiner = ChunkJoiner()
    var folded = Folded()
    var devices = SnapshotDevices()
    for (index, digest) in manifest.chunks.enumerated() {
      let chunk = try await transport.chunk(digest)
      guard chunk.digest == digest, chunk.header.kind == .chunk,
        chunk.header.number == UInt64(index)
      else { throw WireError(.damaged, "chunk \(index) of the snapshot is not as it was sent") }
      let content = try chunk.open(ledger: secrets.ledger, ring: secrets.keys)
      for element in try joiner.add(content) {
        switch element.first {
        case 0: try devices.read(element)
        case 1: try folded.readEnd(element)
        case 2: try folded.readReplica(element)
        case 3: try folded.readEntity(element)
        case 4: try folded.readFinding(element)
        default: throw WireError(.invalid, "an element that is not known")
        }
      }
    }
    guard !joiner.isWithinElement, folded.head == manifest.beacon.position else {
      throw WireError(.damaged, "the snapshot is not whole")
    }
    let end = LogEnd(
      position: manifest.beacon.position, link: manifest.beacon.link,
      received: max(folded.received, 0))
    var memory = LogMemory(
      ledger: secrets.ledger,
      chain: LogChain(from: end, floor: folded.floor, numbers: devices.numbers))
    memory.devices = devices.devices
    return Snapshot(folded: folded, memory: memory)
  }
}
