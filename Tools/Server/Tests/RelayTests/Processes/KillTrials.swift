// Goal: a relay that is killed at any moment loses and moves nothing that it answered for, and nothing that anybody read
// changes.
// Method: a real process is killed again and again, from 1 ms after it was started on, while devices push under their push
// numbers, and push again what was not answered, and others read. Afterwards the whole log is compared with what each of
// them was told. DAYBOOK_RELAY_TRIALS sets how many kills (12 by default).

import Entities
import Foundation
import SyncWire
import Synchronization
import Testing

@testable import Relay

private let killCount =
  ProcessInfo.processInfo.environment["DAYBOOK_RELAY_TRIALS"].flatMap { Int($0) } ?? 12

@Suite struct KillTrials {
  /// Kills of one relay, one after another.
  private static let roundCount = 12

  @Test(arguments: Array(0..<(killCount + roundCount - 1) / roundCount))
  func nothingThatWasAnsweredIsLostOrMoved(_ series: Int) async throws {
    var random = SeededNumbers(seed: UInt64(series))
    let scratch = Scratch()
    let port = Int.random(in: 20_000...60_000)
    let devices = try await letIn(5, scratch.path)
    let pushers = (0..<3).map {
      Pusher(
        RelayClient(port: port, token: devices[$0]), replica: UInt64($0 + 1), seed: UInt64(series))
    }
    let readers = (3..<5).map { Reader(RelayClient(port: port, token: devices[$0])) }
    for _ in 0..<Self.roundCount {
      let process = try RelayProcess(folder: scratch.path, port: port)
      // Every fourth is killed while it starts, the others once some push was answered.
      let isEarly = Int.random(in: 0..<4, using: &random) == 0
      if !isEarly { try await process.becomesReady(readers[0].client) }
      let wait = Int.random(in: 1...30, using: &random)
      let (answers, answered) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for pusher in pushers {
          group.addTask { try await pusher.pushUntilNoAnswer { answered.yield() } }
        }
        for reader in readers { group.addTask { try await reader.readUntilNoAnswer() } }
        if !isEarly { for await _ in answers { break } }
        try await Task.sleep(for: .milliseconds(wait))
        await process.kill()
        try await group.waitForAll()
      }
    }
    let answeredCount = pushers.reduce(0) { $0 + $1.answeredCount }
    let process = try RelayProcess(folder: scratch.path, port: port)
    try await process.becomesReady(readers[0].client)
    // What was not answered before is placed once, whether it was there or not.
    for pusher in pushers { try await pusher.push() }
    let verified = try await RelayProcess.run("verify", "--folder", scratch.path)
    #expect(verified.status == 0, "\(verified.text)")
    let whole = Reader(RelayClient(port: port, token: devices[3]))
    try await whole.readToHead()
    for reader in readers {
      try await reader.readToHead()
      #expect(whole.hasRead(reader), "seed \(series): what was read has changed")
    }
    for pusher in pushers {
      #expect(whole.hasPlaced(pusher), "seed \(series): what was answered is lost or moved")
    }
    await process.kill()
    if killCount > Self.roundCount {
      print("seed \(series): \(Self.roundCount) kills, \(answeredCount) entries answered for")
    }
  }

  private func letIn(_ count: Int, _ folder: String) async throws -> [String] {
    let store = try EmbeddedRelayStore.open(folder: folder)
    try await store.makeLedger(ledger, quota: 1 << 30)
    let tokens = (0..<count).map { _ in DeviceToken.make() }
    for token in tokens {
      try await store.addDevice(
        RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: "Device"))
    }
    return tokens
  }
}

/// A device that pushes, and remembers what it was told.
private final class Pusher: Sendable {
  private let client: RelayClient
  let replica: UInt64
  private let state: Mutex<State>

  private struct State {
    var random: SeededNumbers
    /// All that was sealed, in the order of its push numbers from 1 on.
    var entries: [SealedEntry] = []
    /// Where each of the first of them is.
    var positions: [UInt64] = []
  }

  init(_ client: RelayClient, replica: UInt64, seed: UInt64) {
    self.client = client
    self.replica = replica
    state = Mutex(State(random: SeededNumbers(seed: seed &* 31 &+ replica)))
  }

  var answeredCount: Int { state.withLock { $0.positions.count } }

  func isPlaced(in log: [PlacedEntry]) -> Bool {
    state.withLock { state in
      zip(state.positions, state.entries).allSatisfy { position, entry in
        position <= UInt64(log.count) && log[Int(position) - 1].entry == entry
      }
    }
  }

  func pushUntilNoAnswer(_ answered: () -> Void) async throws {
    do {
      while true {
        try await push()
        answered()
      }
    } catch is NoAnswer {}
  }

  /// Pushes what was not answered and something new, now and then behind something that was.
  func push() async throws {
    let (page, from) = try state.withLock { state in
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
      return (PushPage(Array(state.entries[from...].prefix(20))), from)
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

/// A device that reads, and remembers every link that it saw.
private final class Reader: Sendable {
  let client: RelayClient
  private let state = Mutex(State())

  private struct State {
    var chain = LogChain(ledger: ledger)
    var log: [PlacedEntry] = []
    /// The links where a page ended.
    var links: [UInt64: WireHash] = [:]
  }

  init(_ client: RelayClient) { self.client = client }

  func hasRead(_ other: Reader) -> Bool {
    let (log, links) = other.state.withLock { ($0.log, $0.links) }
    return state.withLock { state in
      state.log.starts(with: log)
        && links.allSatisfy { state.chain.link(at: $0.key) == $0.value }
    }
  }

  func hasPlaced(_ pusher: Pusher) -> Bool { pusher.isPlaced(in: state.withLock { $0.log }) }

  func readUntilNoAnswer() async throws {
    do {
      while true {
        try await readToHead()
        try await Task.sleep(for: .milliseconds(1))
      }
    } catch is NoAnswer {}
  }

  func readToHead() async throws {
    while true {
      let position = state.withLock { $0.chain.end.position }
      let page = try await client.pull(after: position)
      let isAtHead = try state.withLock { state in
        try state.chain.append(page)
        state.log += page.entries
        state.links[state.chain.end.position] = page.link
        return state.chain.end.position == page.head
      }
      if isAtHead { return }
    }
  }
}
