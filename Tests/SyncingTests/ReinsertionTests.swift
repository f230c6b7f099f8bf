// Goal: whatever brings back a row that a program made (import, generating, skipping, resuming, undo and redo), the device
// can send it, and all devices have it. Method: a household in which one device does so before or between exchanges; rows of
// all devices, digests, findings.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookMerging
import Testing

@testable import DaybookSync

@Suite struct ReinsertionTests {
  private let bank = AccountID(EntityID(high: 1, low: 1))
  private let rent = SeriesID(EntityID(high: 2, low: 1))

  private func day(_ month: Int, _ day: Int) -> Day {
    Day(year: 2026, month: month, day: day) ?? .min
  }

  /// Two devices with an account and a monthly series from 10 January, of which one row is planned ahead.
  private func household() async throws -> (Household, Ledger, Ledger) {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    let series = Series(
      id: rent, name: "Rent",
      template: SeriesTemplate(type: .expense, amount: Money(60_00, .eur), account: bank),
      schedule: Schedule(.month), anchor: day(1, 10))
    try await first.append([
      .openAccount(NewAccount(id: bank, name: "Bank", currency: .eur)), .putSeries(series),
    ])
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    return (household, first, second)
  }

  private var file: Command {
    .importRows(
      (1...3).map { number in
        ImportRow(
          .expense(Money(Int64(number), .eur), from: bank, on: day(2, number)),
          reference: number == 3 ? "ofx:3" : "")
      }, ImportOptions())
  }

  private func days(_ ledger: Ledger) throws -> [Day] {
    try ledger.read { snapshot in
      var days: [Day] = []
      try snapshot.forEach(Transaction.self) { days.append($0.day) }
      return days.sorted()
    }
  }

  /// Takes the newest commit back, and exchanges where `sends` says so.
  private func undo(_ household: Household, _ ledger: Ledger, sends: Bool) async throws {
    try await ledger.undo(commit: try ledger.token.sequence)
    if sends { try await household.settle() }
  }

  private func expectDays(
    _ days: [Day], _ household: Household, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    try await household.settle()
    for device in household.devices {
      #expect(try self.days(device.ledger) == days, sourceLocation: location)
      #expect(try await device.findings().isEmpty, sourceLocation: location)
    }
    try await household.checkEqual()
  }

  @Test(arguments: [false, true]) func pausedAndResumed(sends: Bool) async throws {
    let (household, first, _) = try await household()
    for command: Command in [
      .generateDue(through: day(1, 15)), .pauseSeries(rent, after: day(1, 15)),
      .resumeSeries(rent, on: day(1, 20)), .generateDue(through: day(1, 20)),
    ] {
      try await first.append(command)
      if sends { try await household.settle() }
    }
    try await expectDays([day(1, 10), day(2, 10)], household)
  }

  @Test(arguments: [false, true]) func importedUndoneAndImportedAgain(sends: Bool) async throws {
    let (household, first, second) = try await household()
    try await first.append(file)
    if sends { try await household.settle() }
    try await undo(household, first, sends: sends)
    try await first.append(file)
    try await expectDays([day(2, 1), day(2, 2), day(2, 3)], household)
    // On the other device, which has it from the first.
    try await undo(household, second, sends: sends)
    try await second.append(file)
    try await expectDays([day(2, 1), day(2, 2), day(2, 3)], household)
  }

  @Test(arguments: [false, true]) func importedUndoneAndRedone(sends: Bool) async throws {
    let (household, first, _) = try await household()
    try await first.append(file)
    if sends { try await household.settle() }
    for _ in 0..<4 { try await undo(household, first, sends: sends) }
    try await expectDays([day(2, 1), day(2, 2), day(2, 3)], household)
    try await undo(household, first, sends: sends)
    try await expectDays([], household)
  }

  @Test(arguments: [false, true]) func generatedUndoneAndGeneratedAgain(sends: Bool) async throws {
    let (household, first, _) = try await household()
    try await first.append(.generateDue(through: day(1, 15)))
    if sends { try await household.settle() }
    try await undo(household, first, sends: sends)
    try await first.append(.generateDue(through: day(1, 15)))
    try await expectDays([day(1, 10), day(2, 10)], household)
  }

  @Test(arguments: [false, true]) func skippedUndoneAndSkippedAgain(sends: Bool) async throws {
    let (household, first, second) = try await household()
    let link = SeriesLink(rent, due: day(1, 10))
    for _ in 0..<2 {
      try await first.append(.skipOccurrence(link))
      if sends { try await household.settle() }
      try await undo(household, first, sends: sends)
      try await first.append(.skipOccurrence(link))
      if sends { try await household.settle() }
      try await first.append(.unskipOccurrence(link))
    }
    try await first.append(.skipOccurrence(link))
    try await household.settle()
    try await second.append(.generateDue(through: day(1, 15)))
    try await expectDays([day(2, 10)], household)
  }

  /// Another device deleted one of the rows, and has not seen that the file was taken back and imported again.
  @Test func whatAnotherDeviceDeletedStaysDeleted() async throws {
    let (household, first, second) = try await household()
    try await first.append(file)
    try await household.settle()
    let row = try second.read { snapshot in
      var row: TransactionID?
      try snapshot.forEach(Transaction.self) { if $0.day == day(2, 2) { row = $0.id } }
      return row
    }
    try await second.append(.delete(try #require(row)))
    try await undo(household, first, sends: false)
    try await first.append(file)
    try await expectDays([day(2, 1), day(2, 3)], household)
  }

  /// It comes back too late for the log, and is recorded again on a snapshot.
  @Test func importedAgainByADeviceThatWasAwayForLong() async throws {
    let (household, first, second) = try await household()
    try await second.append(file)
    try await household.settle()
    try await undo(household, second, sends: false)
    try await second.append(file)
    for _ in 0..<3 {
      household.pass(seconds: 100 * 86_400)
      try await household.devices[0].exchange()
      try await first.append(.amendAccount(bank, AccountChange(note: "\(household.devices.count)")))
      try await household.devices[0].exchange()
    }
    await household.relay.trim()
    try await expectDays([day(2, 1), day(2, 2), day(2, 3)], household)
  }
}
