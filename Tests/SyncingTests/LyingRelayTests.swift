// What a relay must not be trusted with: each lie is noticed by the next exchange, by its name, and nothing of it is
// taken.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire
import Testing

@testable import DaybookSync
@testable import DaybookTesting

@Suite struct LyingRelayTests {
  private struct Pair {
    var household: Household
    var lie: Kept<FaultyTransport.Lie?>
    var second: Ledger
  }

  private func pair() async throws -> Pair {
    let first = try await Ledger.inMemory()
    try await first.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    var household = Household()
    try await household.start(first)
    let second = try await Ledger.inMemory()
    let lie = Kept<FaultyTransport.Lie?>(nil)
    try await household.join(second, name: "laptop") { base in
      FaultyTransport(base: base, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0, lie: lie)
    }
    for name in ["A", "B", "C"] {
      try await first.append(.openAccount(NewAccount(name: name, currency: .eur)))
    }
    try await household.devices[0].exchange()
    return Pair(household: household, lie: lie, second: second)
  }

  /// The code by which the second device notices a lie; afterwards it goes on with the truth.
  private func noticed(_ lie: @escaping FaultyTransport.Lie) async throws -> SyncError.Code? {
    let pair = try await pair()
    let device = pair.household.devices[1]
    pair.lie.value = lie
    var found: SyncError.Code?
    do {
      try await device.exchange()
    } catch {
      found = (error as? SyncError)?.code
    }
    #expect(try pair.second.read { try $0.accounts().count } == 1, "nothing of a lie is taken")
    pair.lie.value = nil
    try await device.exchange()
    #expect(try pair.second.read { try $0.accounts().count } == 4)
    return found
  }

  @Test func anEntryLeftOut() async throws {
    let code = try await noticed { page in
      var page = page
      page.entries.remove(at: 1)
      return page
    }
    #expect(code == .tampered)
  }

  @Test func twoEntriesSwapped() async throws {
    let code = try await noticed { page in
      var page = page
      let first = page.entries[0].entry
      page.entries[0].entry = page.entries[1].entry
      page.entries[1].entry = first
      return page
    }
    #expect(code == .tampered)
  }

  @Test func anEntryRepeated() async throws {
    let code = try await noticed { page in
      var page = page
      page.entries.insert(page.entries[0], at: 1)
      return page
    }
    #expect(code == .tampered)
  }

  @Test func aTimeChanged() async throws {
    let code = try await noticed { page in
      var page = page
      for index in page.entries.indices { page.entries[index].received += 1 }
      return page
    }
    #expect(code == .tampered)
  }

  @Test func aByteChanged() async throws {
    let code = try await noticed { page in
      var page = page
      var bytes = page.entries[2].entry.bytes
      bytes[80] ^= 1
      guard let entry = try? SealedEntry(bytes: bytes) else { return page }
      page.entries[2].entry = entry
      // Even where the links are made to fit.
      var end = LogEnd(
        position: page.entries[0].position - 1, link: .zero, received: page.entries[0].received)
      for placed in page.entries {
        let header = placed.entry.header
        end = end.appending(
          replica: header.replica, number: header.number, received: placed.received,
          digest: placed.entry.digest)
      }
      page.link = end.link
      return page
    }
    #expect(code == .tampered)
  }

  @Test func aLogThatEndsEarlier() async throws {
    let pair = try await pair()
    try await pair.household.devices[1].exchange()
    let shorter = Household()
    let sync = pair.household.devices[1]
    let secrets = try #require(try sync.options.secrets.load())
    _ = await shorter.relay.addDevice(named: "laptop")
    var options = sync.options
    let token = await shorter.relay.addDevice(named: "laptop")
    options.connect = { _, _ in MemoryTransport(shorter.relay, token: token) }
    let rolledBack = LedgerSync(pair.second, options: options)
    #expect(secrets.ledger == shorter.relay.ledger)
    await #expect(throws: SyncError.self) { try await rolledBack.exchange() }
    #expect(rolledBack.state.problem?.code == .rolledBack)
  }
}
