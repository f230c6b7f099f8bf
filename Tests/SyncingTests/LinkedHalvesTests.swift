// Goal: if two devices link one transaction to different ones, only the link that is first in the shared log counts, all
// money stays in the books once, and the finding says what became of the other link. Method: two devices that link,
// delete or undo while offline, and exchange.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookFindings
import Foundation
import Testing

@testable import DaybookSync

@Suite struct LinkedHalvesTests {
  /// What the two devices do at the same time: the first account pays 50.00 twice, and the second
  /// and third receive it once each.
  enum Meeting: CaseIterable {
    case onePaymentToTwoReceipts, twoPaymentsToOneReceipt, receiptDeleted, paymentDeleted
    case linkedAndUnlinked
  }

  @Test(arguments: Meeting.allCases) func moneyIsCountedOnce(_ meeting: Meeting) async throws {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    let phone = household.devices[0].ledger
    for name in ["X", "Y", "Z"] {
      try await phone.append(.openAccount(NewAccount(name: name, currency: .eur)))
    }
    let accounts = try phone.read { try $0.accounts() }.map(\.id)
    let day = try #require(Day("2026-03-01"))
    let money = Money(50_00, .eur)
    let rows = try await phone.append(
      .record(.expense(money, from: accounts[0], on: day)),
      .record(.expense(money, from: accounts[0], on: day)),
      .record(.income(money, into: accounts[1], on: day)),
      .record(.income(money, into: accounts[2], on: day))
    ).transactions
    try await household.join(try await Ledger.inMemory(), name: "laptop")
    let laptop = household.devices[1].ledger
    try await household.settle()

    var gone: Set<Int> = []
    switch meeting {
    case .onePaymentToTwoReceipts:
      try await phone.append(.linkTransfer(rows[0], rows[2]))
      try await laptop.append(.linkTransfer(rows[0], rows[3]))
    case .twoPaymentsToOneReceipt:
      try await phone.append(.linkTransfer(rows[0], rows[2]))
      try await laptop.append(.linkTransfer(rows[1], rows[2]))
    case .receiptDeleted:
      try await phone.append(.delete(rows[2]))
      try await laptop.append(.linkTransfer(rows[0], rows[2]))
      gone = [2]
    case .paymentDeleted:
      try await phone.append(.delete(rows[0]))
      try await laptop.append(.linkTransfer(rows[0], rows[2]))
      gone = [0]
    case .linkedAndUnlinked:
      try await phone.append(.linkTransfer(rows[0], rows[2]))
      try await laptop.append(.linkTransfer(rows[1], rows[2]))
      try await laptop.append(.unlinkTransfer(rows[1]))
    }
    try await household.settle()
    try await household.checkEqual()
    let amounts: [Int128] = [
      (gone.contains(0) ? -50_00 : -100_00), (gone.contains(2) ? 0 : 50_00), 50_00,
    ]
    for ledger in [phone, laptop] {
      let balances = try ledger.read { snapshot in
        try accounts.map { try snapshot.balance(of: $0, on: day).units }
      }
      #expect(balances == amounts)
      let findings = try #require(try await ledger.findings())
      #expect(findings.contains { $0.rule == .notLinked })
      let lost = try ledger.read { snapshot in
        try findings.flatMap { try $0.lostHalves(in: snapshot) }
      }
      #expect(lost.isEmpty)
      #expect(try await ledger.verify().isSound)
    }
  }
}
