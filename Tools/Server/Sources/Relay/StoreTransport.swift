public import Entities
import Projecting
public import SyncWire

/// A way to a relay without a network: for tests and simulations, onto any store.
public struct StoreTransport: SyncTransport {
  private let store: any RelayStore
  private let ledger: EntityID
  private let now: @Sendable () -> Int64

  /// A way to a ledger's log.
  ///
  /// - Parameter now: The relay's clock, in microseconds since 1970.
  public init(
    _ store: any RelayStore, ledger: EntityID, now: @escaping @Sendable () -> Int64 = clockNow
  ) {
    self.store = store
    self.ledger = ledger
    self.now = now
  }

  /// The log's end and floor.
  public func status() async throws -> LogStatus { try await store.status(of: ledger, now: now()) }

  /// Puts entries into the log.
  public func push(_ page: PushPage) async throws -> PushAnswer {
    try await store.push(page, to: ledger, now: now())
  }

  /// The entries behind a position.
  public func pull(after position: UInt64) async throws -> PullPage {
    try await store.pull(
      from: ledger, after: position, byteCountMax: WireLimits.pageByteCountMax)
  }

  /// Waits until the log is longer than `position`, or for a minute.
  public func ring(after position: UInt64) async throws -> UInt64 {
    try await store.ring(ledger, after: position, seconds: 60)
  }

  /// Keeps a chunk of a snapshot under its digest.
  public func putChunk(_ chunk: SealedEntry) async throws {
    try await store.putChunk(chunk, of: ledger)
  }

  /// The chunk of a digest.
  public func chunk(_ digest: Hash256) async throws -> SealedEntry {
    try await store.chunk(digest, of: ledger)
  }

  /// Makes a manifest the ledger's newest snapshot.
  public func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    try await store.putManifest(manifest, chunks: chunks, of: ledger)
  }

  /// The manifest of the newest snapshot.
  public func manifest() async throws -> SealedEntry { try await store.manifest(of: ledger) }

  /// Keeps an invitation under a mailbox for ten minutes.
  public func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await store.putInvitation(invitation, mailbox: mailbox, of: ledger, now: now())
  }

  /// Takes an invitation out.
  public func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await store.takeInvitation(mailbox: mailbox, now: now())
  }

  /// The devices of the ledger.
  public func devices() async throws -> [PairedDevice] {
    try await store.devices(of: ledger).map(PairedDevice.init)
  }

  /// Lets one more device in.
  public func addDevice(named name: String) async throws -> String {
    try await store.letIn(name, to: ledger)
  }

  /// Turns a device away from now on.
  public func revokeDevice(_ tokenHash: Hash256) async throws {
    guard try await store.revoke(tokenHash, of: ledger) else {
      throw RelayRefusal(.notFound, "The ledger has no device whose token has this hash.")
    }
  }
}

extension PairedDevice {
  /// What the ledger's other devices are told of a device.
  public init(_ device: RelayDevice) {
    self.init(
      tokenHash: device.tokenHash, name: device.name, replicas: device.replicas,
      isRevoked: device.isRevoked)
  }
}

/// This machine's clock, in microseconds since 1970.
@Sendable public func clockNow() -> Int64 { EventStoreOptions.systemClock() }
