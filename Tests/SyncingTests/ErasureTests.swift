// Goal: erasing on one device takes the text out of every device's files, whatever the others wrote meanwhile. Method:
// devices on disk that share words which occur nowhere else; afterwards every file is looked through.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync

@Suite struct ErasureTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "erased-\(UUID())")
    .path

  private func open(_ name: String) async throws -> Ledger {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try await Ledger.open(at: "\(folder)/\(name)")
  }

  /// The files of all devices that hold a word.
  private func files(with word: String) throws -> [String] {
    let wanted = Data(word.utf8)
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
        return false
      }
      return data.range(of: wanted) != nil
    }
  }

  /// Two devices on disk, whose account is called Zanzibar, with a note.
  private func household() async throws -> (household: Household, account: AccountID) {
    var household = Household()
    try await household.start(try await open("phone"))
    let account = AccountID(EntityID(high: 7, low: 10))
    try await household.devices[0].ledger.append(
      .openAccount(NewAccount(id: account, name: "Zanzibar", currency: .eur)))
    try await household.join(try await open("laptop"), name: "laptop")
    try await household.settle()
    return (household, account)
  }

  private func rename(_ account: AccountID, _ name: String, _ device: LedgerSync) async throws {
    try await device.ledger.append(.amendAccount(account, AccountChange(name: name)))
  }

  /// That no file has a word, all hold the same, and everything is sound.
  private func check(_ household: Household, without words: [String]) async throws {
    for word in words { #expect(try files(with: word) == [], "\(word)") }
    try await household.checkEqual()
  }

  private func end(_ household: Household) async throws {
    for device in household.devices { try await device.ledger.close() }
    try FileManager.default.removeItem(atPath: folder)
  }

  private func names(_ device: LedgerSync) throws -> [String] {
    try device.ledger.read { try $0.accounts().map(\.name) }
  }

  /// Other properties that another device changed in the meantime stay changed, whichever of the two sends first.
  @Test(arguments: [false, true]) func otherPropertiesOfTheErasedStayChanged(
    eraserIsFirst: Bool
  ) async throws {
    let (household, account) = try await household()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    try await phone.ledger.append(.deleteAccount(account, .keepRows))
    try await laptop.ledger.erase(.account, account.rawValue)
    for device in eraserIsFirst ? [laptop, phone] : [phone, laptop] { try await device.exchange() }
    try await household.settle()
    for device in household.devices {
      #expect(try device.ledger.read { try $0.account(account)?.isDeleted } == true)
    }
    try await check(household, without: ["Zanzibar"])
    try await end(household)
  }

  @Test func itTravelsAndWinsAgainstTextThatHadNotSeenIt() async throws {
    let (household, account) = try await household()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    try await rename(account, "Quixotry", laptop)
    #expect(try files(with: "Zanzibar").count > 1)
    try await phone.ledger.erase(.account, account.rawValue)
    household.pass(seconds: 60)
    // Later than the erasure by every clock, and recorded without having seen it.
    try await rename(account, "Xylophone", laptop)
    try await household.settle()
    let name = "Erased \(account.rawValue.description.suffix(8))"
    for device in household.devices {
      #expect(try names(device) == [name])
      #expect(try await device.findings().isEmpty)
    }
    try await check(household, without: ["Zanzibar", "Quixotry", "Xylophone"])
    // What is written by somebody who knows of it stands.
    try await rename(account, "Afresh", laptop)
    try await household.settle()
    for device in household.devices { #expect(try names(device) == ["Afresh"]) }
    try await check(household, without: ["Zanzibar"])
    try await end(household)
  }

  @Test func textThatWasPlacedBeforeItGoesToo() async throws {
    let (household, account) = try await household()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    try await rename(account, "Quixotry", laptop)
    try await laptop.exchange()
    try await phone.ledger.erase(.account, account.rawValue)
    try await household.settle()
    for device in household.devices { #expect(try names(device)[0].hasPrefix("Erased")) }
    try await check(household, without: ["Zanzibar", "Quixotry"])
    try await end(household)
  }

  @Test func findingsAndTombstonesLoseItsText() async throws {
    let (household, account) = try await household()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    try await rename(account, "Quixotry", laptop)
    try await rename(account, "Xylophone", phone)
    let row = TransactionID(EntityID(high: 7, low: 11))
    var draft = Draft.expense(
      Money(minorUnits: 500, currency: .eur), from: account, on: Day(year: 2026, month: 2, day: 1)!,
      id: row, description: "Quagmire")
    draft.note = "Zeppelin"
    try await phone.ledger.append(.record(draft))
    try await household.settle()
    #expect(try await laptop.findings().count == 1)
    try await laptop.ledger.append(.amend(row, Amendment(note: "Zirconium")))
    try await phone.ledger.append(.delete(row))
    try await household.settle()
    #expect(try await laptop.findings().count == 2)
    try await phone.ledger.erase(.account, account.rawValue)
    try await phone.ledger.erase(.transaction, row.rawValue)
    try await household.settle()
    for device in household.devices { #expect(try await device.findings().isEmpty) }
    try await check(
      household,
      without: ["Zanzibar", "Quixotry", "Xylophone", "Quagmire", "Zeppelin", "Zirconium"])
    try await end(household)
  }

  /// What is held is in no list, and has text all the same.
  @Test(arguments: [0, 1]) func whatIsHeldLosesItsText(by device: Int) async throws {
    let (household, account) = try await household()
    let (phone, laptop) = (household.devices[0], household.devices[1])
    let day = Day(year: 2026, month: 2, day: 1) ?? .min
    try await phone.ledger.append(.closePeriod(through: day))
    try await phone.exchange()
    let row = TransactionID(EntityID(high: 7, low: 11))
    try await laptop.ledger.append(
      .record(
        .expense(
          Money(minorUnits: 500, currency: .eur), from: account, on: day, id: row,
          description: "Quagmire", note: "Zeppelin")))
    try await household.settle()
    #expect(try await laptop.findings().map(\.rule) == [.held])
    #expect(try files(with: "Zeppelin").count > 1)
    try await household.devices[device].ledger.erase(.transaction, row.rawValue)
    try await household.settle()
    let finding = try #require(try await phone.findings().first)
    #expect(finding.values.contains { $0.lost == .money(Money(500, .eur)) })
    #expect(!finding.values.contains { $0.property == "note" || $0.property == "description" })
    try await check(household, without: ["Quagmire", "Zeppelin"])
    // What was never in a file counts, and is recorded without a word.
    try await phone.take(finding.id, on: day.adding(days: 1))
    try await household.settle()
    for device in household.devices {
      let taken = try #require(try device.ledger.read { try $0.transaction(row) })
      #expect(taken.note == "" && taken.description == "")
      #expect(try await device.findings().isEmpty)
    }
    try await check(household, without: ["Quagmire", "Zeppelin"])
    try await end(household)
  }

  @Test func whoWasAwayForLongLosesTheTextToo() async throws {
    var (household, account) = try await household()
    let day = 86_400.0
    try await household.join(try await open("tablet"), name: "tablet")
    try await household.settle()
    let tablet = household.devices[2]
    try await rename(account, "Quixotry", tablet)
    try await household.devices[0].ledger.erase(.account, account.rawValue)
    household.pass(seconds: 91 * day)
    for _ in 0..<4 {
      household.pass(seconds: day + 1)
      for device in household.devices[..<2] { try await device.exchange() }
      await household.relay.trim()
    }
    let entries = await household.relay.entries
    #expect(entries[0].position > 4)
    #expect(!household.devices[0].state.isErasing)
    #expect(try files(with: "Zanzibar").allSatisfy { $0.hasPrefix("tablet") })
    try await tablet.exchange()
    #expect(tablet.state.hasRejoined)
    try await household.settle()
    for device in household.devices { #expect(try names(device)[0].hasPrefix("Erased")) }
    #expect(try await tablet.findings().isEmpty)
    try await check(household, without: ["Zanzibar", "Quixotry"])
    try await end(household)
  }

  /// What was recorded away, in a month that was closed meanwhile, only the device that was away has.
  @Test func whatOneDeviceHoldsLosesItsText() async throws {
    var (household, account) = try await household()
    try await household.join(try await open("tablet"), name: "tablet")
    try await household.settle()
    let (phone, tablet) = (household.devices[0], household.devices[2])
    let day = Day(year: 2026, month: 2, day: 1) ?? .min
    let row = TransactionID(EntityID(high: 7, low: 11))
    try await tablet.ledger.append(
      .record(
        .expense(
          Money(minorUnits: 500, currency: .eur), from: account, on: day, id: row,
          description: "Quagmire")))
    household.pass(seconds: 91 * 86_400)
    try await phone.ledger.append(.closePeriod(through: day))
    for _ in 0..<3 {
      household.pass(seconds: 86_401)
      for device in household.devices[..<2] { try await device.exchange() }
    }
    try await tablet.exchange()
    #expect(try await tablet.findings().map(\.rule) == [.held])
    try await tablet.ledger.erase(.transaction, row.rawValue)
    try await household.settle()
    let finding = try #require(try await tablet.findings().first)
    #expect(!finding.values.contains { $0.property == "description" })
    try await check(household, without: ["Quagmire"])
    try await end(household)
  }

  @Test func itIsCompleteWhenTheFloorHasPassedIt() async throws {
    let (household, account) = try await household()
    try await household.devices[0].ledger.erase(.account, account.rawValue)
    try await household.settle()
    for device in household.devices { #expect(device.state.isErasing) }
    for _ in 0..<4 {
      household.pass(seconds: 86_401)
      try await household.settle()
      await household.relay.trim()
    }
    for device in household.devices { #expect(!device.state.isErasing) }
    // The snapshot that the relay has now is from after it.
    var later = household
    try await later.join(try await open("tablet"), name: "tablet")
    try await later.settle()
    try await check(later, without: ["Zanzibar"])
    try await end(later)
  }
}
