import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncWire
import Testing

@testable import DaybookSync

@Suite struct SharingTests {
  private let eur = Currency.eur

  private func account(_ name: String, in ledger: Ledger) async throws {
    try await ledger.append(.openAccount(NewAccount(name: name, currency: eur)))
  }

  private func names(_ ledger: Ledger) throws -> [String] {
    try ledger.read { try $0.accounts().map(\.name).sorted() }
  }

  @Test func whatIsRecordedOnOneDeviceIsOnTheOther() async throws {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    try await account("Cash", in: first)
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    #expect(try names(second) == ["Cash"])
    try await account("Bank", in: second)
    try await account("Savings", in: first)
    try await household.settle()
    #expect(try names(first) == ["Bank", "Cash", "Savings"])
    #expect(try names(second) == ["Bank", "Cash", "Savings"])
    for device in household.devices {
      for other in device.state.devices {
        #expect(other.proof?.isEqual == true, "\(other.name)")
      }
    }
    let state = household.devices[1].state
    #expect(state.pendingCount == 0)
    #expect(state.position == state.head)
    #expect(state.devices.map(\.name) == ["laptop", "phone"])
    #expect(state.devices.map(\.isThis) == [true, false])
  }
}
