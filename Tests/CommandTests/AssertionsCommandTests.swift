// Goal: balances that statements give are kept and held against the ledger. Method: the built command is
// run on the everyday household; what holds is known by hand.
import Daybook
import Foundation
import Testing

@Suite struct AssertionsCommandTests {
  private func desk() throws -> Desk {
    let desk = try EverydayTests.household()
    try desk.done("assertions add Checking 3000 --on 2026-01-31")
    try desk.done("assertions add cash 90 --on 2026-02-14 --note statement")
    return desk
  }

  @Test func whatDoesNotHoldIsShown() throws {
    let desk = try desk()
    #expect(
      try desk.done("assertions").lines == [
        "Day         Account     Stated    Ledger  Difference       Note",
        "2026-01-31  Checking  3,000.00  3,000.00       holds  EUR",
        "2026-02-14  Cash         90.00    100.00       10.00  EUR  statement", "",
      ])
    let list = try desk.done("assertions list --json").json()
    #expect(list["count"].int == 2 && list["failing"].int == 1)
    #expect(list["assertions"].array.map { $0["holds"].bool } == [true, false])
    let cash: AssertionCheck = try list["assertions"][1].decoded()
    #expect("\(cash.assertion.day)" == "2026-02-14" && cash.assertion.note == "statement")
    #expect(list["names"]["\(cash.assertion.account)"].string == "Cash")
    #expect(cash.assertion.balance == Money(90_00, .eur) && cash.balance.text == "100.00")
    #expect(try desk.done("assertions list checking --json").json()["count"].int == 1)
  }

  @Test func aScriptIsToldByTheExitCode() throws {
    let desk = try desk()
    let check = try desk.run("assertions check --json")
    #expect(check.status == 1 && check.errors.isEmpty)
    let found = try check.named()["assertions"].array
    #expect(found.map { $0["assertion"]["account"].string } == ["Cash"])
    let words = try desk.run("assertions check")
    #expect(
      words.status == 1 && words.output.contains("Cash") && !words.output.contains("Checking"))
    #expect(
      try desk.done("assertions check Checking").output
        == "The stated balance matches the ledger.\n")
    try desk.done("add expense 10 --account Cash --on 2026-02-14")
    #expect(try desk.done("assertions check").output == "All 2 stated balances match the ledger.\n")
    // As the ledger was before, it did not.
    let newest = try #require(try desk.done("info --json").json()["sequence"].int)
    #expect(try desk.run("assertions check --as-of \(newest - 1)").status == 1)
  }

  @Test func whatIsStatedIsAnsweredAndRemoved() throws {
    let desk = try desk()
    try desk.done("accounts create Card --kind liability --currency EUR")
    try desk.done("add expense 12.5 --account Card --on 2026-02-10")
    let added = try desk.done("assertions add Card --owed 12.50 --on 2026-02-15 --json").json()
    #expect(added["holds"].bool == true)
    #expect(added["assertion"]["balance"]["amount"].string == "-12.50")
    let wrong = try desk.done("assertions add Card --owed 13 --on 2026-02-15")
    #expect(
      wrong.output == "Replaced stated balance of -12.50 EUR on 2026-02-15 by -13.00 EUR. The "
        + "ledger's balance is -12.50 EUR.\n")
    let old = try #require(added["outcomes"][0]["assertion"].string)
    #expect(try desk.run("assertions remove \(old)").status == 1)
    let again = try desk.done("assertions add Card 1 --on 2026-02-16 --json").json()
    try desk.done("assertions remove \(try #require(again["outcomes"][0]["assertion"].string))")
    try desk.done("assertions remove card --on 2026-02-15")
    try desk.done("assertions remove Cash --on 2026-02-14")
    #expect(try desk.done("assertions check").output == "The stated balance matches the ledger.\n")
    try desk.done("assertions remove Checking --on 2026-01-31")
    #expect(try desk.done("assertions").output.contains("daybook assertions add"))
    #expect(try EverydayTests.balances(desk)["Checking"] == "2860.00")
  }

  @Test func whatIsWrongSaysWhatToDo() throws {
    let desk = try desk()
    let before = try desk.done("assertions --json").output
    let cases: [([String], Int32, String)] = [
      (["add", "Csh", "5"], 1, "Did you mean “Cash”?"), (["add", "Cash"], 64, "--owed"),
      (["add", "Cash", "5", "--owed", "5"], 64, "--owed"), (["add", "Cash", "1,5"], 64, "1234.56"),
      (["add", "Cash", "5 USD"], 64, "Write the amount in EUR"),
      (["remove", "Cash"], 64, "Add --on DAY"), (["remove", "Csh"], 1, "Did you mean “Cash”?"),
      (["remove", "Cash", "--on", "2026-02-13"], 1, "daybook assertions list"),
      (["list", "Csh"], 1, "Did you mean “Cash”?"), (["check", "Csh"], 1, "Did you mean “Cash”?"),
    ]
    for (words, status, remedy) in cases {
      let run = try desk.run(["assertions"] + words)
      #expect(run.status == status && run.errors.contains(remedy), "\(words): \(run.errors)")
      #expect(try desk.done("assertions --json").output == before, "\(words)")
    }
  }
}
