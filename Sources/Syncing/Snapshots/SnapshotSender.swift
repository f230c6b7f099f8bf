import Entities
import Merging
import Replicas
import SyncWire

extension Exchange {
  /// Entries of the log that a new device rather pulls than that it has a newer snapshot made: under a second.
  private static let pulledEntryCount: UInt64 = 10_000

  /// Lets a device in: a snapshot to begin with, a token, and an invitation under a new code.
  func invite(_ name: String) async throws -> PairingCode {
    if try await needsSnapshot() { try await sendSnapshot() }
    let code = PairingCode()
    let end = memory.chain.end
    let invitation = Invitation(
      ledger: memory.ledger, relay: secrets.relay,
      token: try await transport.addDevice(named: name),
      position: end.position, link: end.link, keys: secrets.keys)
    let sealed = try invitation.seal(for: code, replica: own, clock: now() &+ clockOffset)
    try await transport.putInvitation(sealed, mailbox: code.mailbox)
    return code
  }

  private func needsSnapshot() async throws -> Bool {
    do {
      let manifest = try await transport.manifest()
      return memory.chain.end.position > manifest.header.base + Self.pulledEntryCount
    } catch let refusal as RelayRefusal where refusal.code == .notFound {
      return true
    }
  }

  /// Sends what the log comes to, as far as it was pulled, in sealed chunks.
  func sendSnapshot() async throws {
    let end = memory.chain.end
    var digests: [WireHash] = []
    var cutter = ChunkCutter()
    var elements = memory.elements
    try await replica.snapshot().forEachElement { elements.append($0) }
    for element in elements {
      for content in cutter.add(element) {
        digests.append(try await sendChunk(content, index: digests.count))
      }
    }
    if let rest = cutter.finish() {
      digests.append(try await sendChunk(rest, index: digests.count))
    }
    let beacon = Beacon(
      position: end.position, link: end.link, state: try await stateProof(at: end.position))
    let content = SnapshotManifest(beacon: beacon, chunks: digests).bytes
    let manifest = try sealed(content, .manifest, number: 0)
    try await transport.putManifest(manifest, chunks: digests)
  }

  private func sendChunk(_ content: [UInt8], index: Int) async throws -> WireHash {
    let chunk = try sealed(content, .chunk, number: UInt64(index))
    try await transport.putChunk(chunk)
    return chunk.digest
  }

  private func sealed(_ content: [UInt8], _ kind: EntryKind, number: UInt64) throws -> SealedEntry {
    let (epoch, key) = try newestKey()
    let header = EntryHeader(
      kind: kind, replica: own, number: number, base: memory.chain.end.position,
      clock: now() &+ clockOffset, epoch: epoch)
    return try SealedEntry.seal(content, header, ledger: memory.ledger, key: key)
  }
}
