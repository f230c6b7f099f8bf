import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire

@testable import DaybookSync
@testable import DaybookTesting

/// A relay with a fault, as one device sees it.
struct FaultyRelay: SyncTransport {
  let base: FaultyTransport
  let fault: RelayFault
  /// The entries of another ledger.
  let foreign: [PlacedEntry]

  /// After so many entries the relay is no longer what it was.
  private static let honestCount = 14

  /// The log as the device is shown it; `nil` while nothing is wrong with it.
  private func shown() async throws -> [PlacedEntry]? {
    let log = try await base.base.pull(after: 0).entries
    guard log.count > Self.honestCount else { return nil }
    return fault.view(log, pivot: Self.honestCount - 1, foreign: foreign)
  }

  /// The end of a log.
  private func end(_ log: some Sequence<PlacedEntry>) async throws -> LogEnd {
    var end = LogEnd(startOf: try await base.base.status().ledger)
    for placed in log {
      let header = placed.entry.header
      end = end.appending(
        replica: header.replica, number: header.number, received: placed.received,
        digest: placed.entry.digest)
    }
    return end
  }

  func pull(after position: UInt64) async throws -> PullPage {
    var page = try await base.pull(after: position)
    guard let log = try await shown() else { return page }
    switch fault {
    case .answersStale where position > 1 && !page.entries.isEmpty:
      return try await base.base.pull(after: position - 1)
    case .rollsBack where position > UInt64(Self.honestCount):
      let shorter = log.prefix(Self.honestCount)
      return PullPage(
        head: UInt64(shorter.count), floor: page.floor, link: try await end(shorter).link,
        entries: [])
    default: break
    }
    page.head = UInt64(log.count)
    page.entries = Array(log.dropFirst(Int(position)))
    page.link = try await end(log).link
    return page
  }

  func status() async throws -> LogStatus {
    var status = try await base.status()
    guard let log = try await shown() else { return status }
    status.end = try await end(fault == .rollsBack ? Array(log.prefix(Self.honestCount)) : log)
    return status
  }

  func push(_ page: PushPage) async throws -> PushAnswer {
    guard fault == .forgets, try await shown() != nil else { return try await base.push(page) }
    let end = try await base.base.status().end
    let positions = page.entries.indices.map { end.position + UInt64($0) + 1 }
    return PushAnswer(positions: positions, duplicates: 0, end: end)
  }

  func waitForEntries(after position: UInt64) async throws -> UInt64 {
    try await base.waitForEntries(after: position)
  }
  func putChunk(_ chunk: SealedEntry) async throws { try await base.putChunk(chunk) }
  func chunk(_ digest: Hash256) async throws -> SealedEntry { try await base.chunk(digest) }
  func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    try await base.putManifest(manifest, chunks: chunks)
  }
  func manifest() async throws -> SealedEntry { try await base.manifest() }
  func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await base.putInvitation(invitation, mailbox: mailbox)
  }
  func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await base.takeInvitation(mailbox: mailbox)
  }
  func devices() async throws -> [PairedDevice] { try await base.devices() }
  func addDevice(named name: String) async throws -> String {
    try await base.addDevice(named: name)
  }
  func revokeDevice(_ tokenHash: Hash256) async throws { try await base.revokeDevice(tokenHash) }
}
