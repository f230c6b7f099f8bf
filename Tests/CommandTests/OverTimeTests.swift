// Goal: what accounts held, and all were worth, is told for any days. Method: the built command is run on
// the everyday household; figures are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct OverTimeTests {
  private func worth(_ desk: Desk, _ words: String) throws -> [String] {
    try desk.done("networth --json --today 2026-02-15 \(words)").json()["days"].array.map {
      point in
      let isConverted = point["amount"].value != nil
      let figures = (isConverted ? [point["amount"]] : point["totals"].array).map { figure in
        let left = figure["unconverted"].array.compactMap { $0["amount"].string }
        return ([figure["amount"].string ?? "?", figure["currency"].string ?? "?"] + left)
          .joined(separator: " ")
      }
      return "\(point["day"].string ?? "?"): " + figures.joined(separator: ", ")
    }
  }

  @Test func netWorthByMonth() throws {
    let desk = try EverydayTests.household()
    // Before the first rate the dollars are left out and named.
    #expect(
      try worth(desk, "--count 3") == [
        "2025-12-31: 1000.00 EUR 50.00", "2026-01-31: 3040.00 EUR",
        "2026-02-15: 3000.00 EUR",
      ])
    #expect(
      try worth(desk, "--count 2 --base usd") == [
        "2026-01-31: 3800.00 USD", "2026-02-15: 3750.00 USD",
      ])
    #expect(try worth(desk, "").count == 12)
    // What is planned counts from its day on, so not in today's month but in the next.
    try desk.done("add expense 70 --account Checking --category Food --on 2026-02-20")
    #expect(
      try worth(desk, "--count 2 --through 2026-03") == [
        "2026-02-15: 3000.00 EUR", "2026-03-31: 2930.00 EUR",
      ])
    #expect(
      try worth(desk, "--count 1 --through 2026-02 --today 2026-02-20")
        == ["2026-02-20: 2930.00 EUR"])
    #expect(try desk.run("networth --count 0").status == 64)
    #expect(try desk.run("networth --base XXQ").status == 1)
  }

  @Test func netWorthInWords() throws {
    let desk = try EverydayTests.household()
    let lines = try desk.done("networth --count 3 --today 2026-02-15 --no-chart").lines
    #expect(
      lines == [
        "Month    Day         Net worth    Change",
        "2025-12  2025-12-31   1,000.00            EUR",
        "2026-01  2026-01-31   3,040.00  2,040.00  EUR",
        "2026-02  2026-02-15   3,000.00    -40.00  EUR", "2025-12:",
        "Left out 50.00 USD (1 account): there is no rate to EUR. Add one with `daybook rate add`.",
        "Old rates: 1 EUR = 1.25 USD of 2026-01-01 (45 days old). Add newer ones with `daybook rate "
          + "add` or `daybook rate import`.",
        "",
      ])
    let chart = try desk.done("networth --count 2 --today 2026-02-15").lines
    #expect(chart.contains("In EUR"))
    #expect(chart.contains { $0.contains("2026-01") && $0.contains("█") })
  }

  @Test func withoutABaseCurrencyEachIsByItself() throws {
    let desk = try Desk()
    try desk.done("init")
    #expect(try desk.done("networth --count 1").output.contains("daybook accounts create"))
    try desk.done("accounts create Cash --currency EUR --opening 5")
    try desk.done("accounts create Card --currency USD --kind liability --opening=-7.5")
    #expect(
      try worth(desk, "--count 2") == [
        "2026-01-31: 5.00 EUR, -7.50 USD", "2026-02-15: 5.00 EUR, -7.50 USD",
      ])
  }

  private func points(
    _ desk: Desk, _ words: String, today: String = "2026-02-15"
  ) throws -> [[String]] {
    try desk.done("balance \(words) --json --today \(today)").json()["accounts"].array.map {
      $0["balances"].array.map {
        "\($0["day"].string ?? "?") \($0["total"]["amount"].string ?? "?")"
      }
    }
  }

  @Test func balancesOverDays() throws {
    let desk = try EverydayTests.household()
    #expect(
      try points(desk, "checking Cash --every day --from 2026-02-13") == [
        ["2026-02-13 2969.50", "2026-02-14 2860.00", "2026-02-15 2860.00"],
        ["2026-02-13 0.00", "2026-02-14 100.00", "2026-02-15 100.00"],
      ])
    // Month ends stay month ends.
    #expect(
      try points(desk, "Checking --every month --from 2025-12-31 --through 2026-03-31") == [
        [
          "2025-12-31 1000.00", "2026-01-31 3000.00", "2026-02-28 2860.00", "2026-03-31 2860.00",
        ]
      ])
    #expect(
      try points(desk, "Checking --every week --from 2026-01-24 --through 2026-02-08")
        == [["2026-01-25 1000.00", "2026-02-01 3000.00", "2026-02-08 2969.50"]])
    #expect(
      try points(desk, "Checking --every year --from 2025-02-14")
        == [["2025-02-15 1000.00", "2026-02-15 2860.00"]])
    for (every, first) in [
      ("day", "2026-02-04"), ("week", "2025-11-30"), ("month", "2025-03-15"),
      ("year", "2015-02-15"),
    ] {
      let twelve = try points(desk, "Checking --every \(every)")[0]
      #expect(twelve.count == 12 && twelve[0].hasPrefix(first), "\(every): \(twelve)")
      #expect(twelve.last == "2026-02-15 2860.00", "\(every)")
    }
    // The last point is the last day, whatever the lengths of the months.
    for (words, today, days) in [
      (
        "month --from 2026-01-01 --through 2026-03-31", "2026-02-15",
        ["2026-01-31", "2026-02-28", "2026-03-31"]
      ),
      ("month --from 2025-12-30", "2026-01-31", ["2025-12-31", "2026-01-31"]),
      ("month --from 2024-01-01", "2024-02-29", ["2024-01-29", "2024-02-29"]),
      ("year --from 2022-01-01", "2024-02-29", ["2022-02-28", "2023-02-28", "2024-02-29"]),
      ("week --from 2026-02-13", "2026-02-15", ["2026-02-15"]),
    ] {
      let found = try points(desk, "Checking --every \(words)", today: today)[0]
      #expect(found.map { String($0.prefix(10)) } == days, "\(words)")
    }
    for (every, today) in [
      ("month", "2026-01-31"), ("month", "2026-05-31"), ("month", "2024-02-29"),
      ("year", "2024-02-29"),
    ] {
      let twelve = try points(desk, "Checking --every \(every)", today: today)[0]
      #expect(twelve.count == 12 && twelve.last?.hasPrefix(today) == true, "\(every) \(today)")
    }
    let asOf = "Checking --every day --from 2026-02-14 --as-of"
    let newest = try #require(try desk.done("info --json").json()["sequence"].int)
    #expect(
      try points(desk, "\(asOf) \(newest - 1)") == [["2026-02-14 2960.00", "2026-02-15 2960.00"]])
    let account = try desk.done("balance Dollars --every day --json").json()["accounts"][0]
    #expect(account["account"]["name"].string == "Dollars")
    #expect(
      try account["balances"].decoded(as: [DatedTotal].self).first?.total.currency.code == "USD")
  }

  @Test func balancesInATable() throws {
    let desk = try EverydayTests.household()
    #expect(
      try desk.done("balance Checking Dollars --every day --from 2026-02-13 --through 2026-02-14")
        .lines
        == [
          "Day         Checking EUR  Dollars USD", "2026-02-13      2,969.50        50.00",
          "2026-02-14      2,860.00        50.00", "",
        ])
    for (words, remedy) in [
      ("--every day", "daybook networth"), ("Cash --from 2026-02-01", "--every"),
      ("Cash --every day --on 2026-02-01", "--through"), ("Cash --every hour", "week"),
      ("Cash --every day --base EUR", "own currency"), ("Cash --every day --all", "--all"),
      ("Cash --every day --from 2026-02-02 --through 2026-02-01", "Swap the two days"),
    ] {
      let run = try desk.run("balance \(words)")
      #expect(run.status == 64 && run.errors.contains(remedy), "\(words): \(run.errors)")
    }
    #expect(try desk.run("balance Csh --every day").errors.contains("Did you mean “Cash”?"))
    let long = try desk.run("balance Cash --every day --from 0001-01-01")
    #expect(long.status == 1 && !long.errors.isEmpty, "\(long.status) \(long.errors)")
  }
}
