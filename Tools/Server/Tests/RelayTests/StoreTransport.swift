// A way to a relay without a network, onto any store.

import DaybookEntities
import DaybookSyncWire
import Relay

struct StoreTransport: SyncTransport {
  private let store: any RelayStore
  private let ledger: EntityID
  private let now: @Sendable () -> Int64

  init(_ store: any RelayStore, ledger: EntityID, now: @escaping @Sendable () -> Int64) {
    self.store = store
    self.ledger = ledger
    self.now = now
  }

  func status() async throws -> LogStatus { try await store.status(of: ledger, now: now()) }

  func push(_ page: PushPage) async throws -> PushAnswer {
    try await store.push(page, to: ledger, now: now())
  }

  func pull(after position: UInt64) async throws -> PullPage {
    try await store.pull(
      from: ledger, after: position, byteCountMax: WireLimits.pageByteCountMax)
  }

  func waitForEntries(after position: UInt64) async throws -> UInt64 {
    try await store.waitForEntries(ledger, after: position, seconds: 60)
  }

  func putChunk(_ chunk: SealedEntry) async throws {
    try await store.putChunk(chunk, of: ledger)
  }

  func chunk(_ digest: Hash256) async throws -> SealedEntry {
    try await store.chunk(digest, of: ledger)
  }

  func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    try await store.putManifest(manifest, chunks: chunks, of: ledger)
  }

  func manifest() async throws -> SealedEntry { try await store.manifest(of: ledger) }

  func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await store.putInvitation(invitation, mailbox: mailbox, of: ledger, now: now())
  }

  func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await store.takeInvitation(mailbox: mailbox, now: now())
  }

  func devices() async throws -> [PairedDevice] {
    try await store.devices(of: ledger).map(PairedDevice.init)
  }

  func addDevice(named name: String) async throws -> String {
    try await store.admit(name, to: ledger)
  }

  func revokeDevice(_ tokenHash: Hash256) async throws {
    guard try await store.revoke(tokenHash, of: ledger) else {
      throw RelayRefusal(.notFound, "The ledger has no device whose token has this hash.")
    }
  }
}
