// Goal: money that is on the way for some days counts on each account on that account's own day.
// Method: the built command on one transfer whose two days lie in different months.
import Foundation
import Testing

@Suite struct ValueDayTests {
  /// 120 leave the bank on 29 April and arrive on the card on 4 May.
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR --opening 700")
    try desk.done("accounts create Visa --kind liability --currency EUR --opening -120")
    try desk.done(
      "add transfer 120 --account Giro --to Visa --on 2026-04-29 --value-day 2026-05-04")
    try desk.done("add expense 10 --account Visa --on 2026-05-02 --payee Kiosk")
    return desk
  }

  @Test(arguments: [
    ("2026-04-28", "700.00", "-120.00", false), ("2026-04-29", "580.00", "-120.00", true),
    ("2026-05-03", "580.00", "-130.00", true), ("2026-05-04", "580.00", "-10.00", false),
  ])
  func balancesUseTheDayOfEachAccount(
    day: String, giro: String, visa: String, isOnTheWay: Bool
  ) throws {
    let desk = try desk()
    let answer = try desk.done("balance --on \(day) --json").json()
    let amounts = answer["balances"].array.compactMap { $0["balance"]["amount"].string }
    #expect(amounts == [giro, visa])
    #expect(answer["onTheWay"].array.count == (isOnTheWay ? 1 : 0))
    let text = try desk.done("balance --on \(day)").output
    let words = "120.00 EUR on the way: left Giro on 2026-04-29, arrives on Visa on 2026-05-04."
    #expect(text.contains(words) == isOnTheWay, "\(text)")
  }

  @Test func registersAreInTheOrderOfTheAccount() throws {
    let desk = try desk()
    func days(_ command: String) throws -> [String] {
      try desk.done(command).lines.dropFirst().filter { !$0.isEmpty }.map {
        String($0.split(separator: ",", omittingEmptySubsequences: false)[1])
      }
    }
    #expect(try days("list --account Visa --output csv") == ["2026-05-04", "2026-05-02"])
    #expect(try days("list --account Giro --output csv") == ["2026-04-29"])
    #expect(try days("list --output csv") == ["2026-05-02", "2026-04-29"])
    #expect(try days("list --account Visa --from 2026-05-01 --output csv").count == 2)
    #expect(try days("list --account Visa --through 2026-04-30 --output csv").isEmpty)
    let register = try desk.done("register Visa").output
    #expect(register.contains("2026-05-04 (2026-04-29#1)"), "\(register)")
    let json = try desk.done("register Visa --json").json()
    let balances = json["rows"].array.compactMap {
      $0["balances"][0]["balance"]["amount"].string
    }
    #expect(balances == ["-130.00", "-10.00"])
    // Every page goes on after the one before, with either place of its last row.
    let first = try desk.done("list --account Visa --limit 1 --json").json()
    #expect(first["next"].string == "2026-05-04#1")
    for place in ["2026-05-04#1", "2026-04-29#1"] {
      let second = try desk.done("list --account Visa --limit 5 --after \(place) --json").json()
      #expect(second["transactions"].array.compactMap { $0["day"].string } == ["2026-05-02"])
    }
  }

  @Test func statementsAreComparedOnTheDayOfTheAccount() throws {
    let desk = try desk()
    try desk.done("reconcile --account Visa --through 2026-05-03 --balance -130")
    try desk.done("reconcile --account Giro --through 2026-04-30 --balance 580")
    try desk.done("assertions add Visa -120 --on 2026-04-30")
    try desk.done("assertions add Visa -10 --on 2026-05-04")
    try desk.done("assertions check")
    // A reconciled transfer keeps both of its days.
    let run = try desk.run("edit 2026-04-29#1 --value-day 2026-05-05")
    #expect(run.status == 1)
    #expect(run.errors.contains("reconciled"), "\(run.errors)")
  }

  @Test func closedPeriodsCoverBothDays() throws {
    let desk = try desk()
    try desk.done("close --through 2026-05-03")
    for change in ["edit 2026-04-29#1 --value-day 2026-05-06", "delete 2026-04-29#1"] {
      let run = try desk.run(change)
      #expect(run.status == 1 && run.errors.contains("closed through 2026-05-03"), "\(run.errors)")
    }
    let early = try desk.run(
      "add transfer 5 --account Giro --to Visa --on 2026-05-06 --value-day 2026-05-02")
    #expect(early.status == 1 && early.errors.contains("closed through 2026-05-03"))
    // The value day of an expense is the bank's, and counts nowhere.
    try desk.done("edit 2026-05-02#2 --value-day 2026-05-01")
  }

  @Test func anExpenseThatBecomesATransferDropsTheBanksValueDay() throws {
    let desk = try desk()
    try desk.done("add expense 30 --account Giro --on 2026-05-05 --value-day 2026-05-07")
    try desk.done("edit 2026-05-05#3 --to Visa")
    #expect(
      try desk.done("show 2026-05-05#3 --json").json()["transaction"]["valueDay"].value == nil)
    try desk.done("add expense 40 --account Giro --on 2026-05-05")
    try desk.done("edit 2026-05-05#4 --to Visa --value-day 2026-05-08")
    let answer = try desk.done("balance --on 2026-05-06 --json").json()
    let amounts = answer["balances"].array.compactMap { $0["balance"]["amount"].string }
    #expect(amounts == ["510.00", "20.00"])
  }

  @Test func onlyMoneyThatLeavesBecomesATransfer() throws {
    let desk = try desk()
    try desk.done("add income 30 --account Giro --on 2026-05-05")
    let run = try desk.run("edit 2026-05-05#3 --to Visa")
    #expect(run.status == 64)
    #expect(run.errors.contains("its money arrives on Giro"), "\(run.errors)")
    try desk.done("edit 2026-05-05#3 --account Visa --to Giro")
    let row = try desk.done("show 2026-05-05#3 --json").json()["transaction"]
    #expect(row["type"].string == "transfer")
  }
}
