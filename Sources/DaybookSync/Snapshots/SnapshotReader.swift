import DaybookEngine
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

/// Reads the newest snapshot of a relay.
struct SnapshotReader {
  let transport: any SyncTransport
  let secrets: SyncSecrets
  let progress: @Sendable (Double?) -> Void

  init(
    _ transport: any SyncTransport, _ secrets: SyncSecrets,
    progress: @escaping @Sendable (Double?) -> Void = { _ in }
  ) {
    self.progress = progress
    self.transport = transport
    self.secrets = secrets
  }

  /// Returns the manifest of the newest snapshot.
  func manifest() async throws -> SnapshotManifest {
    let sealed = try await transport.manifest()
    return try SnapshotManifest(
      bytes: sealed.open(ledger: secrets.ledger, ring: secrets.keys))
  }

  /// Reads the newest snapshot, and starts over if a newer snapshot replaces it in the meantime.
  ///
  /// - Parameter body: Reads the snapshot whose manifest is passed; throws ``RelayRefusal`` with
  ///   `notFound` if a chunk is missing.
  func newest<Result>(
    _ body: (SnapshotManifest) async throws -> Result
  ) async throws -> Result {
    var manifest = try await manifest()
    while true {
      let missing: RelayRefusal
      do { return try await body(manifest) } catch let refusal as RelayRefusal {
        missing = refusal
      }
      let read = manifest
      if missing.code == .notFound { manifest = try await self.manifest() }
      // If the relay lacks a chunk of its newest snapshot, retrying would never succeed.
      if manifest == read { throw missing }
    }
  }

  /// Checks a chunk's digest and index.
  ///
  /// - Throws: `WireError` with `damaged`.
  func check(_ chunk: SealedEntry, _ index: Int, _ digest: Hash256) throws {
    guard chunk.digest == digest, chunk.header.kind == .chunk,
      chunk.header.number == UInt64(index)
    else {
      throw WireError(.damaged, "chunk \(index) of the snapshot was changed after it was sent")
    }
  }

  /// Turns an empty store into a replica, chunk by chunk.
  func join(_ store: EventStore) async throws -> Replica {
    try await newest { manifest in
      let joining = try await Replica.Joining(store, rules: .ledger)
      // Discard the elements of an older snapshot that was replaced while it was being read.
      try await joining.clear()
      return try await join(joining, manifest)
    }
  }

  private func join(
    _ joining: Replica.Joining, _ manifest: SnapshotManifest
  ) async throws -> Replica {
    let chunks = SnapshotChunks(self, manifest)
    defer { progress(nil) }
    var batch = try await chunks.batch()
    while let taken = batch {
      // Fetch and decrypt the next chunk while the store adds this one.
      async let next = chunks.batch()
      try await joining.add(taken)
      batch = try await next
    }
    let read = try await chunks.ending()
    let (key, beacon) = (secrets.keys[read.epoch], manifest.beacon)
    let replica = try await joining.finish { digest in
      let digest = Hash256(digest) ?? .zero
      return key?.proof(ofState: digest, at: beacon.position) == beacon.state
    }
    var memory = LogMemory(
      ledger: secrets.ledger, own: try await replica.id().rawValue,
      chain: LogChain(from: read.end, floor: read.floor, numbers: read.devices.numbers))
    memory.devices = read.devices.devices
    memory.floorMoved = read.end.received
    try await replica.note(memory.notesOfBeginning)
    return replica
  }
}
