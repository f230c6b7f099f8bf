import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookReplicas
import Testing

@testable import DaybookSync

@Suite struct DismissalTests {
  @Test func whatIsPutAsideOnOneDeviceIsPutAsideOnAll() async throws {
    let household = try await Household.disputed()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    let finding = try #require(try await phone.findings().first)
    #expect(try await laptop.findings().map(\.id) == [finding.id])
    #expect(try await phone.dismiss(finding.id))
    #expect(try await phone.findings().isEmpty)
    #expect(try await !phone.dismiss(finding.id))
    #expect(try await !phone.dismiss("00"))
    #expect(try await laptop.findings().count == 1)
    try await household.settle()
    #expect(try await laptop.findings().isEmpty)
    #expect(laptop.state.findingCount == 0)
    // Whoever joins later is not told again.
    var later = household
    try await later.join(try await Ledger.inMemory(), name: "tablet")
    #expect(try await later.devices[2].findings().isEmpty)
    #expect(try await later.devices[2].ledger.verify().findings == [])
  }

  @Test func whatTwoPutAsideIsPutAsideOnce() async throws {
    let household = try await Household.disputed()
    let finding = try #require(try await household.devices[0].findings().first)
    for device in household.devices { #expect(try await device.dismiss(finding.id)) }
    try await household.settle()
    for device in household.devices {
      #expect(try await device.findings().isEmpty)
      #expect(device.state.devices.allSatisfy { $0.proof?.isEqual == true })
      #expect(try await device.ledger.verify().findings == [])
    }
  }

  @Test func puttingAsideCanBeUndone() async throws {
    let household = try await Household.disputed()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    let finding = try #require(try await phone.findings().first)
    try await phone.dismiss(finding.id)
    try await household.settle()
    try await phone.ledger.undo(commit: try phone.ledger.token.sequence)
    try await household.settle()
    #expect(try await laptop.findings().map(\.id) == [finding.id])
  }
}
