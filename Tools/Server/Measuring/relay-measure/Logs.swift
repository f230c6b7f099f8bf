import DaybookEntities
import DaybookSyncWire
import Foundation
import Relay

/// The logs that are measured: one for each device that pushes, and one that all others pull from.
enum Logs {
  enum Kind: String {
    /// One entry.
    case push
    /// A page of the last 500 entries.
    case last
    /// A full page, amid the log.
    case amid

    /// Behind which position a page is asked for, and how many entries it has then.
    var page: (after: UInt64, entryCount: Int) { self == .last ? (11_500, 500) : (0, 10_433) }
  }

  static let deviceCount = 16
  private static let entryCount = 12_000
  private static let key = LedgerKey()

  /// Makes them; the tokens, first of those that push.
  static func make(on store: any RelayStore) async throws -> [String] {
    var tokens: [String] = []
    for number in 0..<deviceCount {
      let ledger = try await makeLedger(store)
      tokens.append(try await store.admit("device \(number)", to: ledger))
    }
    let log = try await makeLedger(store)
    for start in stride(from: 1, through: entryCount, by: 1_000) {
      let page = PushPage(try (start..<start + 1_000).map { try entry(UInt64($0), of: log) })
      _ = try await store.push(page, to: log, now: 1)
    }
    for number in 0..<deviceCount {
      tokens.append(try await store.admit("reader \(number)", to: log))
    }
    return tokens
  }

  private static func makeLedger(_ store: any RelayStore) async throws -> EntityID {
    let ledger = EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    try await store.makeLedger(ledger, quota: 1 << 40)
    return ledger
  }

  /// An entry of 330 bytes, of a device that is the only one to push.
  static func entry(_ number: UInt64, of ledger: EntityID) throws -> SealedEntry {
    let header = EntryHeader(
      kind: .commit, replica: 1, number: number, base: 0, clock: 1, floor: 0, epoch: 1)
    return try SealedEntry.seal([UInt8](repeating: 1, count: 220), header, ledger: ledger, key: key)
  }
}

/// What was not as it had to be.
struct Fault: Error, CustomStringConvertible {
  let description: String
}
