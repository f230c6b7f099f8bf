// Goal: devices that share a ledger notice nothing of its log being moved to and fro between stores: afterwards all are
// equal, with everything once. Method: the simulation of `SyncingTests`; now and then a mover runs before a request, and
// is killed after a step that the seed says. A request that nobody can answer is asked again once the move was finished.

import Entities
import SyncSimulation
import SyncWire
import Synchronization
import Testing

@testable import Relay

@Suite struct MovedSyncTests {
  private static let seeds: Range<UInt64> = 0..<3

  @Test(arguments: StoreKind.everywhere, seeds) func everyDeviceGoesOn(
    _ kind: StoreKind, seed: UInt64
  ) async throws {
    let clock = SimulatedClock()
    let world = MovingWorld(try await Stores(kind, .memory), seed: seed)
    let token = try await StoreTransport(world.stores.source, ledger: ledger).addDevice(
      named: "phone")
    let simulation = SharingSimulation(seed: seed, clock: clock, token: token) {
      FrontTransport(world: world, token: $0, clock: clock)
    }
    #expect(try await simulation.run() == [], "seed \(seed)")
    #expect(world.movedCount > 2, "seed \(seed)")
    let homes = try await world.stores.homes()
    #expect(homes.count == 1)
    #expect(try await world.stores.all[homes[0]].verify(ledger).faults == [])
  }
}

/// Two stores between which a log is moved again and again.
private final class MovingWorld: Sendable {
  let stores: Stores
  private let state: Mutex<State>

  private struct State {
    var random: SeededNumbers
    /// Where the log is, or was when the move began that is under way.
    var source = 0
    var movedCount = 0
  }

  init(_ stores: Stores, seed: UInt64) {
    self.stores = stores
    state = Mutex(State(random: SeededNumbers(seed: seed)))
  }

  var movedCount: Int { state.withLock { $0.movedCount } }

  private func draw(_ range: Range<Int>) -> Int {
    state.withLock { Int.random(in: range, using: &$0.random) }
  }

  /// Moves the log, or goes on with that.
  ///
  /// - Parameter kill: After how many steps it is killed.
  func move(killedAfter kill: Int = .max) async throws {
    let source = state.withLock { $0.source }
    let steps = StepCount()
    let mover = LogMover(ledger, from: stores.all[source], to: stores.all[1 - source]) { _ in
      if steps.next() == kill { throw Killed() }
    }
    try await mover.run()
    state.withLock { state in
      state.source = 1 - source
      state.movedCount += 1
    }
  }

  /// Lets movers do what the seed says, then asks whoever serves the log.
  func ask<Answer>(
    _ token: String, _ body: (any RelayStore) async throws -> Answer
  ) async throws -> Answer {
    switch draw(0..<8) {
    case 0: do { try await move(killedAfter: draw(0..<7)) } catch is Killed {}
    case 1:
      let source = state.withLock { $0.source }
      do {
        try await LogMover(ledger, from: stores.all[source], to: stores.all[1 - source]).takeBack()
      } catch MoveFault.elsewhere {}
    default: break
    }
    do {
      return try await stores.ask(token, body)
    } catch let refusal as RelayRefusal where refusal.code == .unavailable {
      try await move()
      return try await stores.ask(token, body)
    }
  }
}

/// A device's way to whichever store serves its log.
private struct FrontTransport: SyncTransport {
  let world: MovingWorld
  let token: String
  let clock: SimulatedClock

  private func ask<Answer>(
    _ body: (StoreTransport) async throws -> Answer
  ) async throws -> Answer {
    try await world.ask(token) { store in
      try await body(StoreTransport(store, ledger: ledger) { clock.now })
    }
  }

  func status() async throws -> LogStatus { try await ask { try await $0.status() } }
  func push(_ page: PushPage) async throws -> PushAnswer {
    try await ask { try await $0.push(page) }
  }
  func pull(after position: UInt64) async throws -> PullPage {
    try await ask { try await $0.pull(after: position) }
  }
  func ring(after position: UInt64) async throws -> UInt64 {
    try await ask { try await $0.ring(after: position) }
  }
  func putChunk(_ chunk: SealedEntry) async throws {
    try await ask { try await $0.putChunk(chunk) }
  }
  func chunk(_ digest: Hash256) async throws -> SealedEntry {
    try await ask { try await $0.chunk(digest) }
  }
  func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    try await ask { try await $0.putManifest(manifest, chunks: chunks) }
  }
  func manifest() async throws -> SealedEntry { try await ask { try await $0.manifest() } }
  func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    try await ask { try await $0.putInvitation(invitation, mailbox: mailbox) }
  }
  func devices() async throws -> [PairedDevice] { try await ask { try await $0.devices() } }
  func addDevice(named name: String) async throws -> String {
    try await ask { try await $0.addDevice(named: name) }
  }
  func revokeDevice(_ tokenHash: Hash256) async throws {
    try await ask { try await $0.revokeDevice(tokenHash) }
  }

  /// Whoever takes an invitation has no token yet; one that was let in before asks for them.
  func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try await world.ask("0") { store in
      try await StoreTransport(store, ledger: ledger) { clock.now }.takeInvitation(mailbox: mailbox)
    }
  }
}
