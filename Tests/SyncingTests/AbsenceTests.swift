// Goal: the log is kept for those who are heard of, and who was away for longer catches up with nothing lost. Method: a
// household whose clock the test sets, and whose relay lets go of what lies below the floor.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookReplicas
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import Testing

@testable import DaybookSync
@testable import DaybookTesting

@Suite struct AbsenceTests {
  private let day = 86_400.0

  private func names(_ sync: LedgerSync) throws -> [String] {
    try sync.ledger.read { try $0.accounts().map(\.name).sorted() }
  }

  private func open(_ name: String, _ sync: LedgerSync) async throws {
    try await sync.ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func rename(_ name: String, to new: String, _ sync: LedgerSync) async throws {
    let account = try #require(
      try sync.ledger.read { try $0.accounts().first { $0.name == name } })
    try await sync.ledger.append(.amendAccount(account.id, AccountChange(name: new)))
  }

  /// A phone, a laptop and a tablet that have the same.
  private func household() async throws -> Household {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await open("Cash", household.devices[0])
    for name in ["laptop", "tablet"] {
      try await household.join(try await Ledger.inMemory(), name: name)
    }
    try await household.settle()
    return household
  }

  /// Days on which some devices exchange, and the relay lets go of what it may.
  private func pass(_ days: Int, _ household: Household, _ present: [Int]) async throws {
    for _ in 0..<days {
      household.pass(seconds: day + 1)
      for index in present { try await household.devices[index].exchange() }
      await household.relay.trim()
    }
  }

  private func checkEqual(_ household: Household) async throws {
    try await household.settle()
    try await household.checkEqual()
  }

  @Test func theFloorFollowsTheOneWhoHasSeenLeast() async throws {
    let household = try await household()
    try await pass(3, household, [0, 1, 2])
    let before = household.devices[0].state.floor
    #expect(before > 0)
    try await pass(3, household, [0, 1])
    let state = household.devices[0].state
    let tablet = try #require(state.devices.first { $0.name == "tablet" })
    #expect(tablet.holdsFloor && !tablet.isAbsent)
    #expect(state.floor <= tablet.position)
    #expect(state.devices.filter(\.holdsFloor).map(\.name) == ["tablet"])
    try await pass(2, household, [0, 1, 2])
    #expect(household.devices[0].state.floor > tablet.position)
    #expect(await household.relay.entries.first?.position != 1)
    try await checkEqual(household)
  }

