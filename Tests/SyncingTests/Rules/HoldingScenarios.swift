// Goal: what a device records in a month that another one has closed meanwhile is in no figure, on both devices, until
// somebody takes it or lets it go. Method: the phone closes March, the laptop records without knowing; both are asked to the
// cent, and verified.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import Testing

@testable import DaybookSync

@Suite struct HoldingScenarios {
  private let lunch = TransactionID(EntityID(high: 5, low: 1))
  private let dinner = TransactionID(EntityID(high: 5, low: 2))
  private let march = Day(year: 2026, month: 3, day: 14) ?? .min
  private let april = Day(year: 2026, month: 4, day: 2) ?? .min
  private let close = Command.closePeriod(
    through: Day(year: 2026, month: 3, day: 31) ?? .min)

  /// A lunch of 12.00 EUR from Cash, in Food.
  private func lunch(_ pair: SharedPair, note: String = "", on day: Day? = nil) -> Command {
    .record(
      .expense(
        Money(1_200, .eur), from: pair.cash, category: pair.food, on: day ?? march, id: lunch,
        payee: "Rewe", note: note))
  }

  /// The phone has closed March; the laptop recorded a lunch in it.
  private func heldLunch() async throws -> SharedPair {
    let pair = try await SharedPair()
    try await pair.record(phone: [close], laptop: [lunch(pair)])
    return pair
  }

  private func isThere(_ id: TransactionID, _ pair: SharedPair) throws -> Bool {
    try pair.both { try $0.transaction(id) != nil }
  }

  /// What is held on both devices, by name.
  private func held(_ pair: SharedPair) async throws -> [SyncFinding] {
    let told = [try await pair.devices[0].findings(), try await pair.devices[1].findings()]
    #expect(told[0].map(\.onAnyDevice) == told[1].map(\.onAnyDevice))
    #expect(told[0].allSatisfy { $0.rule == .held })
    return told[0]
  }

  /// What history says was done to the lunch.
  private func steps(_ ledger: Ledger) async throws -> [RecordedChange.Operation] {
    var steps: [RecordedChange.Operation] = []
    for try await entry in try ledger.timeline(of: lunch.rawValue) {
      steps += entry.changes.map(\.operation)
    }
    return steps
  }

  private func value(_ name: String, _ finding: SyncFinding) -> SyncFinding.Value? {
    finding.values.first { $0.property == name }
  }

  // MARK: Held

  @Test func aRowOfAClosedMonthIsInNoFigure() async throws {
    let pair = try await heldLunch()
    #expect(try !isThere(lunch, pair))
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(try pair.both { try $0.count(TransactionFilter()) } == 0)
    let finding = try #require(try await held(pair).first)
    #expect(finding.kind == .transaction && finding.entity == lunch.rawValue)
    #expect(value("amount", finding)?.lost == .money(Money(1_200, .eur)))
    #expect(value("payee", finding)?.lost == .text("Rewe"))
    #expect(value("payee", finding)?.lostBy == "laptop")
    #expect(pair.devices.allSatisfy { $0.state.findingCount == 1 })
  }

  @Test func historySaysThatItWasRecordedAndTakenOut() async throws {
    let pair = try await heldLunch()
    #expect(try await steps(pair.laptop) == [.insert, .delete])
    #expect(try await steps(pair.phone) == [])
    // Where it never was, history has nothing of it before it is taken.
    let finding = try #require(try await held(pair).first)
    try await pair.devices[0].take(finding.id, on: april)
    try await pair.share()
    #expect(try await steps(pair.phone) == [.insert])
    #expect(try await steps(pair.laptop) == [.insert, .delete, .insert])
  }

  @Test(arguments: [true, false]) func aHeldAmountStaysConvertedOrStated(isConverted: Bool)
    async throws
  {
    let rate = try Quote("0.9")
    let pair = try await SharedPair { _ in
      [.setRate(ExchangeRate(base: .usd, quoted: .eur, day: march, quote: rate))]
    }
    let charged = isConverted ? nil : Money(950, .eur)
    try await pair.record(
      phone: [close],
      laptop: [
        .record(
          .expense(
            Money(1_000, .usd), from: pair.cash, category: pair.food, on: march,
            accountAmount: charged, id: lunch))
      ])
    let finding = try #require(try await held(pair).first)
    try await pair.devices[0].take(finding.id, on: april)
    try await pair.share()
    #expect(try pair.row(lunch).isConverted == isConverted)
    // The amount of a transaction in an open month is changed, and held after the month is closed.
    try await pair.record(
      phone: [.closePeriod(through: april)],
      laptop: [.amend(lunch, Amendment(amount: Money(2_000, .usd)))])
    let change = try #require(try await held(pair).first)
    try await pair.record(phone: [.reopenPeriod(after: nil)], laptop: [])
    try await pair.devices[0].take(change.id)
    try await pair.share()
    #expect(try pair.row(lunch).isConverted == isConverted)
    #expect(try pair.balance(pair.cash) == (isConverted ? 8_200 : 9_050))
  }

