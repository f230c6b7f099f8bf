// Goal: a device goes on with its log at another address once a person says so, and what answers there shows the log that
// the device knows. Method: relays in memory, reached by their addresses: the one that was known,
// another way to the same log, and one that has a log of its own under the ledger's name.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire
import Testing

@testable import DaybookSync

@Suite struct RelayAddressTests {
  private let relay = MemoryRelay(ledger: EntityID(high: 7, low: 8)) { 1_700_000_000_000_000 }
  private let stranger = MemoryRelay(ledger: EntityID(high: 7, low: 8)) { 1_700_000_000_000_000 }
  /// What the stranger lets everybody in by.
  private let strangerToken = Kept("")
  private let isCopied = Kept(false)
  /// The addresses that were asked.
  private let asked = Kept<[String]>([])

  private func sync(_ ledger: Ledger) -> LedgerSync {
    var options = SyncOptions(secrets: MemorySecrets())
    let (relay, stranger, strangerToken) = (relay, stranger, strangerToken)
    let (isCopied, asked) = (isCopied, asked)
    options.connect = { address, token in
      asked.change { $0.append(address) }
      if address == "https://a.example", isCopied.value {
        throw RelayRefusal(.noLedger, "This ledger's log was copied to another relay.")
      }
      return address == "https://evil.example"
        ? MemoryTransport(stranger, token: strangerToken.value)
        : MemoryTransport(relay, token: token)
    }
    options.now = { 1_700_000_000_000_000 }
    return LedgerSync(ledger, options: options)
  }

  private func record(_ name: String, _ ledger: Ledger) async throws {
    try await ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func problem(_ body: () async throws -> Void) async -> SyncError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? SyncError
    }
  }

  @Test func aPersonSaysWhereTheLogIsNow() async throws {
    let ledger = try await Ledger.inMemory()
    let sync = sync(ledger)
    let token = await relay.addDevice(named: "phone")
    try await record("Cash", ledger)
    try await sync.start(relay: "https://a.example", token: token, deviceName: "phone")
    isCopied.value = true
    await sync.disconnect()
    try await record("Pending", ledger)
    let told = try #require(await problem { try await sync.run() })
    #expect(told.code == .notAllowed && told.message.contains("another relay"))
    #expect(!told.passes && told.remedy.contains("daybook sync relay"))
    #expect(Set(asked.value) == ["https://a.example"])
    #expect(try sync.relay() == "https://a.example")

    // One that has the name and the token of the ledger, and another log.
    strangerToken.value = await stranger.addDevice(named: "anybody")
    for count in 0..<2 {
      if count == 1 {
        let other = try await Ledger.inMemory()
        for index in 0..<5 { try await record("\(index)", other) }
        try await self.sync(other).start(
          relay: "https://evil.example", token: "", deviceName: "x")
      }
      let entryCount = await stranger.entries.count
      isCopied.value = false
      let refused = await problem { try await sync.use(relay: "https://evil.example") }
      #expect(
        refused?.code == (count == 0 ? .rolledBack : .tampered), "\(String(describing: refused))")
      #expect(await stranger.entries.count == entryCount)
      #expect(try sync.relay() == "https://a.example")
    }

    try await sync.use(relay: "https://b.example")
    isCopied.value = true
    #expect(try await sync.exchange().pendingCount == 0)
    #expect(try sync.relay() == "https://b.example")
    #expect(await relay.entries.count > 2)
  }
}
