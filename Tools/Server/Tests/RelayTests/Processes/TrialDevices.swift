// The devices of the trials: each remembers what it was told.

import DaybookEntities
import DaybookRandom
import DaybookSyncWire
import Synchronization
import Testing

@testable import Relay

/// A device that pushes, and remembers what it was told.
final class Pusher: Sendable {
  let replica: UInt64
  private let state: Mutex<State>

  private struct State {
    var client: RelayClient
    var random: SeededGenerator
    /// All that was sealed, in the order of its push numbers from 1 on.
    var entries: [SealedEntry] = []
    /// Where each of the first of them is.
    var positions: [UInt64] = []
  }

  init(_ client: RelayClient, replica: UInt64, seed: UInt64) {
    self.replica = replica
    state = Mutex(
      State(client: client, random: SeededGenerator(seed: seed &* 31 &+ replica)))
  }

  /// Asks another relay from now on.
  func goes(to client: RelayClient) { state.withLock { $0.client = client } }

  var answeredCount: Int { state.withLock { $0.positions.count } }

  /// What a floor may not pass: what may be pushed again, and the base of what was not answered.
  var floorMax: UInt64 {
    state.withLock { state in
      let count = state.positions.count
      guard count >= 2 else { return 0 }
      let base = count < state.entries.count ? state.entries[count].header.base : .max
      return min(state.positions[count - 2] - 1, base)
    }
  }

  func isPlaced(in log: [PlacedEntry]) -> Bool {
    state.withLock { state in
      zip(state.positions, state.entries).allSatisfy { position, entry in
        position <= UInt64(log.count) && log[Int(position) - 1].entry == entry
      }
    }
  }

  /// Pushes as long as the relay lives.
  func goOn(_ life: Life, _ answered: () -> Void) async throws {
    try await life.goOn {
      try await push()
      answered()
    }
  }

  /// Pushes what was not answered and something new, now and then behind something that was.
  func push() async throws {
    let (client, page, from) = try state.withLock { state in
      let again = min(Int.random(in: 0...2, using: &state.random), state.positions.count)
      for _ in 0..<Int.random(in: 1...4, using: &state.random) {
        let content = [UInt8](
          repeating: 7, count: Int.random(in: 1...3_000, using: &state.random))
        state.entries.append(
          try entry(
            UInt64(state.entries.count + 1), replica: replica, base: state.positions.last ?? 0,
            content: content))
      }
      let from = state.positions.count - again
      return (state.client, PushPage(Array(state.entries[from...].prefix(20))), from)
    }
    let answer = try await client.push(page)
    state.withLock { state in
      for (index, position) in answer.positions.enumerated() {
        if from + index < state.positions.count {
          #expect(state.positions[from + index] == position, "an entry has moved")
        } else {
          state.positions.append(position)
        }
      }
    }
  }
}

/// A device that reads, and remembers every entry and every link that it saw.
final class Reader: Sendable {
  private let state: Mutex<State>

  private struct State {
    var client: RelayClient
    var chain: LogChain
    var log: [PlacedEntry] = []
    /// The log's end behind each entry, and first the one that it began behind.
    var ends: [LogEnd]
  }

  init(_ client: RelayClient) {
    let chain = LogChain(ledger: ledger)
    state = Mutex(State(client: client, chain: chain, ends: [chain.end]))
  }

  /// How it reaches the relay.
  var client: RelayClient { state.withLock { $0.client } }

  /// Asks another relay from now on.
  func goes(to client: RelayClient) { state.withLock { $0.client = client } }

  /// A reader that begins where another one was once, as one that has a snapshot does.
  init(_ client: RelayClient, behind position: UInt64, of other: Reader) {
    let (log, end) = other.state.withLock {
      (Array($0.log[..<Int(position)]), $0.ends[Int(position)])
    }
    var numbers: [UInt64: UInt64] = [:]
    for placed in log { numbers[placed.entry.header.replica] = placed.entry.header.number }
    let floor = log.reduce(0) { max($0, $1.entry.header.floor) }
    state = Mutex(
      State(
        client: client, chain: LogChain(from: end, floor: floor, numbers: numbers), ends: [end]))
  }

