// Goal: a relay that refuses, answers nonsense, is of another version, slow or gone, and a wrong key, are told by an error
// that says what to do; nothing is lost, and the next exchange with a sound relay brings everything. Method: refusals in
// the way of a relay in memory; answers of a server that says what a test wants.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync
@testable import DaybookTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct BadRelayTests {
  /// A phone and a laptop that share an account, and what stands before the laptop's relay.
  private func began() async throws -> (Household, Kept<FaultyTransport.Refusal?>) {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await household.devices[0].ledger.append(
      .openAccount(NewAccount(name: "Cash", currency: .eur)))
    let refusal = Kept<FaultyTransport.Refusal?>(nil)
    try await household.join(try await Ledger.inMemory(), name: "laptop") { base in
      var transport = FaultyTransport(
        base: base, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0)
      transport.refusal = refusal
      return transport
    }
    try await household.settle()
    return (household, refusal)
  }

  private func open(_ name: String, _ sync: LedgerSync) async throws {
    try await sync.ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func names(_ sync: LedgerSync) throws -> [String] {
    try sync.ledger.read { try $0.accounts().map(\.name).sorted() }
  }

  private func error(_ body: () async throws -> Void) async -> SyncError? {
    do { try await body() } catch { return error as? SyncError }
    return nil
  }

  /// What a relay, or the way to it, says, and what a device is told.
  struct Case: Sendable, CustomTestStringConvertible {
    var refusal: FaultyTransport.Refusal
    var code: SyncError.Code
    /// Whether it is tried again by itself.
    var passes: Bool
    var testDescription: String { "\(refusal.error) \(code)" }

    init(_ error: any Error, _ code: SyncError.Code, passes: Bool, ofPushes: Bool = false) {
      refusal = FaultyTransport.Refusal(error, ofPushes: ofPushes)
      self.code = code
      self.passes = passes
    }
  }

  static let cases = [
    Case(RelayRefusal(.full, "no room"), .relayFull, passes: true, ofPushes: true),
    Case(RelayRefusal(.overQuota, "no room"), .relayFull, passes: true, ofPushes: true),
    Case(RelayRefusal(.otherVersion, "version 2"), .otherVersion, passes: false),
    Case(RelayRefusal(.unavailable, "later", retryAfter: 7), .busy, passes: true),
    Case(RelayRefusal(.tooMany, "later", retryAfter: 7), .busy, passes: true),
    Case(RelayRefusal(.unauthorized, "no"), .notAllowed, passes: false),
    Case(RelayRefusal(.noLedger, "none"), .notAllowed, passes: false),
    Case(URLError(.timedOut), .unreachable, passes: true),
    Case(URLError(.networkConnectionLost), .unreachable, passes: true),
    Case(URLError(.secureConnectionFailed), .unreachable, passes: true),
  ]

  @Test(arguments: cases) func whatIsRefusedIsToldAndNothingIsLost(_ one: Case) async throws {
    let (household, refusal) = try await began()
    let laptop = household.devices[1]
    refusal.value = one.refusal
    try await open("Unsent", laptop)
    let told = try #require(await error { try await laptop.exchange() })
    #expect(told.code == one.code)
    #expect(told.passes == one.passes)
    #expect(!told.message.isEmpty && !told.remedy.isEmpty)
    #expect(told.retryAfter == (one.refusal.error as? RelayRefusal)?.retryAfter)
    try await open("Later", laptop)
    #expect(try names(laptop) == ["Cash", "Later", "Unsent"])
    let waiting = try await laptop.refresh()
    #expect(waiting.pendingCount == 2)
    let pending = try await Replica(laptop.ledger.store, rules: .ledger).pending()
    let byteCount = pending.flatMap(\.changes).reduce(0) { $0 + ($1.after?.bytes.count ?? 0) }
    #expect(byteCount > 0 && waiting.pendingByteCount == byteCount)
    refusal.value = nil
    try await household.settle()
    for device in household.devices {
      #expect(try names(device) == ["Cash", "Later", "Unsent"])
    }
    try await household.checkEqual()
  }

  /// What passes by itself is waited for: once the relay is back, everything goes on without anybody's doing.
  @Test func whileTheRelayIsAwayItWaitsAndGoesOnByItself() async throws {
    let (household, refusal) = try await began()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    refusal.value = FaultyTransport.Refusal(URLError(.cannotConnectToHost))
    let running = Task { try await laptop.run() }
    for await state in laptop.states() where state.activity == .waiting {
      #expect(state.problem?.code == .unreachable)
      break
    }
    try await open("Unsent", laptop)
    refusal.value = nil
    for await state in laptop.states()
    where state.activity == .listening && state.pendingCount == 0 { break }
    #expect(laptop.state.problem == nil)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    try await phone.exchange()
    #expect(try names(phone) == ["Cash", "Unsent"])
  }

  // MARK: Over HTTP

  /// What a device is told by what a server answers, asked by the device's own secrets.
  private func told(
    _ household: Household, _ server: ScriptedServer, timeoutSeconds: Double = 60
  ) async throws -> SyncError? {
    let laptop = household.devices[1]
    var options = laptop.options
    options.connect = { _, token in
      try HTTPTransport(relay: server.address, token: token, timeoutSeconds: timeoutSeconds)
    }
    try await open("Unsent", laptop)
    let found = await error { try await LedgerSync(laptop.ledger, options: options).exchange() }
    await laptop.disconnect()
    try await household.settle()
    for device in household.devices { #expect(try names(device) == ["Cash", "Unsent"]) }
    try await household.checkEqual()
    return found
  }

  @Test(arguments: [
    (200, "<html>It works!</html>"), (404, "<html>Not Found</html>"), (200, ""), (200, "{}"),
    (500, "{\"code\": \"nonsense\"}"), (200, "{\"ledger\": 7}"),
  ])
  func whatIsNoRelayIsToldSo(status: Int, body: String) async throws {
    let (household, _) = try await began()
    let server = try ScriptedServer { _ in .http(status, Array(body.utf8)) }
    let found = try await told(household, server)
    #expect(found?.code == .malformed)
    #expect(found?.message.contains("isn't a relay") == true)
  }

  /// The status is right, and what is pulled is not.
  @Test(arguments: [
    ([], SyncError.Code.malformed), ([UInt8](repeating: 7, count: 300), .otherVersion),
    ([1, 2, 3], .malformed), ([1] + [UInt8](repeating: 0xff, count: 300), .malformed),
    ([2, 2] + [UInt8](repeating: 0, count: 92), .otherVersion),
  ])
  func aPageThatIsNoneIsToldSo(page: [UInt8], code: SyncError.Code) async throws {
    let (household, _) = try await began()
    try await open("Unseen", household.devices[0])
    try await household.devices[0].exchange()
    let status = Array(try JSONEncoder().encode(await household.relay.status()))
    let server = try ScriptedServer { .http(200, $0.hasSuffix("/status") ? status : page) }
    let laptop = household.devices[1]
    var options = laptop.options
    options.connect = { _, token in try HTTPTransport(relay: server.address, token: token) }
    let found = await error { try await LedgerSync(laptop.ledger, options: options).exchange() }
    #expect(found?.code == code)
    await laptop.disconnect()
    try await household.settle()
    #expect(try names(laptop) == ["Cash", "Unseen"])
    try await household.checkEqual()
  }

  @Test func whoGoesAwayAmidAnAnswerIsUnreachable() async throws {
    let (household, _) = try await began()
    let server = try ScriptedServer { _ in .http(200, Array("{\"ledger".utf8), missing: 500) }
    #expect(try await told(household, server)?.code == .unreachable)
  }

  @Test func whoHangsUpIsUnreachable() async throws {
    let (household, _) = try await began()
    let server = try ScriptedServer { _ in .bytes([]) }
    #expect(try await told(household, server)?.code == .unreachable)
  }

  @Test func whoSaysNothingIsUnreachable() async throws {
    let (household, _) = try await began()
    let server = try ScriptedServer { _ in .nothing }
    #expect(try await told(household, server, timeoutSeconds: 1)?.code == .unreachable)
  }

  // MARK: Keys and versions

  @Test func aWrongKeyOpensNothingAndIsTold() async throws {
    let (household, _) = try await began()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    let right = try #require(try laptop.options.secrets.load())
    var wrong = right
    wrong.keys = KeyRing(first: LedgerKey())
    try laptop.options.secrets.save(wrong)
    await laptop.disconnect()
    try await open("Bank", phone)
    try await phone.exchange()
    let found = try #require(await error { try await laptop.exchange() })
    #expect(found.code == .tampered)
    #expect(try names(laptop) == ["Cash"])
    try laptop.options.secrets.save(right)
    await laptop.disconnect()
    try await household.settle()
    #expect(try names(laptop) == ["Bank", "Cash"])
    try await household.checkEqual()
  }

  /// From an entry on the log needs a newer fold: this device stops there by name, and goes on recording.
  @Test func aNewerFoldStopsTheExchangeByName() async throws {
    let (household, _) = try await began()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    try await open("Before", phone)
    try await phone.exchange()
    try await phone.connected().alone { exchange in
      var page = OutgoingPage(of: exchange.own)
      let version = Fold.version + 1
      try await exchange.add(
        UpgradeEntry(foldVersion: version).bytes, .upgrade,
        base: exchange.memory.chain.end.position, clock: exchange.now(), to: &page)
      try await exchange.send(&page)
    }
    let found = try #require(await error { try await laptop.exchange() })
    #expect(found.code == .otherVersion)
    #expect(found.remedy.contains("Update Daybook"))
    try await open("Recorded", laptop)
    #expect(try names(laptop) == ["Before", "Cash", "Recorded"])
    #expect(try await laptop.ledger.verify().findings == [])
    #expect(await error { try await laptop.exchange() }?.code == .otherVersion)
  }
}
