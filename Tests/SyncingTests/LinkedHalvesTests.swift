// Goal: if two devices link one transaction to different ones, the finding names the one that is missing, and undoing its
// deletion brings its money back. Method: two devices that link while offline, and exchange.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookFindings
import Foundation
import Testing

@testable import DaybookSync

@Suite struct LinkedHalvesTests {
  @Test func theHalfOfTheLostLinkIsNamed() async throws {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    let phone = household.devices[0].ledger
    for name in ["X", "Y", "Z"] {
      try await phone.append(.openAccount(NewAccount(name: name, currency: .eur)))
    }
    let accounts = try phone.read { try $0.accounts() }.map(\.id)
    let day = try #require(Day("2026-03-01"))
    let money = Money(50_00, .eur)
    let paid = try await phone.append(
      .record(.expense(money, from: accounts[0], on: day)),
      .record(.income(money, into: accounts[1], on: day)),
      .record(.income(money, into: accounts[2], on: day))
    ).transactions
    try await household.join(try await Ledger.inMemory(), name: "laptop")
    let laptop = household.devices[1].ledger
    try await household.settle()
    try await phone.append(.linkTransfer(paid[0], paid[1]))
    try await laptop.append(.linkTransfer(paid[0], paid[2]))
    try await household.settle()
    try await household.checkEqual()
    for ledger in [phone, laptop] {
      let findings = try #require(try await ledger.findings())
      let lost = try ledger.read { snapshot in
        try findings.flatMap { try $0.lostHalves(in: snapshot) }
      }
      let kept = try #require(try ledger.read { try $0.transaction(paid[0]) }?.halves.map(\.id))
      #expect(lost == [kept.contains(paid[1]) ? paid[2] : paid[1]])
    }
  }
}
