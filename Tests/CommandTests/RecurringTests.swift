// Goal: a person can keep what recurs by commands alone, and two processes that generate at once make
// every row once. Method: the built command is run on a fresh ledger; figures are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct RecurringTests {
  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR --opening 1000")
    try desk.done("accounts create Savings --currency EUR")
    try desk.done("categories create Rent")
    try desk.done(
      "recurring add Rent expense 900 --account Checking --category Rent --from 2025-12-31")
    return desk
  }

  private func days(_ desk: Desk) throws -> [String] {
    try desk.done("list --json").json()["transactions"].array
      .compactMap { $0["day"].string }.reversed()
  }

  @Test func aSeriesFromAddToRemove() throws {
    let desk = try household()
    let made = try desk.done("recurring generate --json --today 2026-02-15").json()
    #expect(
      made["transactions"].array.map { $0["day"].string } == [
        "2025-12-31", "2026-01-31", "2026-02-28",
      ])
    let report = try made["generated"].decoded(as: GenerationReport.self)
    #expect(report.recorded.count == 3 && report.faults.isEmpty)
    let again = try desk.done("recurring generate --today 2026-02-15")
    #expect(again.output == "Nothing is due.\n")
    let listed = try desk.done("recurring list --json --today 2026-02-15").json()["series"][0]
    #expect(try listed["series"].decoded(as: Series.self).name == "Rent")
    #expect(listed["state"].string == "active")
    #expect(listed["next"].string == "2026-02-28")
    let table = try desk.done("recurring --today 2026-02-15").output
    #expect(table.contains("every month") && !table.contains("Tolerance"))
    try desk.done("recurring edit rent --tolerance 5")
    #expect(try desk.done("recurring --today 2026-02-15").output.contains("± 5.00"))
    try desk.done("recurring edit rent --tolerance 0")
    try desk.done("recurring skip rent 2026-02-28")
    try desk.done("recurring generate --today 2026-02-15")
    #expect(try days(desk) == ["2025-12-31", "2026-01-31", "2026-03-31"])
    try desk.done("recurring skip rent 2026-02-28 --undo")
    try desk.done("recurring pause rent --today 2026-02-15")
    #expect(try days(desk) == ["2025-12-31", "2026-01-31"])
    try desk.done("recurring resume rent --today 2026-04-01")
    #expect(try days(desk) == ["2025-12-31", "2026-01-31", "2026-04-30"])
    try desk.done("recurring stop rent --after 2026-01-31")
    #expect(try days(desk) == ["2025-12-31", "2026-01-31"])
    try desk.done("recurring remove rent")
    #expect(try days(desk).count == 2)
    #expect(try desk.done("recurring list").output == "No recurring transactions.\n")
  }

  @Test func upcomingAndForecast() throws {
    let desk = try household()
    try desk.done(
      "recurring add Put_aside transfer 50 --account Checking --to Savings --every 2 weeks "
        + "--from 2026-03-02")
    try desk.done("recurring generate --today 2026-01-31")
    let next: [UpcomingPayment] = try desk.done(
      "recurring upcoming --json --today 2026-02-15 --through 2026-03-16"
    ).json()["upcoming"].decoded()
    #expect(
      next.map { "\($0.day) \($0.series.template.amount)" } == [
        "2026-02-28 900.00 EUR", "2026-03-02 50.00 EUR", "2026-03-16 50.00 EUR",
      ])
    let forecast = try desk.done(
      "recurring forecast Checking --json --today 2026-02-15 --through 2026-03-16"
    ).json().decoded(as: CashFlowForecast.self)
    #expect(forecast.account.name == "Checking")
    #expect(
      forecast.balances.map { "\($0.day) \($0.total.text)" } == [
        "2026-02-15 -800.00", "2026-02-28 -1700.00", "2026-03-02 -1750.00", "2026-03-16 -1800.00",
      ])
    try desk.done("recurring upcoming --today 2026-02-15")
    try desk.done("recurring forecast Checking --today 2026-02-15")
  }

  @Test func linkingKeepsAnOccurrenceFromBeingMade() throws {
    let desk = try household()
    try desk.done("add expense 890 --account Checking --on 2026-01-02")
    let place = try #require(
      try desk.done("list --json").json()["transactions"][0].place)
    try desk.done("recurring link Rent \(place) --due 2025-12-31")
    try desk.done("recurring generate --today 2026-01-05")
    #expect(try days(desk) == ["2026-01-02", "2026-01-31"])
    try desk.done("recurring unlink \(place)")
    try desk.done("recurring generate --today 2026-01-05")
    #expect(try days(desk) == ["2026-01-02", "2026-01-31"])
  }

  @Test func severalProcessesMakeEveryRowOnce() async throws {
    let desk = try household()
    let ledger = desk.ledger
    let binary = try #require(Desk.binary)
    let statuses = await withTaskGroup(of: Int32.self) { tasks in
      for _ in 0..<4 {
        tasks.addTask {
          let process = Process()
          process.executableURL = URL(fileURLWithPath: binary)
          process.arguments = [
            "recurring", "generate", "--today", "2026-02-15", "--ledger", ledger,
          ]
          process.standardOutput = FileHandle.nullDevice
          guard (try? process.run()) != nil else { return -1 }
          process.waitUntilExit()
          return process.terminationStatus
        }
      }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0, 0])
    #expect(try days(desk) == ["2025-12-31", "2026-01-31", "2026-02-28"])
  }

  @Test func wrongInputIsRefusedWithAWord() throws {
    let desk = try household()
    let missing = try desk.run(["recurring", "pause", "Rnt"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("Rent"))
    let interval = try desk.run([
      "recurring", "add", "X", "expense", "1", "--every", "2", "fortnights",
    ])
    #expect(interval.status == 64)
    let undue = try desk.run(["recurring", "skip", "Rent", "2026-01-30"])
    #expect(undue.status == 1)
    #expect(undue.errors.contains("isn't a due date"))
  }

  @Test func schedulesWithDaysAndHolidays() throws {
    let desk = try household()
    #expect(
      try desk.done("recurring add Pay income 10 --on 15,last --weekends before --from 2026-02-01")
        .output.hasPrefix(
          "Added Pay, every month on the 15th and last day, or the business day before."))
    try desk.run([
      "recurring", "add", "Club", "expense", "5", "--on", "last friday", "--from", "2026-02-01",
    ])
    _ = try desk.write("days.txt", "# Bank holidays\n2026-02-13 # a Friday\n\n2026-04-03\n")
    let added = try desk.done("holidays add --file days.txt 2026-04-06")
    #expect(added.output == "Added 3 holidays.\n")
    #expect(try desk.done("holidays add 2026-04-06").output == "Added 0 holidays.\n")
    #expect(try desk.done("holidays remove 2026-04-06").output == "Removed 1 holiday.\n")
    #expect(
      try desk.done("holidays --json").json()["holidays"].array.map(\.string)
        == ["2026-02-13", "2026-04-03"])
    _ = try desk.write("bad.txt", "2026-02-30\n")
    let bad = try desk.run("holidays add --file bad.txt")
    #expect(bad.status == 65 && bad.errors.contains("line 1 of bad.txt: “2026-02-30”"))
    try desk.done("recurring stop Rent --after 2026-01-31")
    try desk.done("recurring generate --today 2026-02-12")
    // The 15th is a Sunday, and the Friday before it a holiday; the last day is a Saturday.
    #expect(try days(desk).filter { $0 > "2026-02" } == ["2026-02-12", "2026-02-27", "2026-02-27"])
    let listed = try desk.done("recurring list --json --today 2026-02-12").json()["series"]
    #expect(
      listed.array.map { $0["rrule"].string }.suffix(2) == [
        "FREQ=MONTHLY;BYMONTHDAY=-1,15", "FREQ=MONTHLY;BYDAY=-1FR",
      ])
    #expect(listed[1]["next"].string == "2026-02-15")
    let rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20260401"
    try desk.run(["recurring", "edit", "Club", "--rrule", rule, "--weekends", "after"])
    let club = try desk.done("recurring list --json --today 2026-02-12").json()["series"][2]
    #expect(club["rrule"].string == rule && club["series"]["weekends"].string == "after")
    let refused = try desk.run(["recurring", "edit", "Club", "--rrule", "FREQ=MONTHLY;BYWEEKNO=3"])
    #expect(refused.status == 64 && refused.errors.contains("BYWEEKNO"))
  }

  @Test func aTransferBetweenCurrenciesKeepsBothAmounts() throws {
    let desk = try household()
    try desk.done("accounts create Dollars --currency USD")
    try desk.done(
      "recurring add Abroad transfer 100 --account Checking --to Dollars --to-amount 108 "
        + "--from 2026-02-01 --today 2026-02-01")
    try desk.done("recurring stop Rent --after 2025-12-01")
    try desk.done("recurring generate --today 2026-02-01")
    func balance(_ day: String) throws -> String? {
      try desk.done("balance Dollars --json --on \(day)").json()["balances"][0]["balance"]["amount"]
        .string
    }
    #expect(try balance("2026-02-01") == "108.00")
    try desk.done(
      "recurring edit Abroad --amount 200 --to-amount 215.50 --scope future --since 2026-02-02 "
        + "--today 2026-02-02")
    #expect(try balance("2026-03-01") == "323.50")
    let forecast = try desk.done(
      "recurring forecast Dollars --today 2026-02-02 --through 2026-04-01 --json"
    ).json().decoded(as: CashFlowForecast.self)
    #expect(forecast.balances.last?.total.text == "539.00")
  }
}
