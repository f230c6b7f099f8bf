// Goal: `daybook insights` tells the figures of a month. Method: the built command is run on a small
// ledger whose figures are worked out by hand, in words and as JSON.
import Daybook
import Foundation
import Testing

@Suite struct InsightsCommandTests {
  /// Spent: November 100, December 100, January 610, February 1,000; earned: 2,000, 2,000 and 2,500 from
  /// December on.
  private func household(_ settings: String = "--base EUR") throws -> Desk {
    let desk = try Desk()
    try desk.done("init \(settings)")
    try desk.done("accounts create Checking --currency EUR --opening 1000")
    try desk.done("accounts create Dollars --currency USD --opening 900")
    for name in ["Food", "Rent"] { try desk.done("categories create \(name)") }
    try desk.done("categories create Salary --kind income")
    for (day, food, rent, salary) in [
      ("2025-11-10", "100", "", ""), ("2025-12-10", "100", "", "2000"),
      ("2026-01-10", "110", "500", "2000"), ("2026-02-10", "400", "600", "2500"),
    ] {
      for (kind, amount, category) in [
        ("expense", food, "Food"), ("expense", rent, "Rent"), ("income", salary, "Salary"),
      ] where !amount.isEmpty {
        try desk.done(
          "add \(kind) \(amount) --account Checking --category \(category) --on \(day)")
      }
    }
    try desk.done("add expense 56 --account Dollars --category Food --on 2026-02-11")
    return desk
  }

  @Test func aMonthInFigures() throws {
    let run = try household().done("insights --json --today 2026-02-28")
    let answer: ConvertedInsights = try run.json().decoded()
    #expect("\(answer.month)" == "2026-02" && answer.totals.base.code == "EUR")
    #expect(answer.totals.income.total.text == "2500.00")
    #expect(answer.before.income.total.text == "2000.00")
    #expect(answer.totals.expense.total.text == "1000.00")
    #expect(answer.before.expense.total.text == "610.00")
    // 1,000 ÷ 28 days.
    #expect(answer.averagePerDay.text == "35.71")
    #expect(answer.savingsRate?.perMille == 600)
    let top = answer.topCategories
    #expect(top.map(\.category.name) == ["Rent", "Food"])
    #expect(top.map(\.total.text) == ["600.00", "400.00"])
    #expect(top.map { $0.share?.perMille } == [600, 400])
    // The usual is a third of November, December and January.
    #expect(answer.spikes.map(\.category.name) == ["Food", "Rent"])
    #expect(answer.spikes.map(\.usual.text) == ["103.33", "166.67"])
    #expect(answer.growthStreak == 2)
    #expect(answer.best.map { "\($0)" } == "2025-12" && answer.worst.map { "\($0)" } == "2025-11")
    // 5,690 ÷ (810 ÷ 3).
    #expect(answer.runway?.tenthsOfMonths == 210)
    #expect(try run.json()["names"]["\(top[0].category.id)"].string == "Rent")
  }

