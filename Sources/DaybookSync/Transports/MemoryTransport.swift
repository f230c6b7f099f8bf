public import DaybookEntities
public import DaybookSyncWire

/// A transport to a ``MemoryRelay``.
public struct MemoryTransport: SyncTransport {
  private let relay: MemoryRelay
  private let token: String

  /// Creates a transport for the device with the given token.
  public init(_ relay: MemoryRelay, token: String) {
    self.relay = relay
    self.token = token
  }

  /// Returns the status of the log.
  public func status() async throws -> LogStatus {
    try await relay.allow(token)
    return await relay.status()
  }

  /// Appends entries to the log.
  public func push(_ page: PushPage) async throws -> PushAnswer {
    try await relay.allow(token)
    return try await relay.push(page, by: token)
  }

  /// Returns the entries after a position.
  public func pull(after position: UInt64) async throws -> PullPage {
    try await relay.allow(token)
    return try await relay.pull(after: position)
  }

  /// Waits until the log extends beyond `position`, and returns the position of the log's end.
  public func waitForEntries(after position: UInt64) async throws -> UInt64 {
    try await relay.allow(token)
    return await relay.waitForEntries(after: position)
  }

  /// Stores a chunk of a snapshot under its digest.
  public func putChunk(_ chunk: SealedEntry) async throws {
    try await relay.allow(token)
    await relay.put(chunk)
  }

  /// Returns the chunk that has the given digest.
  public func chunk(_ digest: Hash256) async throws -> SealedEntry {
    try await relay.allow(token)
    return try await relay.chunk(digest)
  }

  /// Makes a manifest the ledger's newest snapshot.
  public func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    try await relay.allow(token)
    try await relay.put(manifest: manifest, chunks: chunks)
  }

  /// Returns the manifest of the newest snapshot.
  public func manifest() async throws -> SealedEntry {
    try await relay.allow(token)
    return try await relay.manifest()
  }

  /// Stores an invitation in a mailbox for ten minutes.
  public func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await relay.allow(token)
    await relay.put(invitation, mailbox: mailbox)
  }

  /// Returns an invitation and removes it from its mailbox.
  public func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await relay.takeInvitation(mailbox)
  }

  /// Returns the devices of the ledger.
  public func devices() async throws -> [PairedDevice] {
    try await relay.allow(token)
    return await relay.devices()
  }

  /// Adds a device, and returns its token.
  public func addDevice(named name: String) async throws -> String {
    try await relay.allow(token)
    return await relay.addDevice(named: name)
  }

  /// Revokes a device's token.
  public func revokeDevice(_ tokenHash: Hash256) async throws {
    try await relay.allow(token)
    try await relay.revoke(tokenHash)
  }
}
