import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookFindings
import Testing

@testable import DaybookSync

// Goal: findings are read and put aside with the ledger alone. Method: what a device's exchange tells is compared with
// what its ledger tells; requests are repeated.
@Suite struct FindingReadingTests {
  @Test func aLedgerTellsOfThemWithoutItsSecrets() async throws {
    let household = try await Household.disputed()
    for device in household.devices {
      let told = try #require(try await device.ledger.findings())
      #expect(try await told == device.findings())
      #expect(Set(try await device.ledger.deviceNames().values) == ["phone", "laptop"])
      let value = try #require(told.first?.values.first)
      #expect(Set([value.lostBy, value.heldBy]) == ["phone", "laptop"])
      let form = try device.ledger.read { try JSONValue(told[0].form(in: $0)) }
      let (lost, holds) = value.lostBy == "phone" ? ("Wallet", "Purse") : ("Purse", "Wallet")
      #expect(form.line.contains(#""property":"name","lost":"“\#(lost)”","lostBy""#))
      #expect(form.line.contains(#""holds":"“\#(holds)”""#))
    }
  }

  @Test func whatIsNotSharedHasNone() async throws {
    let ledger = try await Ledger.inMemory()
    #expect(try await ledger.findings() == nil)
    #expect(try await ledger.deviceNames().isEmpty)
    #expect(try await ledger.dismiss(finding: String(repeating: "0", count: 32)) == nil)
  }

  @Test func puttingAsideIsConditionalAndRepeatable() async throws {
    let ledger = try await Household.disputed().devices[0].ledger
    let id = try #require(try await ledger.findings()?.first?.id)
    let old = try ledger.token(at: ledger.token.sequence - 1)
    await #expect(throws: DaybookError.self) {
      try await ledger.dismiss(finding: id, expecting: old)
    }
    let first = try #require(try await ledger.dismiss(finding: id, key: "k"))
    #expect(try await ledger.findings()?.isEmpty == true)
    let again = try #require(try await ledger.dismiss(finding: id, key: "k"))
    #expect(!first.isRepeat && again.isRepeat && again.token == first.token)
    // Nothing is recorded where it is aside already.
    #expect(try await ledger.dismiss(finding: id)?.token == first.token)
    #expect(try await ledger.dismiss(finding: "no finding") == nil)
  }
}
