import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync
@testable import DaybookTesting

@Suite struct PairingTests {
  private func began() async throws -> Household {
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    var household = Household()
    try await household.start(ledger)
    return household
  }

  private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? SyncError)?.code
    }
  }

  @Test func aCodeIsUsedOnce() async throws {
    let household = try await began()
    let pairing = try await household.devices[0].invite()
    let (second, third) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    try await household.sync(second).join(pairing, relay: "memory", deviceName: "laptop")
    let refused = await code {
      try await household.sync(third).join(pairing, relay: "memory", deviceName: "thief")
    }
    #expect(refused == .codeGone)
    #expect(try third.token.sequence == 0)
  }

  @Test func aCodeIsGoodForTenMinutes() async throws {
    let household = try await began()
    let pairing = try await household.devices[0].invite()
    household.pass(seconds: 601)
    let late = try await Ledger.inMemory()
    let refused = await code {
      try await household.sync(late).join(pairing, relay: "memory", deviceName: "late")
    }
    #expect(refused == .codeGone)
  }

  @Test func aLedgerThatHoldsSomethingIsAnotherOne() async throws {
    let household = try await began()
    let pairing = try await household.devices[0].invite()
    let other = try await Ledger.inMemory()
    try await other.append(.openAccount(NewAccount(name: "Bank", currency: .eur)))
    let refused = await code {
      try await household.sync(other).join(pairing, relay: "memory", deviceName: "other")
    }
    #expect(refused == .notEmpty)
    #expect(try other.read { try $0.accounts().map(\.name) } == ["Bank"])
  }

  @Test func aWrongTokenIsRefusedBeforeAnythingChanges() async throws {
    let household = Household()
    let ledger = try await Ledger.inMemory()
    let sync = household.sync(ledger)
    let refused = await code {
      try await sync.start(relay: "memory", token: "wrong", deviceName: "phone")
    }
    #expect(refused == .notAllowed)
    #expect(try await !sync.isShared())
    #expect(await code { try await sync.exchange() } == .notShared)
  }

  @Test func whoIsSharedAlreadyStartsNothing() async throws {
    let household = try await began()
    let refused = await code {
      try await household.devices[0].start(relay: "memory", token: "x", deviceName: "phone")
    }
    #expect(refused == .alreadyShared)
  }

  @Test func startingGoesOnWhereABusyRelayInterruptedIt() async throws {
    let household = Household()
    let refusal = Kept<FaultyTransport.Refusal?>(
      FaultyTransport.Refusal(RelayRefusal(.unavailable, "later"), ofPushes: true))
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    let sync = household.sync(ledger) {
      var way = FaultyTransport(
        base: $0, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0)
      way.refusal = refusal
      return way
    }
    let token = await household.relay.addDevice(named: "phone")
    func start(_ token: String) async throws {
      try await sync.start(relay: "memory", token: token, deviceName: "phone")
    }
    #expect(await code { try await start(token) } == .busy)
    // With another token it is somebody else's.
    #expect(await code { try await start("other") } == .alreadyShared)
    #expect(await code { try await start(token) } == .busy)
    refusal.value = nil
    try await start(token)
    let pairing = try await sync.invite()
    let laptop = try await Ledger.inMemory()
    try await household.sync(laptop).join(pairing, relay: "memory", deviceName: "laptop")
    #expect(try laptop.read { try $0.accounts().map(\.name) } == ["Cash"])
    // What was exchanged once is not started again.
    #expect(await code { try await start(token) } == .alreadyShared)
  }

  @Test func aMissingKeyIsAnErrorAndNeverPlaintext() async throws {
    let household = try await began()
    let sync = household.devices[0]
    try sync.options.secrets.remove()
    await sync.disconnect()
    #expect(await code { try await sync.exchange() } == .missingKey)
    let sealed = await household.relay.entries
    let text = Array("Cash".utf8)
    for placed in sealed {
      let bytes = placed.entry.bytes
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: text) })
    }
  }

  @Test func whoIsTurnedAwayReadsNothingThatIsRecordedLater() async throws {
    var household = try await began()
    let (second, third) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    try await household.join(second, name: "laptop")
    try await household.join(third, name: "tablet")
    try await household.settle()
    try await household.devices[0].revoke(deviceName: "laptop")
    #expect(await code { try await household.devices[1].exchange() } == .notAllowed)
    try await household.devices[0].ledger.append(
      .openAccount(NewAccount(name: "Secret", currency: .eur)))
    try await household.devices[0].exchange()
    try await household.devices[2].exchange()
    #expect(try third.read { try $0.accounts().count } == 2)
    #expect(household.devices[2].state.devices.first { $0.name == "laptop" }?.isRevoked == true)
    // What the relay has of it, the old keys do not open.
    let secrets = try #require(try household.devices[1].options.secrets.load())
    let newest = try #require(await household.relay.entries.last)
    #expect(throws: WireError.self) {
      try newest.entry.open(ledger: secrets.ledger, ring: secrets.keys)
    }
  }

  @Test func whoWasInterruptedWhileJoiningJoinsAgain() async throws {
    let household = try await began()
    let ledger = try await Ledger.inMemory()
    let first = try await household.devices[0].invite()
    let interrupted = household.sync(ledger) { base in
      // Nothing but the manifest comes through.
      FaultyTransport(
        base: base, random: Kept(SeededGenerator(seed: 3)), lossPercent: 0, losesChunks: true)
    }
    await #expect(throws: NetworkFault.self) {
      try await interrupted.join(first, relay: "memory", deviceName: "laptop")
    }
    #expect(await code { try await household.sync(ledger).exchange() } == .incomplete)
    let second = try await household.devices[0].invite()
    try await household.sync(ledger).join(second, relay: "memory", deviceName: "laptop")
    #expect(try ledger.read { try $0.accounts().map(\.name) } == ["Cash"])
  }

  @Test func whoLeavesKeepsTheBooksAndHearsNothingMore() async throws {
    var household = try await began()
    let second = try await Ledger.inMemory()
    try await household.join(second, name: "laptop")
    #expect(try await household.devices[1].leave())
    #expect(try await !household.devices[1].isShared())
    #expect(try second.read { try $0.accounts().map(\.name) } == ["Cash"])
    try await second.append(.openAccount(NewAccount(name: "Own", currency: .eur)))
    #expect(await code { try await household.devices[1].exchange() } == .notShared)
  }
}
