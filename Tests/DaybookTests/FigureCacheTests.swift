/// Goal: figures that are kept between commits are those that reading everything again gives. Method: a household with
/// a card, an account outside the budget and two currencies is changed at random; after each change, the figures of its
/// ledger are compared with those of a copy that has kept nothing.
import Daybook
import DaybookRandom
import Foundation
import Testing

@Suite struct FigureCacheTests {
  /// Everything that is kept, as of a day.
  private struct Figures: Equatable {
    var payees: [NamedMonths]
    var tags: [NamedMonths]
    var envelopes: [EnvelopeMonth]
    var inbox: Inbox
    var totals: [ConvertedMonth]
    var categories: [[ConvertedCategoryTotal]]
    var trends: [[ConvertedCategoryMonth]]

    init(_ snapshot: borrowing Snapshot, _ today: Day) throws {
      let months = today.monthOf.adding(-3)..<today.monthOf.adding(2)
      payees = try snapshot.payeeMonths(months, today: today)
      tags = try snapshot.tagMonths(months, today: today)
      envelopes = try snapshot.envelopes(over: months, today: today)
      inbox = try snapshot.inbox(today: today, limit: 100)
      totals = try snapshot.baseMonths(months, today: today)
      categories = try months.map {
        try snapshot.baseBreakdown(in: $0.days, kind: .expense, today: today)
      }
      trends = try snapshot.categories().map {
        try snapshot.baseTrend(of: $0.id, over: months, today: today)
      }
    }
  }

  @Test(arguments: 0..<4) func whatIsKeptIsWhatIsRead(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let house = try await House()
    let cash = try await house.account("Cash", opening: "1000")
    let card = try await house.account("Card", kind: .liability)
    let dollars = try await house.account("Dollars", in: usd)
    let pension = try await house.account("Pension")
    var outside = AccountChange()
    outside.isOutsideBudget = true
    try await house.append(.amendAccount(pension, outside))
    let categories = [try await house.category("Food"), try await house.category("Fun")]
    let accounts = [cash, card, dollars, pension]
    for step in 0..<40 {
      let rows = try house.ledger.read { try $0.transactions(limit: 1_000) }
      switch random.below(8) {
      case 0 where !rows.isEmpty:
        try await house.append(.delete(rows[random.below(rows.count)].id))
      case 1 where !rows.isEmpty:
        var amendment = Amendment(day: today.adding(days: -random.below(100)))
        amendment.payee = ["Shop", "shop", "Bar"][random.below(3)]
        amendment.tags = random.below(2) == 0 ? [] : ["trip"]
        try await house.append(.amend(rows[random.below(rows.count)].id, amendment))
      case 2:
        let from = accounts[random.below(2)]
        var draft = Draft(
          .transfer(Draft.Transfer(money("5"), from: from, to: pension)),
          on: today.adding(days: -random.below(100)))
        draft.valueDay = today.adding(days: random.below(40) - 20)
        try await house.append(.record(draft))
      case 3 where step % 3 == 0:
        let (units, date) = (random.below(90) + 410, random.below(9) + 1)
        try await house.append(try house.rate(usd, kzt, "\(units)", "2026-01-0\(date)"))
      case 4 where step % 4 == 0:
        var change = AccountChange()
        change.isOutsideBudget = random.below(2) == 0
        try await house.append(.amendAccount(accounts[random.below(4)], change))
      case 5 where step % 5 == 0:
        var change = CategoryChange()
        change.carriesOverspending = random.below(2) == 0
        try await house.append(.amendCategory(categories[random.below(2)], change))
      default:
        let account = accounts[random.below(4)]
        var draft = Draft.expense(
          money("\(1 + random.below(4))", account == dollars ? usd : kzt), from: account,
          category: random.below(3) == 0 ? nil : categories[random.below(2)],
          on: today.adding(days: -random.below(100)),
          payee: ["Shop", "shop", "Bar", ""][random.below(4)])
        draft.tags = [[], ["trip"], ["trip", "Trip"]][random.below(3)]
        try await house.append(.record(draft))
      }
      let kept = try house.ledger.read { try Figures($0, today) }
      let path = "\(house.path)-\(step)"
      try await house.ledger.backup(to: path)
      let copy = try await Ledger.open(at: path, options: House.options())
      let read = try copy.read { try Figures($0, today) }
      #expect(kept == read, "step \(step)")
      try await copy.close()
      try FileManager.default.removeItem(atPath: path)
    }
    try await house.end()
  }
}