  @Test func itsAuthorsLaterChangesJoinIt() async throws {
    let pair = try await SharedPair()
    try await pair.laptop.append(lunch(pair))
    try await pair.laptop.append(.amend(lunch, Amendment(amount: Money(1_550, .eur))))
    try await pair.laptop.append(.amend(lunch, Amendment(note: "with Ada")))
    try await pair.record(phone: [close], laptop: [])
    let finding = try #require(try await held(pair).first)
    #expect(try await held(pair).count == 1)
    #expect(value("amount", finding)?.lost == .money(Money(1_550, .eur)))
    #expect(value("note", finding)?.lost == .text("with Ada"))
    try await pair.devices[0].take(finding.id, on: april)
    try await pair.share()
    #expect(try pair.row(lunch).note == "with Ada")
    #expect(try pair.balance(pair.cash) == 8_450)
  }

  @Test func whatItsAuthorDeletedAgainIsNotThere() async throws {
    let pair = try await SharedPair()
    try await pair.laptop.append(lunch(pair))
    try await pair.laptop.append(.delete(lunch))
    try await pair.record(phone: [close], laptop: [])
    #expect(try !isThere(lunch, pair))
    #expect(try pair.balance(pair.cash) == 10_000)
  }

  /// Of a row that was there, the amount of March stays; a text is no figure.
  @Test func aChangedAmountIsHeldAndATextIsNot() async throws {
    let pair = try await SharedPair { [lunch($0)] }
    try await pair.laptop.append(.amend(lunch, Amendment(note: "with Ada")))
    try await pair.record(
      phone: [close], laptop: [.amend(lunch, Amendment(amount: Money(1_550, .eur)))])
    #expect(try pair.row(lunch).note == "with Ada")
    #expect(try pair.balance(pair.cash) == 8_800)
    let finding = try #require(try await held(pair).first)
    #expect(finding.values.map(\.property) == ["amount"])
    try await pair.record(phone: [.reopenPeriod(after: nil)], laptop: [])
    #expect(try await pair.devices[1].take(finding.id))
    try await pair.share()
    #expect(try pair.balance(pair.cash) == 8_450)
  }

  @Test func aDeletionIsHeld() async throws {
    let pair = try await SharedPair { [lunch($0)] }
    try await pair.record(phone: [close], laptop: [.delete(lunch)])
    #expect(try pair.balance(pair.cash) == 8_800)
    let finding = try #require(try await held(pair).first)
    try await pair.record(phone: [.reopenPeriod(after: nil)], laptop: [])
    try await pair.devices[0].take(finding.id)
    try await pair.share()
    #expect(try !isThere(lunch, pair))
    #expect(try pair.balance(pair.cash) == 10_000)
  }

  /// The mark that it is not to come again is there before the row is gone, and the row is not generated twice.
  @Test func aDeletionOfAGeneratedRowIsHeld() async throws {
    let rent = SeriesID(EntityID(high: 5, low: 4))
    let pair = try await SharedPair { pair in
      var series = Series(
        id: rent, name: "Rent",
        template: SeriesTemplate(type: .expense, amount: Money(2_000, .eur), account: pair.cash),
        schedule: Schedule(.month), anchor: march)
      series.ahead = 0
      return [.putSeries(series), .generateDue(through: march)]
    }
    let row = try #require(try pair.both { try $0.transactions(limit: 2).first?.id })
    try await pair.record(phone: [close], laptop: [.delete(row)])
    #expect(try pair.balance(pair.cash) == 8_000)
    try await pair.record(
      phone: [.generateDue(through: march)], laptop: [.generateDue(through: march)])
    #expect(try pair.balance(pair.cash) == 8_000)
    let finding = try #require(try await held(pair).first)
    try await pair.record(phone: [.reopenPeriod(after: nil)], laptop: [])
    try await pair.devices[1].take(finding.id)
    try await pair.record(phone: [.generateDue(through: march)], laptop: [])
    #expect(try pair.balance(pair.cash) == 10_000)
  }

  /// An account is there, so that rows have something to refer to; what it opened with is held.
  @Test func anOpeningIsHeld() async throws {
    let savings = AccountID(EntityID(high: 5, low: 3))
    let pair = try await SharedPair()
    try await pair.record(
      phone: [close],
      laptop: [
        .openAccount(
          NewAccount(id: savings, name: "Savings", currency: .eur, opening: Money(50_000, .eur)))
      ])
    #expect(try pair.both { try $0.account(savings)?.name } == "Savings")
    #expect(try pair.balance(savings) == 0)
    let finding = try #require(try await held(pair).first)
    try await pair.devices[1].take(finding.id, on: april)
    try await pair.share()
    #expect(try pair.balance(savings) == 50_000)
    #expect(try pair.both { try $0.account(savings)?.openingDay } == april)
  }

