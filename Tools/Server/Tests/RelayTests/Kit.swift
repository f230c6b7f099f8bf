import DaybookEntities
import DaybookSyncWire
import Foundation
import Hummingbird
import HummingbirdTesting
import RelayServer

@testable import Relay

let ledger = EntityID(high: 7, low: 8)
let key = LedgerKey()

func entry(
  _ number: UInt64, replica: UInt64 = 1, base: UInt64 = 0, kind: EntryKind = .commit,
  floor: UInt64 = 0, content: [UInt8] = [1]
) throws -> SealedEntry {
  try SealedEntry.seal(
    content,
    EntryHeader(
      kind: kind, replica: replica, number: number, base: base, clock: 1, floor: floor,
      epoch: kind == .invitation ? 0 : 1),
    ledger: ledger, key: key)
}

/// A folder that is removed with the value.
final class Scratch: Sendable {
  let path = NSTemporaryDirectory() + "/relay-\(UUID().uuidString)"
  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A port for a server: below those from which the system takes one for each connection that a client makes.
func anyPort() -> Int { Int.random(in: 20_000...32_000) }

/// What a store keeps its logs in.
enum StoreKind: CaseIterable {
  case memory, disk, postgres

  /// The embedded ones.
  static let allCases: [StoreKind] = [.memory, .disk]

  /// Those too that a cluster keeps, where there is one for tests.
  static let everywhere = allCases + (Cluster.url == nil ? [] : [.postgres])
}

/// Runs something with a store of any kind that keeps a log for `ledger`.
func withAnyStore(
  _ kind: StoreKind, _ body: (any RelayStore) async throws -> Void
) async throws {
  guard kind == .postgres else { return try await withStore(kind) { try await body($0) } }
  let store: any RelayStore = try await Cluster.store()
  try await store.makeLedger(ledger, quota: 1 << 30)
  try await body(store)
}

/// Runs something with an embedded store that keeps a log for `ledger`.
func withStore(
  _ kind: StoreKind, _ body: (EmbeddedRelayStore) async throws -> Void
) async throws {
  let scratch = Scratch()
  let store =
    kind == .memory ? EmbeddedRelayStore.inMemory() : try .open(folder: scratch.path)
  try await store.makeLedger(ledger, quota: 1 << 30)
  try await body(store)
}

/// How many rows an embedded store has that begin so.
func embeddedRowCount(_ store: any RelayStore, in table: [UInt8]) async throws -> Int {
  guard let store = store as? EmbeddedRelayStore else { throw NoEmbeddedStore() }
  return try await store.rows.read { rows in
    var count = 0
    try rows.scan(table, table) { _, _ in
      count += 1
      return true
    }
    return count
  }
}

private struct NoEmbeddedStore: Error {}

/// Sends requests to a server's routes, without a network.
func withClient(
  _ server: RelayServer, _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
  try await Application(router: server.router()).test(.router) { client in
    try await body(client)
  }
}

func refusal(_ code: RelayRefusal.Code, _ body: () async throws -> Void) async -> Bool {
  do {
    try await body()
    return false
  } catch {
    return (error as? RelayRefusal)?.code == code
  }
}

/// Reads a whole log and checks its chain.
func readAll(_ store: any RelayStore) async throws -> LogChain {
  var chain = LogChain(ledger: ledger)
  while true {
    let page = try await store.pull(
      from: ledger, after: chain.end.position, byteCountMax: WireLimits.pageByteCountMax)
    try chain.append(page)
    if chain.end.position == page.head { return chain }
  }
}
