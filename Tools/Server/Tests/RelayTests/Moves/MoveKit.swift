// Two stores, and devices that reach a log in whichever of them serves it.

import Entities
import Foundation
import SyncWire
import Synchronization
import Testing

@testable import Relay

/// Stores for one test, each empty.
struct Stores: Sendable {
  private let scratches: [Scratch]
  let all: [any RelayStore]
  var source: any RelayStore { all[0] }
  var target: any RelayStore { all[1] }

  /// The first keeps a log for `ledger`, of which its devices have tokens "0" to "2".
  init(_ kinds: StoreKind...) async throws {
    scratches = kinds.map { _ in Scratch() }
    var made: [any RelayStore] = []
    for (kind, scratch) in zip(kinds, scratches) {
      switch kind {
      case .memory: made.append(EmbeddedRelayStore.inMemory())
      case .disk: made.append(try EmbeddedRelayStore.open(folder: scratch.path))
      case .postgres: made.append(try await Cluster.store(size: 2))
      }
    }
    all = made
    try await source.makeLedger(ledger, quota: 1 << 30)
    for token in 0..<3 {
      try await source.addDevice(
        RelayDevice(
          ledger: ledger, tokenHash: DeviceToken.hash("\(token)"), name: "Device \(token)"))
    }
  }

  /// Those that serve the log.
  func homes() async throws -> [Int] {
    var found: [Int] = []
    for (index, store) in all.enumerated() {
      let phase = try await store.moveState(of: ledger)?.phase
      if phase == .open || phase == .frozen { found.append(index) }
    }
    return found
  }

  /// Lets a device ask whoever serves the log, as a proxy in front of the relays does.
  func ask<Answer>(
    _ token: String, _ body: (any RelayStore) async throws -> Answer
  ) async throws -> Answer {
    for store in all {
      do {
        guard try await store.device(DeviceToken.hash(token)) != nil else { continue }
        return try await body(store)
      } catch let refusal as RelayRefusal
        where refusal.code == .unavailable || refusal.code == .moved
      {
        continue
      }
    }
    throw RelayRefusal(.unavailable, "Nobody serves it now.")
  }
}

/// A device that pushes one entry after another, and remembers where they are.
final class Writer: Sendable {
  private let replica: UInt64
  private let state = Mutex(State())

  private struct State {
    var entries: [SealedEntry] = []
    var positions: [UInt64] = []
  }

  init(_ replica: UInt64) { self.replica = replica }

  /// Pushes the next entry, or the one that was not answered.
  func push(_ stores: Stores) async throws {
    let next = try state.withLock { state in
      if state.entries.count == state.positions.count {
        state.entries.append(
          try entry(
            UInt64(state.entries.count + 1), replica: replica, base: state.positions.last ?? 0))
      }
      return state.entries[state.entries.count - 1]
    }
    let answer = try await stores.ask("\(replica - 1)") {
      try await $0.push(PushPage([next]), to: ledger, now: 1)
    }
    state.withLock { $0.positions.append(answer.positions[0]) }
  }

  /// What was acknowledged, and is not at its place in a log.
  func lost(in log: [PlacedEntry]) -> [UInt64] {
    state.withLock { state in
      zip(state.positions, state.entries).filter { position, entry in
        log.first { $0.position == position }?.entry != entry
      }.map(\.0)
    }
  }
}

/// What ends a mover as a kill does.
struct Killed: Error {}

/// How many steps were reported.
final class StepCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

/// The entries that a log keeps.
func entries(of store: any RelayStore) async throws -> [PlacedEntry] {
  var found: [PlacedEntry] = []
  var position = try await store.record(of: ledger).trimmed.position
  while true {
    let page = try await store.pull(from: ledger, after: position, byteCountMax: 1 << 20)
    if page.entries.isEmpty { return found }
    found += page.entries
    position += UInt64(page.entries.count)
  }
}