  var position: UInt64 { state.withLock { $0.chain.end.position } }

  func hasReadTheSame(as other: Reader) -> Bool {
    let (log, ends) = other.state.withLock { ($0.log, $0.ends) }
    return state.withLock { $0.log == log && $0.ends == ends }
  }

  func endsWith(_ other: Reader) -> Bool {
    let (log, ends) = other.state.withLock { ($0.log, $0.ends) }
    return state.withLock {
      $0.log.suffix(log.count) == log[...] && $0.ends.suffix(ends.count) == ends[...]
    }
  }

  func hasPlaced(_ pusher: Pusher) -> Bool { pusher.isPlaced(in: state.withLock { $0.log }) }

  /// Reads as long as the relay lives.
  func goOn(_ life: Life) async throws { try await life.goOn { try await readToHead() } }

  func readToHead() async throws {
    while true {
      let page = try await client.pull(after: position)
      let isAtHead = try state.withLock { state in
        var end = state.chain.end
        try state.chain.append(page)
        for placed in page.entries {
          let header = placed.entry.header
          end = end.appending(
            replica: header.replica, number: header.number, received: placed.received,
            digest: placed.entry.digest)
          state.ends.append(end)
        }
        state.log += page.entries
        return state.chain.end.position == page.head
      }
      if isAtHead { return }
    }
  }
}

/// A device that raises the floor to what all have seen, and sends a snapshot of it.
final class FloorKeeper: Sendable {
  private let client: RelayClient
  private let replica: UInt64
  private let state = Mutex(State())

  private struct State {
    var number: UInt64 = 1
    var floor: UInt64 = 0
    /// What was not answered.
    var pending: SealedEntry?
  }

  init(_ client: RelayClient, replica: UInt64) {
    self.client = client
    self.replica = replica
  }

  /// Raises the floor as long as the relay lives.
  func goOn(_ life: Life, _ pushers: [Pusher], _ readers: [Reader]) async throws {
    try await life.goOn { try await raise(pushers, readers) }
  }

  func raise(_ pushers: [Pusher], _ readers: [Reader]) async throws {
    let seen = (pushers.map(\.floorMax) + readers.map(\.position)).min() ?? 0
    let pending = try state.withLock { state in
      if state.pending == nil, seen > state.floor {
        state.pending = try entry(
          state.number, replica: replica, base: seen, kind: .floor, floor: seen, content: [])
      }
      return state.pending
    }
    guard let pending else { return }
    _ = try await client.push(PushPage([pending]))
    let floor = pending.header.floor
    let chunk = try entry(0, replica: replica, base: floor, kind: .chunk)
    try await client.put("chunks", chunk.bytes)
    let manifest = ManifestBody(
      try entry(0, replica: replica, base: floor, kind: .manifest), chunks: [chunk.digest])
    try await client.put("manifest", manifest.bytes)
    state.withLock { state in
      state.pending = nil
      state.number += 1
      state.floor = floor
    }
  }

  /// Up to where the relay has let go of entries.
  func trimmedPosition() async throws -> UInt64 {
    do {
      _ = try await client.pull(after: 0)
      return 0
    } catch let refusal as RelayRefusal where refusal.code == .trimmed {
      return try #require(refusal.expected)
    }
  }
}

/// The life of a relay, up to when it is killed.
final class Life: Sendable {
  private let isOver = Atomic(false)

  func end() { isOver.store(true, ordering: .relaxed) }

  /// Does something again and again, as a device does that the relay answers now and then.
  func goOn(_ body: () async throws -> Void) async throws {
    while !isOver.load(ordering: .relaxed) {
      do {
        try await body()
      } catch is NoAnswer {
      } catch let refusal as RelayRefusal where refusal.code == .tooMany {}
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// Does something until the relay answers: the first request may go to a connection that is no longer there.
func untilAnswered(_ body: () async throws -> Void) async throws {
  while true {
    do {
      return try await body()
    } catch is NoAnswer {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