  @Test func aMonthInWords() throws {
    let desk = try household()
    #expect(
      try desk.done("insights --today 2026-02-28").lines == [
        "2026-02: earned 2,500.00 EUR (500.00 EUR more than the month before), spent 1,000.00 EUR "
          + "(390.00 EUR more than the month before).",
        "Average spending per day: 35.71 EUR.", "Saved: 60.0 % of income.",
        "  Rent: 600.00 EUR, 60.0 %", "  Food: 400.00 EUR, 40.0 %",
        "Unusual: Food, 400.00 EUR instead of the usual 103.33 EUR.",
        "Unusual: Rent, 600.00 EUR instead of the usual 166.67 EUR.",
        "Spending has grown for 2 months in a row.",
        "Best month of the last twelve: 2025-12; worst: 2025-11.",
        "Net worth of 5,690.00 EUR covers 21.0 months of spending at 270.00 EUR a month.",
        "Missing rates to EUR: 2026-02 leaves out 56.00 USD (1 transaction); net worth leaves out "
          + "844.00 USD (1 account). Add one with `daybook rate add`.", "",
      ])
    let earlier = try desk.done("insights --month 2025-12 --today 2026-02-28").lines
    #expect(
      earlier[0] == "2025-12: earned 2,000.00 EUR (2,000.00 EUR more than the month before), "
        + "spent 100.00 EUR (the same as the month before).")
    // Before November there is no ledger, so November alone is the usual.
    #expect(!earlier.contains { $0.hasPrefix("Unusual") || $0.hasPrefix("Spending") })
  }

  /// In every figure, each day at its own rate, as `months` does.
  @Test func otherCurrenciesAreConverted() throws {
    let desk = try household()
    try desk.done("rate add USD EUR 0.5 --on 2026-01-01")
    try desk.done("rate add USD EUR 0.9 --on 2026-02-20")
    try desk.done("add expense 10 --account Dollars --category Food --on 2025-11-11")
    let answer: ConvertedInsights = try desk.done("insights --json --today 2026-02-28").json()
      .decoded()
    let month: ConvertedMonth = try desk.done("months --count 1 --json --today 2026-02-28").json()[
      "months"
    ][0].decoded()
    #expect(answer.totals.expense.total.text == "1028.00")
    #expect(month.totals.expense.total.text == "1028.00")
    #expect(answer.before.expense.total.text == "610.00")
    // 1,028 ÷ 28.
    #expect(answer.averagePerDay.text == "36.71")
    // (2,500 − 1,028) ÷ 2,500.
    #expect(answer.savingsRate?.perMille == 589)
    #expect(answer.topCategories.map(\.total.text) == ["600.00", "428.00"])
    #expect(answer.spikes.map(\.total.text) == ["428.00", "600.00"])
    // 834 dollars at 0.9 beside 5,690 euros: 6,440.60 ÷ 270.
    #expect(answer.runway?.tenthsOfMonths == 238)
    #expect(answer.unconverted.isEmpty && answer.unconvertedWorth.isEmpty)
    let left = answer.unconvertedBefore
    #expect(left.map(\.total.text) == ["10.00"] && left[0].count == 1)
    let words = try desk.done("insights --today 2026-02-28").output
    #expect(words.contains("the eleven months before leave out 10.00 USD (1 transaction)"))
    let dollars: ConvertedInsights = try desk.done("insights --base USD --json --today 2026-02-28")
      .json().decoded()
    // Each of the two days of February at 2 dollars for a euro: 2 · 1,000 + 56.
    #expect(dollars.totals.expense.total.text == "2056.00")
    #expect(try desk.run("insights --base USD --currency USD").status == 64)
  }

  @Test func anotherMonthCurrencyAndDay() throws {
    let desk = try household()
    func insights(_ words: String) throws -> ConvertedInsights {
      try desk.done("insights --json \(words)").json().decoded()
    }
    let january = try insights("--month 2026-01 --today 2026-02-28")
    #expect(january.totals.income.total.text == january.before.income.total.text)
    #expect(january.totals.expense.total.text == "610.00")
    #expect(january.before.expense.total.text == "100.00")
    #expect(january.averagePerDay.text == "19.68")
    #expect(january.savingsRate?.perMille == 695)
    let dollars = try desk.done("insights --currency usd --json --today 2026-02-28").json()
    let totals: CurrencyTotals = try dollars["totals"].decoded()
    #expect(totals.currency.code == "USD" && totals.expense.text == "56.00")
    #expect(dollars["averagePerDay"]["amount"].string == "2.00")
    #expect(dollars["savingsRate"].value == nil && dollars["runway"].value == nil)
    // What is after today is planned, and days after it don't count.
    let ninth = try insights("--today 2026-02-09")
    #expect(ninth.totals.expense.total.text == "0.00")
    #expect(ninth.before.expense.total.text == "610.00")
    #expect(try insights("--today 2026-02-10").averagePerDay.text == "100.00")
  }

  @Test func withoutACurrencyOneIsAskedFor() throws {
    let desk = try household("")
    let run = try desk.run("insights --today 2026-02-28")
    #expect(run.status == 1 && run.errors.contains("--currency EUR"), "\(run.errors)")
    let unknown = try desk.run("insights --currency XXQ --json")
    #expect(unknown.status == 1)
    #expect(try unknown.error()["remedy"].string?.contains("ISO 4217") == true)
    #expect(try desk.done("insights --currency EUR --today 2026-02-28").output.contains("60.0 %"))
  }
}
