// Goal: undo without a number takes back what this device recorded, never what came from another one. Method: two
// devices that record and exchange in turn, by every way in which a device's name changes.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

@testable import DaybookSync

@Suite struct OwnUndoTests {
  private func household() async throws -> Household {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await open("Cash", household.devices[0].ledger)
    try await household.join(try await Ledger.inMemory(), name: "laptop")
    return household
  }

  private func open(_ name: String, _ ledger: Ledger) async throws {
    try await ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func names(_ ledger: Ledger) throws -> [String] {
    try ledger.read { try $0.accounts().map(\.name).sorted() }
  }

  @Test func theNewestCommitOfThisDeviceIsTakenBack() async throws {
    let household = try await household()
    let (phone, laptop) = (household.devices[0].ledger, household.devices[1].ledger)
    try await open("Phone's", phone)
    try await household.settle()
    try await open("Laptop's", laptop)
    try await household.settle()
    #expect(try await phone.undoNewest() != nil)
    #expect(try names(phone) == ["Cash", "Laptop's"])
    #expect(try await phone.redoNewest() != nil)
    #expect(try names(phone) == ["Cash", "Laptop's", "Phone's"])
    for _ in 0..<2 { #expect(try await phone.undoNewest() != nil) }
    #expect(try names(phone) == ["Laptop's"])
    #expect(try await phone.undoNewest() == nil)
    #expect(try await laptop.undoNewest() != nil)
    #expect(try await laptop.undoNewest() == nil)
    #expect(try names(laptop) == ["Cash", "Phone's"])
    try await household.settle()
    for ledger in [phone, laptop] { #expect(try names(ledger) == []) }
    try await household.checkEqual()
  }

  /// Pulling appends the other's commit, and one of nobody's that puts what is unsent on top again.
  @Test func commitsThatMergingMadeAreNobodys() async throws {
    let household = try await household()
    let (phone, laptop) = (household.devices[0].ledger, household.devices[1].ledger)
    for (ledger, name) in [(laptop, "Purse"), (phone, "Wallet")] {
      let account = try #require(try ledger.read { try $0.accounts().first })
      try await ledger.append(.amendAccount(account.id, AccountChange(name: name)))
    }
    try await open("Bank", laptop)
    try await household.devices[1].exchange()
    try await household.devices[0].connected().alone { try await $0.catchUp() }
    #expect(try names(phone) == ["Bank", "Wallet"])
    let entry = try #require(try phone.nextUndo())
    #expect(try phone.isOwn(entry))
    #expect(entry.changes.map(\.operation) == [.update])
    var cursor = try phone.history(before: nil).cursor()
    var kinds: Set<Bool> = []
    while let entry = try cursor.next() { kinds.insert(try phone.isOwn(entry)) }
    #expect(kinds == [true, false])
  }

  @Test func takingBackAnothersCommitByItsNumberCanBeRedone() async throws {
    let household = try await household()
    let (phone, laptop) = (household.devices[0].ledger, household.devices[1].ledger)
    try await open("Laptop's", laptop)
    try await household.settle()
    var cursor = try phone.history(before: nil).cursor()
    let others = try #require(try cursor.next())
    #expect(try !phone.isOwn(others))
    try await phone.undo(commit: others.sequence)
    #expect(try names(phone) == ["Cash"])
    try await open("More", laptop)
    try await household.settle()
    try await phone.redoNewest()
    #expect(try names(phone) == ["Cash", "Laptop's", "More"])
  }

  @Test func aRestoredCopyCountsWhatItRecordedUnderItsFormerName() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "own-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let phone = try await Ledger.open(at: folder + "/phone")
    var household = Household()
    try await household.start(phone)
    try await household.join(Ledger.inMemory(), name: "laptop")
    try await open("Phone's", phone)
    try await household.settle()
    try await phone.backup(to: folder + "/backup")
    try await open("Later", phone)
    try await household.settle()
    try await Ledger.restore(from: folder + "/backup", to: folder + "/copy")
    let copy = try await Ledger.open(at: folder + "/copy")
    // Before it has exchanged, and afterwards.
    let before = try #require(try copy.nextUndo())
    household.devices.append(
      household.sync(copy, secrets: household.devices[0].options.secrets))
    try await open("Laptop's", household.devices[1].ledger)
    try await household.settle()
    #expect(try names(copy) == ["Laptop's", "Later", "Phone's"])
    #expect(try copy.nextUndo() == before)
    try await copy.undoNewest()
    #expect(try names(copy) == ["Laptop's", "Later"])
    try await copy.close()
    try await phone.close()
  }

  @Test func aLedgerThatIsNotSharedRecordedAllItHas() async throws {
    let household = try await household()
    let laptop = household.devices[1]
    try await open("Phone's", household.devices[0].ledger)
    try await household.settle()
    #expect(try await laptop.ledger.undoNewest() == nil)
    try await laptop.leave()
    #expect(try await laptop.ledger.undoNewest() != nil)
    #expect(try names(laptop.ledger) == ["Cash"])
  }
}
