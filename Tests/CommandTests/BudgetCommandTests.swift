// Goal: a person can keep budgets by commands alone. Method: the built command is run on a fresh ledger;
// figures are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct BudgetCommandTests {
  /// A ledger with five expenses on Food, two of January, two up to 2026-02-15, one later.
  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash --currency EUR --opening 1000")
    try desk.done("categories create Food")
    try desk.done("categories create Snacks --parent Food")
    for (amount, day) in [
      (100, "2026-01-18"), (120, "2026-01-25"), (30, "2026-02-14"), (50, "2026-02-15"),
      (70, "2026-02-20"),
    ] {
      try desk.done("add expense \(amount) --account Cash --category Food --on \(day)")
    }
    return desk
  }

  /// What `budget show` says of the period that the day is in.
  private func current(_ desk: Desk, _ name: String, today: String = "2026-02-15") throws
    -> BudgetStatus
  {
    try desk.done("budget show \(name) --json --today \(today)").json()["status"].decoded()
  }

  @Test func aBudgetFromAddToDelete() throws {
    let desk = try household()
    let none = try desk.done("budget")
    #expect(none.output == "No budgets. Add one with `daybook budget add`.\n")
    try desk.done("budget add Eating 500 --category Food --today 2026-02-15")
    var now = try current(desk, "eating")
    #expect(now.spent.total.text == "80.00")
    #expect(now.remaining.text == "420.00")
    #expect(now.planned.total.text == "70.00")
    #expect(now.share?.perMille == 160)
    // 80 in 15 of 28 days: an even pace would be 500 × 15 ÷ 28; at the end 80 × 28 ÷ 15.
    #expect(now.pace?.perMille == 299)
    #expect(now.projected.text == "150.00")
    try desk.done("budget edit Eating --reset-day 20 --always")
    now = try current(desk, "Eating")
    #expect("\(now.days.lowerBound)" == "2026-01-20")
    #expect(now.spent.total.text == "200.00")
    try desk.done("budget edit Eating --every week --always")
    #expect(try "\(current(desk, "Eating").days.lowerBound)" == "2026-02-09")
    try desk.done("budget edit Eating --every once --from 2026-01-20 --through 2026-02-14")
    #expect(try current(desk, "Eating", today: "2026-02-14").spent.total.text == "150.00")
    #expect(try desk.done("budget --json --today 2026-02-15").json()["budgets"].array.isEmpty)
    try desk.done("budget edit Eating --every month --name Groceries")
    try desk.done("budget archive Groceries")
    #expect(try desk.done("budget --json --today 2026-02-15").json()["budgets"].array.isEmpty)
    #expect(
      try desk.done("budget --all --json --today 2026-02-15").json()["budgets"].array.count == 1)
    try desk.done("budget unarchive Groceries")
    #expect(try desk.done("budget --json --today 2026-02-15").json()["budgets"].array.count == 1)
    #expect(try desk.done("budget invalidate").output == "Recomputed 1 budget.\n")
    try desk.done("budget delete Groceries")
    #expect(try desk.run("budget show Groceries").status == 1)
    #expect(try desk.done("list --json").json()["transactions"].array.count == 5)
  }

  @Test func pastPeriodsKeepTheirAmount() throws {
    let desk = try household()
    try desk.done("budget add Eating 500 --category Food")
    try desk.done("budget set Eating 600 --today 2026-02-15")
    func amounts() throws -> [String?] {
      try desk.done("budget show Eating --json --today 2026-02-15").json()["periods"].array
        .map { $0["amount"]["amount"].string }
    }
    #expect(try amounts() == ["500.00", "600.00"])
    try desk.done("budget set Eating 400 --from 2026-01-10")
    #expect(try amounts() == ["400.00", "400.00"])
    try desk.done("budget set Eating 550 --always")
    #expect(try amounts() == ["550.00", "550.00"])
    let dollars = try desk.run(["budget", "set", "Eating", "5 USD"])
    #expect(dollars.status == 64)
    #expect(dollars.errors.contains("is in EUR"))
    try desk.done("undo")
    #expect(try amounts() == ["400.00", "400.00"])
  }

  @Test func pastPeriodsKeepTheirDaysCategoriesAndRollover() throws {
    let desk = try household()
    try desk.done("budget add Eating 300 --category Food --start 2026-01-01 --rollover surplus")
    func periods(_ today: String = "2026-02-15") throws -> [String] {
      try desk.done("budget show Eating --json --today \(today)").json()["periods"].array.map {
        let status: BudgetStatus = try $0.decoded()
        return "\(status.days.lowerBound) \(status.amount.text) \(status.remaining.text)"
      }
    }
    let before = ["2026-01-01 300.00 80.00", "2026-02-01 300.00 300.00"]
    #expect(try periods() == before)
    let edited = try desk.done("budget edit Eating --reset-day 15 --today 2026-02-15").output
    // 14 of the 31 days from 15 January to 14 February: 300 × 14 ÷ 31.
    #expect(
      edited == "Changed budget Eating, every month, from day 15. Periods before 2026-02-01 stay "
        + "unchanged. The period from 2026-02-01 to 2026-02-14 is shorter and has 135.48 EUR.\n")
    #expect(
      try periods()
        == ["2026-01-01 300.00 80.00", "2026-02-01 135.48 185.48", "2026-02-15 300.00 435.48"])
    let shown = try desk.done("budget show Eating --today 2026-02-15").output
    #expect(shown.contains("Periods before: every month until 2026-02-01"))
    try desk.done("budget edit Eating --no-prorate")
    #expect(try periods().last == "2026-02-15 300.00 600.00")
    try desk.done("undo")
    try desk.done("undo")
    #expect(try periods() == before)
    try desk.done("budget edit Eating --rollover none --from 2026-01-20")
    #expect(try periods() == ["2026-01-01 300.00 80.00", "2026-02-01 300.00 220.00"])
    try desk.done("budget edit Eating --rollover surplus --always")
    try desk.done("budget edit Eating --no-subcategories --category Snacks --from 2026-02-03")
    #expect(try periods() == ["2026-01-01 300.00 80.00", "2026-02-01 300.00 380.00"])
    for wrong in [
      "budget edit Eating --name X --from 2026-01-01", "budget add X 5 --from 2026-01-01",
      "budget edit Eating --reset-day 3 --from 2026-01-01 --always",
    ] { #expect(try desk.run(wrong).status == 64, "\(wrong)") }
  }

  /// Paid every second Friday, in half months, quarters and tax years.
  @Test func periodsCountedFromADay() throws {
    let desk = try household()
    func added(_ words: [String]) throws -> String {
      let run = try desk.run(["budget", "add"] + words + ["--today", "2026-02-15"])
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    func days(_ name: String) throws -> String {
      let days = try current(desk, name).days
      return "\(days.lowerBound) \(days.upperBound)"
    }
    #expect(
      try added(["Pay", "300", "--every", "2 weeks", "--from", "2026-01-09"])
        == "Added budget Pay, every 2 weeks, from 2026-01-09.\n")
    #expect(try days("Pay") == "2026-02-06 2026-02-20")
    #expect(try current(desk, "Pay").spent.total.text == "80.00")
    _ = try added(["Months2", "300", "--every", "2-months", "--from", "2026-01-31"])
    #expect(try days("Months2") == "2026-01-31 2026-03-31")
    _ = try added(["Half", "300", "--every", "half-month"])
    #expect(try days("Half") == "2026-02-01 2026-02-16")
    _ = try added(["Quarter", "300", "--every", "quarter", "--category", "Food"])
    #expect(try days("Quarter") == "2026-01-01 2026-04-01")
    #expect(try current(desk, "Quarter").spent.total.text == "300.00")
    _ = try added(["Bill", "300", "--every", "quarter", "--reset-day", "2025-04-15"])
    #expect(try days("Bill") == "2026-01-15 2026-04-15")
    #expect(
      try added(["Tax", "300", "--every", "year", "--reset-day", "04-06"])
        == "Added budget Tax, every year, from 04-06.\n")
    #expect(try days("Tax") == "2025-04-06 2026-04-06")
    _ = try added(["Leap", "300", "--every", "year", "--reset-day", "02-29"])
    #expect(try days("Leap") == "2025-02-28 2026-02-28")
    _ = try added(["Week", "300", "--every", "week", "--reset-day", "2030-01-02"])
    #expect(try days("Week") == "2026-02-11 2026-02-18")
    // From months to weeks: four of the 31 days of January, then weeks from the 5th on.
    _ = try added(["Months", "310", "--start", "2026-01-01", "--rollover", "both"])
    let edited = try desk.run(
      ["budget", "edit", "Months", "--every", "2 weeks", "--from", "2026-01-05"])
    #expect(
      edited.output == "Changed budget Months, every 2 weeks, from 2026-01-05. Periods before "
        + "2026-01-05 stay unchanged.\n")
    let periods = try desk.done("budget show Months --json --today 2026-02-15").json()["periods"]
    #expect(
      try periods.array.map {
        let status: BudgetStatus = try $0.decoded()
        return "\(status.days.lowerBound) \(status.amount.text) \(status.remaining.text)"
      } == [
        "2026-01-01 40.00 40.00", "2026-01-05 310.00 250.00", "2026-01-19 310.00 440.00",
        "2026-02-02 310.00 670.00",
      ])
    for wrong in [
      ["--every", "2 weeks"], ["--every", "0 weeks"], ["--every", "2 half-months"],
      ["--every", "2 weeks", "--from", "x"], ["--every", "quarter", "--from", "2026-01-01"],
      ["--every", "year", "--reset-day", "5"], ["--every", "quarter", "--reset-day", "04-06"],
      ["--every", "half-month", "--reset-day", "5"], ["--reset-day", "2026-01-05"],
      ["--every", "year", "--reset-day", "02-30"],
    ] { #expect(try desk.run(["budget", "add", "X", "5"] + wrong).status == 64, "\(wrong)") }
    let error = try desk.run(["budget", "add", "X", "5", "--every", "fortnight"]).errors
    #expect(error.contains("2 weeks"))
    #expect(
      try desk.run([
        "budget", "add", "X", "5", "--every", "1201 weeks", "--from", "2026-01-05",
      ]).status == 1)
  }

  @Test func whatIsLeftIsCarriedOver() throws {
    let desk = try household()
    try desk.done(
      "budget add Eating 300 --category Food --rollover surplus --start 2026-01-01")
    let now = try current(desk, "Eating")
    #expect(now.carriedOver.total.text == "80.00")
    #expect(now.available.text == "380.00")
    let shown = try desk.done("budget show Eating --today 2026-02-15").output
    #expect(shown.contains("Carried over"))
    // Without a start, it carries from when it is made.
    try desk.done("budget add Other 300 --category Food --rollover both --today 2026-02-15")
    #expect(try current(desk, "Other").carriedOver.total.text == "0.00")
  }

  @Test func tablesFit() throws {
    let desk = try household()
    try desk.done("budget add Eating 100 --category Food")
    try desk.run(["budget", "add", String(repeating: "Everything ", count: 9), "50"])
    for columns in ["80", "100"] {
      for command in ["budget --today 2026-02-15", "budget show Eating --today 2026-02-15"] {
        let run = try desk.run(command, environment: ["COLUMNS": columns])
        #expect(run.status == 0)
        let table = run.lines.filter { !$0.contains("on course to be") }
        #expect(table.allSatisfy { $0.count <= Int(columns) ?? 0 }, "\(run.output)")
      }
    }
    let list = try desk.run("budget --today 2026-02-15").output
    #expect(list.contains("80.0 %"))
    #expect(list.contains("on course to be"))
  }

  @Test func asOfAnEarlierCommit() throws {
    let desk = try household()
    try desk.done("budget add Eating 500 --category Food")
    let made = try #require(try desk.done("info --json").json()["sequence"].int)
    try desk.done("add expense 5 --account Cash --category Snacks --on 2026-02-15")
    #expect(try current(desk, "Eating").spent.total.text == "85.00")
    let past = try desk.done("budget --json --today 2026-02-15 --as-of \(made)").json()
    #expect(past["budgets"][0]["spent"]["amount"].string == "80.00")
  }

  @Test func wrongInputIsRefusedWithAWord() throws {
    let desk = try household()
    try desk.done("budget add Eating 500 --category Food")
    let missing = try desk.run("budget show Eatin")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("Did you mean “Eating”?"))
    let error = try desk.run("budget show Nobody --json").error()
    #expect(error["exitCode"].int == 1)
    #expect(try desk.run("budget add X 5 --category Nowhere").status == 1)
    for wrong in [
      "budget add X 5 --reset-day 32", "budget add X 5 --every week --reset-day 3",
      "budget add X 5 --every once", "budget add X 5 --every fortnight",
      "budget add X 5 --every once --from 2026-02-02 --through 2026-02-01",
      "budget edit Eating --start 2026-01-01 --no-start", "budget show Eating --periods 0",
      "budget set Eating 5 --from 2026-01-01 --always",
    ] { #expect(try desk.run(wrong).status == 64, "\(wrong)") }
    let order = try desk.run("budget edit Eating --start 2026-02-01 --end 2026-01-01")
    #expect(order.status == 1)
    #expect(order.errors.contains("ends before it starts"))
  }
}
