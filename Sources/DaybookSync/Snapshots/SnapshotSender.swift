import DaybookEntities
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire
import Foundation

extension Exchange {
  /// The maximum number of log entries after the newest snapshot; if there are more, an invitation
  /// sends a new snapshot.
  ///
  /// A new device pulls this number of entries in under a second.
  static let pulledEntryCount: UInt64 = 10_000

  /// Creates an invitation under a new code, with a token for the new device, and sends a snapshot
  /// if the newest snapshot is too old.
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

  /// Sends a snapshot of the fold at this device's position, in sealed chunks.
  func sendSnapshot() async throws {
    let end = memory.chain.end
    let folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The chunks are written to disk first and sent after that. A ledger may not fit in memory, and
    // reading it at the speed of the network would keep the store's read snapshot open for a long
    // time.
    var digests: [Hash256] = []
    var cutter = ChunkCutter()
    var epoch = oldestEpoch
    func keep(_ content: [UInt8]) throws {
      let chunk = try sealed(content, .chunk, number: UInt64(digests.count), epoch: epoch)
      try Data(chunk.bytes).write(to: folder.appending(path: "\(digests.count)"))
      digests.append(chunk.digest)
    }
    // A device that was absent lacks the keys created in the meantime. These keys come first,
    // sealed with the oldest key, which every device has.
    for element in try keyElements() {
      for content in cutter.add(element) { try keep(content) }
    }
    if let keys = cutter.finish() { try keep(keys) }
    epoch = secrets.keys.newest
    for element in memory.elements {
      for content in cutter.add(element) { try keep(content) }
    }
    try await replica.forEachElement { element in
      for content in cutter.add(element) { try keep(content) }
    }
    if let rest = cutter.finish() { try keep(rest) }
    defer { progress(nil) }
    for index in digests.indices {
      progress(Double(index) / Double(digests.count))
      let bytes = try Data(contentsOf: folder.appending(path: "\(index)"))
      try await transport.putChunk(SealedEntry(bytes: Array(bytes)))
    }
    let beacon = Beacon(
      position: end.position, link: end.link, state: try await stateProof(at: end.position))
    let content = SnapshotManifest(beacon: beacon, chunks: digests).bytes
    let manifest = try sealed(content, .manifest, number: 0, epoch: oldestEpoch)
    try await transport.putManifest(manifest, chunks: digests)
  }

  /// The oldest epoch for which this device has a key.
  ///
  /// Every device received the key of this epoch when it joined.
  private var oldestEpoch: UInt32 { secrets.keys.epochs.first ?? 0 }

  /// Returns the keys of all later epochs, each wrapped for every device that isn't revoked.
  private func keyElements() throws -> [[UInt8]] {
    let stay = memory.devices.filter { !$0.value.isRevoked }
    return try secrets.keys.epochs.dropFirst().map { epoch in
      let entry = try EpochEntry(
        key(of: epoch), of: epoch, ledger: memory.ledger, for: stay, revoked: [])
      return [SnapshotDevices.keyElement] + (try entry.bytes)
    }
  }

  private func sealed(
    _ content: [UInt8], _ kind: EntryKind, number: UInt64, epoch: UInt32
  ) throws -> SealedEntry {
    let key = try key(of: epoch)
    let header = EntryHeader(
      kind: kind, replica: own, number: number, base: memory.chain.end.position,
      clock: now() &+ clockOffset, epoch: epoch)
    return try SealedEntry.seal(content, header, ledger: memory.ledger, key: key)
  }
}
