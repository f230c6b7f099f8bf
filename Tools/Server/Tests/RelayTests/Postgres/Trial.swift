// Devices that push and read while servers come and go, and what they were told.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Synchronization

@testable import Relay
@testable import RelayPostgres

/// Three devices that push, and two that read, on a cluster of its own: one waits at the log's end, and one begins anew there.
struct Trial {
  let cluster: OwnCluster
  let store: PostgresRelayStore
  private let seen = Seen()
  private let work: Task<Void, Never>

  /// Begins.
  ///
  /// - Parameter options: What else the server is told of the devices' sessions.
  init(port: Int, options: String = "") async throws {
    let cluster = try OwnCluster(port: port)
    let store = try await eventually { try await cluster.store(size: 12, options: options) }
    try await store.makeLedger(ledger, quota: 1 << 30)
    self.cluster = cluster
    self.store = store
    work = Task { [seen] in
      await withTaskGroup(of: Void.self) { group in
        for replica in 1...3 as ClosedRange<UInt64> {
          group.addTask { await Trial.write(replica, to: store, seen) }
        }
        group.addTask { await Trial.read(store, seen, byteCountMax: 1 << 20) }
        group.addTask { await Trial.read(store, seen, byteCountMax: 1 << 12, isRepeating: true) }
      }
    }
    try await cluster.hasStandbys(1)
    try await progress()
  }

  /// Waits until some more pushes were acknowledged.
  func progress() async throws {
    let before = seen.acknowledged
    try await eventually { try require(seen.acknowledged > before + 20) }
  }

  /// Ends; what was acknowledged or read, and is not so any more.
  func end() async throws -> [String] {
    seen.end()
    await work.value
    let faults = try await eventually { try await store.verify(ledger).faults }
    var log: [UInt64: (digest: Hash256, link: Hash256)] = [:]
    var end = LogEnd(startOf: ledger)
    while true {
      let page = try await store.pull(from: ledger, after: end.position, byteCountMax: 1 << 20)
      for placed in page.entries {
        end = end.appending(
          replica: placed.entry.header.replica, number: placed.entry.header.number,
          received: placed.received, digest: placed.entry.digest)
        log[end.position] = (placed.entry.digest, end.link)
      }
      if end.position == page.head { break }
    }
    return faults + seen.moved(in: log)
  }

  private static func write(_ replica: UInt64, to store: PostgresRelayStore, _ seen: Seen) async {
    var number: UInt64 = 1
    var next = try? entry(number, replica: replica)
    while !seen.isEnded, let one = next {
      do {
        let answer = try await store.push(PushPage([one]), to: ledger, now: Int64(number))
        seen.acknowledge(answer.positions[0], answer.end, one)
        number += 1
        next = try? entry(number, replica: replica)
      } catch let refusal as RelayRefusal where refusal.code == .unavailable {
        try? await Task.sleep(for: .milliseconds(20))
      } catch {
        return seen.fail("push \(number) of \(replica): \(error)")
      }
    }
  }

  private static func read(
    _ store: PostgresRelayStore, _ seen: Seen, byteCountMax: Int, isRepeating: Bool = false
  ) async {
    var chain = LogChain(ledger: ledger)
    while !seen.isEnded {
      do {
        let page = try await store.pull(
          from: ledger, after: chain.end.position, byteCountMax: byteCountMax)
        try chain.append(page)
        seen.read(chain.end)
        if isRepeating, chain.end.position == page.head { chain = LogChain(ledger: ledger) }
        if page.entries.isEmpty { try? await Task.sleep(for: .milliseconds(5)) }
      } catch let refusal as RelayRefusal where refusal.code == .unavailable {
        try? await Task.sleep(for: .milliseconds(20))
      } catch {
        return seen.fail("read after \(chain.end.position): \(error)")
      }
    }
  }
}

/// What writers were told and readers saw.
private final class Seen: Sendable {
  private struct State {
    var acknowledged: [UInt64: Hash256] = [:]
    var links: [UInt64: Hash256] = [:]
    var faults: [String] = []
    var isEnded = false
  }

  private let state = Mutex(State())

  var acknowledged: Int { state.withLock { $0.acknowledged.count } }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  func end() { state.withLock { $0.isEnded = true } }
  func fail(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  func acknowledge(_ position: UInt64, _ end: LogEnd, _ entry: SealedEntry) {
    state.withLock {
      $0.acknowledged[position] = entry.digest
      if end.position == position { $0.links[position] = end.link }
    }
  }

  func read(_ end: LogEnd) { state.withLock { $0.links[end.position] = end.link } }

  /// What is not where it was, or went wrong.
  func moved(in log: [UInt64: (digest: Hash256, link: Hash256)]) -> [String] {
    state.withLock { state in
      let lost = state.acknowledged.filter { log[$0.key]?.digest != $0.value }
      let changed = state.links.filter { $0.key > 0 && log[$0.key]?.link != $0.value }
      return state.faults + lost.keys.sorted().map { "\($0) is lost" }
        + changed.keys.sorted().map { "\($0) has changed" }
    }
  }
}
