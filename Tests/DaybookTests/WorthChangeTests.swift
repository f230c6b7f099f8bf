// Goal: a change of the net worth is explained to the last unit, whatever the rates are. Method: households
// whose figures were worked out by hand; the identity is checked over every split of the days.

import Daybook
import Testing

@Suite struct WorthChangeTests {
  private func change(
    _ snapshot: borrowing Snapshot, _ first: String, _ last: String
  ) throws -> WorthChange {
    try snapshot.worthChange(in: day(first)..<day(last).adding(days: 1))
  }

  // Reported of Fava (#453, #467): the net worth moved with the rates, and no figure said so.
  @Test func ratesChangeTheWorthOfABalance() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", in: usd)
    try await house.append(
      house.rate(usd, kzt, "500", "2026-02-01"), house.rate(usd, kzt, "480", "2026-02-10"))
    // 100 at 450, then 40 at 500.
    try await house.income(money("100", usd), into: dollars, on: "2026-01-10")
    try await house.expense(money("40", usd), from: dollars, on: "2026-02-05")
    try await house.ends { snapshot throws in
      let january = try change(snapshot, "2026-01-01", "2026-01-31")
      #expect(january.income.total == total("45000") && january.gain == total("0"))
      let february = try change(snapshot, "2026-02-01", "2026-02-28")
      #expect(february.start.total == total("45000") && february.end.total == total("28800"))
      #expect(february.expense.total == total("20000") && february.other.total == total("0"))
      // 100 × (500 − 450), then 60 × (480 − 500).
      #expect(february.gain == total("3800"))
      let both = try change(snapshot, "2026-01-01", "2026-02-28")
      #expect(both.gain == total("3800") && both.change == total("28800") && both.isComplete)
    }
  }

  // Reported of Money Manager Ex (#5833): a gain was converted at two rates.
  @Test func anExchangeAtAnotherRateIsAGainOrLoss() async throws {
    let house = try await House()
    let (tenge, dollars) = (try await house.account("T"), try await house.account("D", in: usd))
    try await house.income(money("9000"), into: tenge, on: "2026-01-01")
    // 10 USD are worth 4500, but cost 4700; 2 USD cost 950 as an expense, which is its cost.
    try await house.transfer(
      money("4700"), from: tenge, to: dollars, on: "2026-01-05", targetAmount: money("10", usd))
    try await house.append(
      .record(
        .expense(money("2", usd), from: tenge, on: day("2026-01-06"), accountAmount: money("950"))))
    try await house.ends { snapshot throws in
      let found = try change(snapshot, "2026-01-01", "2026-01-31")
      #expect(found.income.total == total("9000") && found.expense.total == total("950"))
      #expect(found.gain == total("-200") && found.end.total == total("7850"))
    }
  }

  @Test func otherSourcesAreNoGain() async throws {
    let house = try await House()
    let (a, b) = (try await house.account("A"), try await house.account("B"))
    let equity = try await house.account("Inheritance", kind: .equity)
    try await house.append(.setOpening(a, money("1000"), day("2026-01-10")))
    // From Outside: neither account is known, and the net worth doesn't change.
    try await house.expense(money("30"), from: nil, on: "2026-01-11")
    try await house.transfer(money("500"), from: equity, to: a, on: "2026-01-12")
    try await house.append(
      .record(.transfer(money("7"), from: nil, to: b, on: day("2026-01-13"))))
    var late = Draft.transfer(money("100"), from: a, to: b, on: day("2026-01-31"))
    late.valueDay = day("2026-02-02")
    try await house.append(.record(late))
    try await house.ends { snapshot throws in
      let january = try change(snapshot, "2026-01-01", "2026-01-31")
      #expect(january.end.total == total("1407"))
      // The opening balance, the inheritance, 30 and 7 from Outside, less 100 on the way.
      #expect(january.other.total == total("1437") && january.gain == total("0"))
      let february = try change(snapshot, "2026-02-01", "2026-02-28")
      #expect(february.other.total == total("100") && february.gain == total("0"))
      #expect(try change(snapshot, "2026-01-31", "2026-02-02").other.total == total("0"))
    }
  }

  @Test func aCurrencyWithoutARateIsReported() async throws {
    let house = try await House(rates: false)
    let dollars = try await house.account("D", in: usd)
    try await house.income(money("10", usd), into: dollars, on: "2026-01-10")
    let none = day("2026-01-01")..<day("2026-01-01")
    #expect(throws: DaybookError.self) {
      try house.ledger.read { try $0.worthChange(in: none) }
    }
    try await house.ends { snapshot throws in
      let found = try change(snapshot, "2026-01-01", "2026-01-31")
      #expect(!found.isComplete && found.gain == total("0"))
      #expect(found.end.unconverted == [Unconverted(total: total("10", usd), count: 1)])
    }
  }

  @Test func consecutiveGainsAddUp() async throws {
    let house = try await House()
    let dollars = try await house.account("Dollars", in: usd)
    var commands: [Command] = []
    for index in 0..<60 {
      let on = day("2026-01-01").adding(days: index)
      commands.append(try house.rate(usd, kzt, "\(440 + index * 7 % 31).\(index % 10)", "\(on)"))
      commands.append(
        .record(.income(money("\(index * 13 % 17 + 1)", usd), into: dollars, on: on)))
    }
    try await house.ledger.append(commands)
    try await house.ends { snapshot throws in
      let whole = try change(snapshot, "2026-01-01", "2026-03-01")
      #expect(whole.gain.units != 0)
      for index in 1..<60 {
        let cut = day("2026-01-01").adding(days: index)
        let left = try snapshot.worthChange(in: day("2026-01-01")..<cut)
        let right = try snapshot.worthChange(in: cut..<day("2026-03-02"))
        #expect(left.end == right.start && left.gain.units + right.gain.units == whole.gain.units)
      }
    }
  }
}
