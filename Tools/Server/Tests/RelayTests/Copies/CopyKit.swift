// Two stores: one with a log, and an empty one to copy it to.

import DaybookEntities
import DaybookSyncWire
import Synchronization

@testable import Relay

struct CopyStores: Sendable {
  private let scratches = [Scratch(), Scratch()]
  let source: EmbeddedRelayStore
  let target: any CopyTarget

  /// The source has a log for `ledger`, with the devices of the tokens "0" to "2".
  init(_ from: StoreKind, _ to: StoreKind) async throws {
    source = try Self.embedded(from, scratches[0])
    target =
      to == .postgres ? try await Cluster.store(size: 2) : try Self.embedded(to, scratches[1])
    try await source.makeLedger(ledger, quota: 1 << 30)
    for token in 0..<3 {
      try await source.addDevice(
        RelayDevice(
          ledger: ledger, tokenHash: DeviceToken.hash("\(token)"), name: "Device \(token)"))
    }
  }

  private static func embedded(_ kind: StoreKind, _ scratch: Scratch) throws -> EmbeddedRelayStore {
    kind == .memory ? .inMemory() : try .open(folder: scratch.path)
  }

  func copier() -> LogCopier { LogCopier(ledger, from: source, to: target, named: "b") }

  /// Gives the log everything that a log can have; the entries that replica 1 pushed.
  func fill() async throws -> [SealedEntry] {
    for (token, replicas) in [("0", [1, 5]), ("1", [2])] as [(String, [UInt64])] {
      for replica in replicas { try await source.bind(DeviceToken.hash(token), to: replica) }
    }
    _ = try await source.revoke(DeviceToken.hash("2"), of: ledger)
    var pushed: [SealedEntry] = []
    for number in 1...39 as ClosedRange<UInt64> { pushed.append(try entry(number)) }
    pushed.append(try entry(40, base: 10, kind: .floor, floor: 10))
    _ = try await source.push(PushPage(pushed), to: ledger, now: 5)
    for base in [8, 20] as [UInt64] {
      let chunk = try entry(0, base: base, kind: .chunk, content: [UInt8(base)])
      try await source.putChunk(chunk, of: ledger)
      guard base == 8 else { continue }
      try await source.putManifest(
        entry(0, base: base, kind: .manifest), chunks: [chunk.digest], of: ledger)
    }
    _ = try await source.trim(ledger, entryCountMax: 6)
    return pushed
  }
}

/// Ends a copy as a kill does.
struct Killed: Error {}

/// Counts steps from 0.
final class StepCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