  // MARK: Together, or not

  @Test func theRowsOfOneCommitAreHeldTogether() async throws {
    let pair = try await SharedPair()
    let cinema = Command.record(
      .expense(Money(900, .eur), from: pair.cash, category: pair.fun, on: april, id: dinner))
    try await pair.record(phone: [close], laptop: [lunch(pair), cinema])
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(try await held(pair).map(\.entity).sorted() == [lunch.rawValue, dinner.rawValue])
  }

  @Test func ofAnImportOnlyTheRowsOfTheClosedMonthAreHeld() async throws {
    let pair = try await SharedPair()
    let rows = [(march, 700 as Int64, "ofx:17"), (april, 900, "ofx:18")].map { day, units, name in
      ImportRow(
        .expense(Money(units, .eur), from: pair.bank, on: day, description: "Card"),
        reference: name)
    }
    try await pair.record(phone: [close], laptop: [.importRows(rows)])
    #expect(try pair.balance(pair.bank) == -900)
    let finding = try #require(try await held(pair).first)
    try await pair.record(phone: [.reopenPeriod(after: nil)], laptop: [])
    try await pair.devices[0].take(finding.id)
    try await pair.share()
    #expect(try pair.balance(pair.bank) == -1_600)
    // The file is still known.
    try await pair.record(phone: [.importRows(rows)], laptop: [])
    #expect(try pair.balance(pair.bank) == -1_600)
  }

  // MARK: Taken, or let go

  @Test func itIsTakenOnAnotherDay() async throws {
    let pair = try await heldLunch()
    let finding = try #require(try await held(pair).first)
    let laptop = pair.devices[1]
    await #expect(throws: DaybookError.self) { try await laptop.take(finding.id) }
    #expect(try await laptop.findings().count == 1)
    #expect(try await laptop.take(finding.id, on: april))
    #expect(try await laptop.findings().isEmpty)
    #expect(try await !laptop.take(finding.id))
    try await pair.share()
    #expect(try pair.row(lunch).day == april)
    #expect(try pair.row(lunch).payee == "Rewe")
    #expect(try pair.balance(pair.cash) == 8_800)
    #expect(try await held(pair).isEmpty)
  }

  /// On its author's device too, where it had been, and was as it will be.
  @Test(arguments: [0, 1]) func itIsTakenOnceTheMonthIsOpenAgain(device: Int) async throws {
    let pair = try await heldLunch()
    let finding = try #require(try await held(pair).first)
    try await pair.record(phone: [.reopenPeriod(after: nil)], laptop: [])
    #expect(try pair.balance(pair.cash) == 10_000)
    #expect(try await pair.devices[device].take(finding.id))
    try await pair.share()
    #expect(try pair.row(lunch).day == march)
    #expect(try pair.balance(pair.cash) == 8_800)
    // What is changed from then on is changed as ever.
    try await pair.record(
      phone: [.amend(lunch, Amendment(note: "with Ada"))],
      laptop: [.amend(lunch, Amendment(amount: Money(1_000, .eur)))])
    #expect(try pair.row(lunch).note == "with Ada")
    #expect(try pair.balance(pair.cash) == 9_000)
    #expect(try await held(pair).isEmpty)
  }

  @Test func itIsLetGoAndThatIsTakenBack() async throws {
    let pair = try await heldLunch()
    let finding = try #require(try await held(pair).first)
    #expect(try await pair.devices[0].dismiss(finding.id))
    try await pair.share()
    #expect(try await held(pair).isEmpty)
    #expect(try pair.balance(pair.cash) == 10_000)
    try await pair.phone.undo(commit: try pair.phone.token.sequence)
    try await pair.share()
    #expect(try await held(pair).map(\.id) == [finding.id])
  }

  @Test func whoJoinsLaterIsToldAndMayTakeIt() async throws {
    let pair = try await heldLunch()
    let tablet = try await pair.joining(try await Ledger.inMemory(), name: "tablet")
    let finding = try #require(try await held(pair).first)
    #expect(try await tablet.findings().map(\.onAnyDevice) == [finding.onAnyDevice])
    #expect(try await tablet.take(finding.id, on: april))
    try await tablet.exchange()
    try await pair.share()
    #expect(try pair.balance(pair.cash) == 8_800)
    #expect(try await tablet.ledger.verify().findings == [])
  }
}
