// Goal: a relay that was restored from a backup stops by name whoever had seen more of its log, and loses nobody anything.
// Method: a relay in memory goes back to an earlier position; the devices go on recording, and find together anew.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncWire
import Testing

@testable import DaybookSync

@Suite struct RestoredRelayTests {
  private func names(_ ledger: Ledger) throws -> Set<String> {
    try ledger.read { Set(try $0.accounts().map(\.name)) }
  }

  private func record(_ name: String, _ ledger: Ledger) async throws {
    try await ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  /// How an exchange ends.
  private func problem(_ sync: LedgerSync) async -> SyncError? {
    do {
      try await sync.exchange()
      return nil
    } catch {
      return error as? SyncError
    }
  }

  @Test func whoHadSeenMoreStopsAndGoesOnWithANewLog() async throws {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    try await record("Seen by both", first)
    try await household.settle()
    let position = await household.relay.status().end.position
    // What the laptop has not seen when the backup is restored.
    try await record("Seen by the phone", first)
    let (phone, laptop) = (household.devices[0], household.devices[1])
    try await phone.exchange()
    await household.relay.restore(to: position)

    let told = try #require(await problem(phone))
    #expect(told.code == .rolledBack && told.message.contains("restored from a backup"))
    // The log goes on with the laptop, beyond where the phone was, and is another one.
    for index in 0..<9 { try await record("Of the laptop \(index)", second) }
    #expect(await problem(laptop) == nil)
    try await record("Pending on the phone", first)
    let again = try #require(await problem(phone))
    #expect(again.code == .rolledBack && again.message.contains("restored from a backup"))
    #expect(!again.passes)
    #expect(try names(first).isSuperset(of: ["Seen by the phone", "Pending on the phone"]))

    // The documented way on: a new log from the one that is to go on, and the other joins it.
    try await phone.leave()
    var anew = Household()
    try await anew.start(first)
    let third = try await Ledger.inMemory()
    try await anew.join(third, name: "laptop")
    try await record("Later", third)
    try await anew.settle()
    #expect(try names(first) == names(third))
    #expect(
      try names(third).isSuperset(of: ["Seen by both", "Seen by the phone", "Pending on the phone"])
    )
  }

  @Test func whoHadSeenNoMoreGoesOn() async throws {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    try await household.settle()
    let position = await household.relay.status().end.position
    await household.relay.restore(to: position)
    try await record("After", first)
    try await household.settle()
    #expect(try names(second) == ["After"])
    // The new incarnation is the known one from here on: what differs now is no restored backup.
    let lie = await household.relay.status()
    #expect(lie.end.position > position)
    await household.relay.restore(to: position)
    await household.relay.pretend(lie.incarnation)
    let told = try #require(await problem(household.devices[0]))
    #expect(told.code == .rolledBack && !told.message.contains("restored from a backup"))
  }
}
