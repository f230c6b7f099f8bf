// Goal: a snapshot of which a newer one has taken the place, while somebody reads it, is no reason to fail. Method: a
// ledger of several chunks; before one of them is asked for, another device sends a newer snapshot.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync
@testable import DaybookTesting

@Suite struct OvertakenSnapshotTests {
  /// A household whose ledger has a snapshot of more than two chunks.
  private func began() async throws -> Household {
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    let cash = try #require(try ledger.read { try $0.accounts().first?.id })
    let day = try #require(Day("2026-02-14"))
    var drafts: [Command] = []
    for number in 0..<2_000 {
      var draft = Draft.expense(Money(1, .eur), from: cash, on: day)
      // No two alike: a chunk is sealed as it is.
      draft.note = String(repeating: "\(number) ", count: 300)
      drafts.append(.record(draft))
    }
    try await ledger.append(drafts)
    var household = Household()
    try await household.start(ledger)
    return household
  }

  /// What has another device record something, and send a newer snapshot, before a chunk is asked for.
  private func overtaking(_ household: Household, beforeChunk number: Int)
    -> @Sendable (MemoryTransport) -> any SyncTransport
  {
    let count = Kept(0)
    let phone = household.devices[0]
    return { base in
      var transport = FaultyTransport(
        base: base, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0)
      transport.beforeChunk = {
        let asked = count.change { count in
          count += 1
          return count
        }
        guard asked == number else { return }
        try await phone.ledger.append(.openAccount(NewAccount(name: "Bank", currency: .eur)))
        try await phone.exchange()
        try await phone.connected().alone { try await $0.sendSnapshot() }
      }
      return transport
    }
  }

  @Test(arguments: [1, 2, 3]) func whoJoinsBeginsWithTheNewerOne(number: Int) async throws {
    var household = try await began()
    let laptop = try await Ledger.inMemory()
    try await household.join(
      laptop, name: "laptop", passing: overtaking(household, beforeChunk: number))
    try await household.settle()
    #expect(try laptop.read { try $0.accounts().map(\.name).sorted() } == ["Bank", "Cash"])
    try await household.checkEqual()
  }

  /// A relay that has a manifest, and not its chunks, is told.
  @Test func aChunkThatIsMissingForGoodIsTold() async throws {
    let household = try await began()
    let code = try await household.devices[0].invite()
    let sync = household.sync(try await Ledger.inMemory()) { base in
      var transport = FaultyTransport(
        base: base, random: Kept(SeededGenerator(seed: 1)), lossPercent: 0)
      transport.beforeChunk = { throw RelayRefusal(.notFound, "There is no such chunk.") }
      return transport
    }
    await #expect(throws: SyncError.self) {
      try await sync.join(code, relay: "memory", deviceName: "laptop")
    }
  }
}
