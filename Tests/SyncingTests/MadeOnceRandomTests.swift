// Goal: in any order of generating, importing, changing, deleting, skipping and exchanging on three devices, each row is there
// once unless somebody deleted it, and only what persons did is told of. Method: seeded steps; the test keeps which ids were
// made, deleted and changed. `DAYBOOK_MADE` says how many seeds.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookMerging
import Foundation
import Testing

@testable import DaybookSync
@testable import DaybookTesting

@Suite struct MadeOnceRandomTests {
  private static let seeds: Range<UInt64> = {
    let asked = ProcessInfo.processInfo.environment["DAYBOOK_MADE"].flatMap(UInt64.init)
    return 0..<(asked ?? 20)
  }()

  private static let bank = AccountID(EntityID(high: 1, low: 1))
  private static let start = Day(year: 2026, month: 1, day: 1) ?? .min

  /// What persons and programs have done, on any device.
  private struct Story {
    var made: Set<TransactionID> = []
    var deleted: Set<TransactionID> = []
    var changed: Set<TransactionID> = []
  }

  private static func series(_ number: UInt64, _ schedule: Schedule) -> Command {
    var series = Series(
      id: SeriesID(EntityID(high: 2, low: number)), name: "Series \(number)",
      template: SeriesTemplate(type: .expense, amount: Money(90, .eur), account: bank),
      schedule: schedule, anchor: start)
    series.ahead = 0
    return .putSeries(series)
  }

  private static func file(_ days: ClosedRange<Int>) -> Command {
    .importRows(
      days.flatMap { number in
        // Two equal rows, and one with a reference.
        ["", "", "ofx:1"].map { reference in
          ImportRow(
            .expense(
              Money(Int64(number), .eur), from: bank, on: start.adding(days: number),
              note: "Shop\(reference)"), reference: reference)
        }
      }, ImportOptions())
  }

  private static func through(_ days: Int) -> Command {
    .generateDue(through: start.adding(days: days))
  }

  private func ids(_ ledger: Ledger) throws -> Set<TransactionID> {
    try ledger.read { snapshot in
      var ids: Set<TransactionID> = []
      try snapshot.forEach(Transaction.self) { ids.insert($0.id) }
      return ids
    }
  }

  /// Does something, and tells of it.
  private func step(
    _ ledger: Ledger, _ random: inout SeededGenerator, _ story: inout Story
  ) async throws {
    switch random.number(0...5) {
    case 0: try await run(Self.through(random.number(10...70)), on: ledger, &story)
    case 1:
      let first = random.number(1...20)
      try await run(Self.file(first...first + random.number(0...8)), on: ledger, &story)
    case 2:
      let number = UInt64(random.number(1...2))
      let series = try ledger.read { try $0.series(SeriesID(EntityID(high: 2, low: number))) }
      guard let series else { return }
      let due = random.pick(Array(series.scheduledDays.prefix { $0 < Self.start.adding(days: 40) }))
      let link = SeriesLink(series.id, due: due)
      try await ledger.append(.skipOccurrence(link))
      story.deleted.insert(TransactionID(of: series, due: due))
    default:
      let rows = try ids(ledger).sorted()
      if rows.isEmpty { return }
      let id = random.pick(rows)
      if random.chance(40) {
        try await ledger.append(.delete(id))
        story.deleted.insert(id)
      } else {
        let note = "note \(random.number(0...9))"
        try await ledger.append(
          .amend(id, Amendment(amount: Money(Int64(random.number(100...999)), .eur), note: note)))
        story.changed.insert(id)
      }
    }
  }

  private func run(_ command: Command, on ledger: Ledger, _ story: inout Story) async throws {
    let receipt = try await ledger.append(command)
    let made = receipt.generations.flatMap(\.recorded) + receipt.imports.flatMap(\.recorded)
    story.made.formUnion(made)
  }

  @Test(arguments: seeds) func eachRowIsThereOnce(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var story = Story()
    var household = Household()
    let ledgers = [
      try await Ledger.inMemory(), try await Ledger.inMemory(), try await Ledger.inMemory(),
    ]
    try await ledgers[0].append([
      .openAccount(NewAccount(id: Self.bank, name: "Bank", currency: .eur)),
      Self.series(1, Schedule(.month)), Self.series(2, Schedule(.week)),
    ])
    try await household.start(ledgers[0])
    for (ledger, name) in zip(ledgers.dropFirst(), ["laptop", "tablet"]) {
      try await household.join(ledger, name: name)
    }
    for _ in 0..<30 {
      household.pass(seconds: Double(random.number(0...100)))
      let index = random.number(0...2)
      if random.chance(25) {
        try await household.devices[index].exchange()
      } else {
        try await step(ledgers[index], &random, &story)
      }
    }
    try await household.settle()
    // Whoever does all of it now adds what nobody had made, and nothing that somebody deleted.
    for ledger in ledgers {
      try await run(Self.through(70), on: ledger, &story)
      try await run(Self.file(1...28), on: ledger, &story)
    }
    try await household.settle()
    let expected = story.made.subtracting(story.deleted)
    for (device, ledger) in zip(household.devices, ledgers) {
      #expect(try ids(ledger) == expected, "seed \(seed)")
      let told = Set(try await device.findings().map { TransactionID($0.entity) })
      #expect(told.isSubset(of: story.changed), "seed \(seed)")
      #expect(try await ledger.verify().findings.isEmpty, "seed \(seed)")
      #expect(try await ledger.append(Self.file(1...28)).imports[0].recorded == [], "seed \(seed)")
    }
  }
}