  @Test func itMovesOnceADayWhoeverMovesIt() async throws {
    let household = try await household()
    try await pass(10, household, [0, 1, 2])
    let entries = await household.relay.entries
    let floors = entries.filter { $0.entry.header.kind == .floor }
    let times = floors.map(\.received)
    for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= Int64(day * 1e6)) }
    #expect(floors.count <= 10)
  }

  @Test func whoWasAwayForLongBeginsAnewAndLosesNothing() async throws {
    let household = try await household()
    let tablet = household.devices[2]
    try await open("Unsent", tablet)
    let unsent = try #require(
      try tablet.ledger.read { try $0.accounts().first { $0.name == "Unsent" }?.id })
    try await tablet.ledger.append(
      .record(.expense(Money(5, .eur), from: unsent, on: Day(year: 2026, month: 2, day: 14)!)))
    try await rename("Cash", to: "Tablet's", tablet)
    try await pass(2, household, [0, 1])
    try await rename("Cash", to: "Phone's", household.devices[0])
    try await open("Bank", household.devices[0])
    household.pass(seconds: 91 * day)
    try await pass(3, household, [0, 1])
    #expect(household.devices[0].state.devices.first { $0.name == "tablet" }?.isAbsent == true)
    // The relay's only snapshot is from before: who comes late pulls what is behind it.
    try await household.devices[0].connected().alone { try await $0.sendSnapshot() }
    await household.relay.trim()

    try await tablet.exchange()
    #expect(tablet.state.hasRejoined)
    #expect(tablet.state.rebasedCount == 3)
    #expect(try names(tablet) == ["Bank", "Phone's", "Unsent"])
    let findings = try await tablet.findings()
    #expect(findings.map(\.rule) == [.tooLate])
    #expect(findings.first?.values.first?.lost == .text("Tablet's"))
    #expect(findings.first?.values.first?.lostBy == "tablet")
    try await household.settle()
    #expect(try names(household.devices[0]) == ["Bank", "Phone's", "Unsent"])
    try await checkEqual(household)
    #expect(try await tablet.dismiss(findings[0].id))
    #expect(try await tablet.findings().isEmpty)
  }

  /// What one side changed of an account that the other one deleted is kept, and told.
  @Test(arguments: [false, true]) func aDeletionMeetsAChange(isDeletedHere: Bool) async throws {
    let household = try await household()
    let (phone, tablet) = (household.devices[0], household.devices[2])
    let account = try #require(try phone.ledger.read { try $0.accounts().first?.id })
    let (deleter, changer) = isDeletedHere ? (tablet, phone) : (phone, tablet)
    try await rename("Cash", to: "Purse", changer)
    try await deleter.ledger.append(.deleteAccount(account, .keepRows))
    household.pass(seconds: 91 * day)
    try await pass(3, household, [0, 1])
    try await tablet.exchange()
    #expect(tablet.state.rebasedCount == 1)
    let findings = try await tablet.findings()
    #expect(findings.map(\.rule) == [.deletionStands])
    let value = try #require(findings.first?.values.first)
    #expect(value.property == "name" && value.lost == .text("Purse"))
    #expect(value.isHeldHere == isDeletedHere && value.isLostHere != isDeletedHere)
    try await household.settle()
    try await checkEqual(household)
    let stored = try #require(try tablet.ledger.read { try $0.account(account) })
    #expect(stored.isDeleted && stored.name == "Purse")
  }

  /// What was recorded in a month that was closed meanwhile is held, on the device that has it, until it is taken.
  @Test(arguments: [false, true]) func whatIsClosedMeanwhileIsHeld(isTrimmed: Bool) async throws {
    let household = try await household()
    let (phone, tablet) = (household.devices[0], household.devices[2])
    let march = try #require(Day(year: 2026, month: 3, day: 14))
    let account = try #require(try phone.ledger.read { try $0.accounts().first?.id })
    let id = TransactionID(EntityID(high: 7, low: 20))
    try await tablet.ledger.append(
      .record(.expense(Money(1_200, .eur), from: account, on: march, id: id)))
    try await tablet.ledger.append(.amend(id, Amendment(amount: Money(1_500, .eur))))
    try await tablet.ledger.append(
      .openAccount(
        NewAccount(name: "Bank", currency: .eur, opening: Money(700, .eur), openingDay: march)))
    household.pass(seconds: 91 * day)
    try await phone.ledger.append(.closePeriod(through: march))
    try await pass(3, household, [0, 1])
    if isTrimmed {
      try await phone.connected().alone { try await $0.sendSnapshot() }
      await household.relay.trim()
    }
    try await tablet.exchange()
    #expect(tablet.state.hasRejoined == isTrimmed)
    try await checkEqual(household)
    for device in household.devices {
      #expect(try names(device) == ["Bank", "Cash"])
      let sums = try device.ledger.read { snapshot in
        try snapshot.accounts().map { try snapshot.balance(of: $0.id, on: .max).units }
      }
      #expect(sums == [0, 0])
    }
    let findings = try await tablet.findings()
    #expect(findings.map(\.rule) == [.held, .held])
    let row = try #require(findings.first { $0.entity == id.rawValue })
    #expect(
      row.values.first { $0.property == "amount" }?.lost == .money(Money(1_500, .eur)))
    await #expect(throws: DaybookError.self) { try await tablet.take(row.id) }
    for finding in findings {
      #expect(try await tablet.take(finding.id, on: march.adding(days: 20)))
    }
    #expect(try await tablet.findings().isEmpty)
    try await checkEqual(household)
    for device in household.devices {
      let sums = try device.ledger.read { snapshot in
        try snapshot.accounts().map { try snapshot.balance(of: $0.id, on: .max).units }.sorted()
      }
      #expect(sums == [-1_500, 700])
    }
  }

  @Test func whereTheLogIsThereStillOnlyWhatIsPendingIsRecordedAnew() async throws {
    let household = try await household()
    try await open("Unsent", household.devices[2])
    household.pass(seconds: 91 * day)
    try await open("Bank", household.devices[0])
    for _ in 0..<3 {
      household.pass(seconds: day + 1)
      for index in [0, 1] { try await household.devices[index].exchange() }
    }
    try await household.devices[2].exchange()
    #expect(!household.devices[2].state.hasRejoined)
    #expect(household.devices[2].state.rebasedCount == 1)
    try await household.settle()
    #expect(try names(household.devices[0]) == ["Bank", "Cash", "Unsent"])
    try await checkEqual(household)
  }

  /// The snapshot lies below the floor, so the commits are recorded again twice: on the snapshot, and at the log's end.
  @Test func eachUnsentCommitCountsOnceHoweverOftenItIsRecordedAgain() async throws {
    let household = try await household()
    let tablet = household.devices[2]
    for number in 1...7 { try await open("Unsent \(number)", tablet) }
    household.pass(seconds: 91 * day)
    try await pass(3, household, [0, 1])
    try await household.devices[0].connected().alone { try await $0.sendSnapshot() }
    await household.relay.trim()
    try await pass(5, household, [0, 1])
    try await tablet.exchange()
    #expect(tablet.state.hasRejoined)
    #expect(tablet.state.rebasedCount == 7)
    #expect(try names(tablet).count == 8)
    try await checkEqual(household)
  }

  @Test func whatIsInterruptedIsDoneAgain() async throws {
    let household = try await household()
    let tablet = household.devices[2]
    try await open("Unsent", tablet)
    household.pass(seconds: 91 * day)
    try await pass(3, household, [0, 1])
    try await household.devices[0].connected().alone { try await $0.sendSnapshot() }
    await household.relay.trim()
    for seed in 0..<UInt64(12) {
      var options = tablet.options
      let connect = options.connect
      options.connect = { relay, token in
        guard let base = try connect(relay, token) as? MemoryTransport else {
          return try connect(relay, token)
        }
        return FaultyTransport(
          base: base, random: Kept(SeededGenerator(seed: seed)), lossPercent: 40,
          losesChunks: seed < 4)
      }
      let lossy = LedgerSync(tablet.ledger, options: options)
      do { try await lossy.exchange() } catch { #expect(error is NetworkFault) }
      #expect(try names(tablet).contains("Unsent"))
    }
    await tablet.disconnect()
    try await household.settle()
    for device in household.devices { #expect(try names(device) == ["Cash", "Unsent"]) }
    try await checkEqual(household)
  }

  @Test func purgingKeepsWhatIsNotSent() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "purged-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await open("Cash", household.devices[0])
    try await household.join(try await Ledger.open(at: folder), name: "laptop")
    let laptop = household.devices[1]
    var everything = PurgeOptions()
    everything.policy = .count(0)
    try await open("Unsent", laptop)
    try await rename("Unsent", to: "Renamed", laptop)
    let before = try await Replica(laptop.ledger.store, rules: .ledger).pending()
    #expect(before.count == 2)
    let report = try await laptop.ledger.purge(everything)
    #expect(report.commitCount > 0)
    try await laptop.ledger.compact()
    #expect(try await Replica(laptop.ledger.store, rules: .ledger).pending() == before)
    try await household.settle()
    for device in household.devices { #expect(try names(device) == ["Cash", "Renamed"]) }
    // What was pulled can go, and the log goes on.
    try await laptop.ledger.purge(everything)
    try await rename("Cash", to: "Wallet", household.devices[0])
    try await household.settle()
    for device in household.devices { #expect(try names(device) == ["Renamed", "Wallet"]) }
    try await checkEqual(household)
    try await laptop.ledger.close()
  }
}
