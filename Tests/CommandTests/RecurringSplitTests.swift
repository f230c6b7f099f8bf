// Goal: a recurring split is added, listed, changed and recorded by commands, with the parts of `add`.
// Method: the built command is run on a fresh ledger; sums are worked out by hand.
import Daybook
import Foundation
import Testing

@Suite struct RecurringSplitTests {
  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    for name in ["Checking", "Mortgage"] { try desk.done("accounts create \(name) --currency EUR") }
    for name in ["Interest", "Tax"] { try desk.done("categories create \(name)") }
    try desk.done("categories create Salary --kind income")
    try desk.done(
      "recurring add Loan expense --account Checking --part Interest=120 --part-to Mortgage=380 "
        + "--from 2026-01-31")
    return desk
  }

  private func amounts(_ desk: Desk) throws -> [[String]] {
    try desk.done("list --json").json()["transactions"].array.map {
      $0["postings"].array.compactMap { $0["amount"].string }
    }
  }

  @Test func theAmountIsTheSumOfTheParts() throws {
    let desk = try household()
    let series = try desk.done("recurring list --json").named()["series"][0]["series"]
    #expect(series["amount"]["amount"].string == "500.00")
    #expect(series["parts"].array.map { $0["amount"].string } == ["120.00", "380.00"])
    #expect(series["parts"][0]["category"].string == "Interest")
    #expect(series["parts"][1]["account"].string == "Mortgage")
    let list = try desk.done("recurring list").output
    #expect(list.contains("Checking → Mortgage") && list.contains("Interest"), "\(list)")
    try desk.done(
      "recurring add Pay income --account Checking --part Salary=3000 --part Tax=800 "
        + "--part-to Mortgage=200 --from 2026-01-31")
    let pay = try desk.done("recurring list --json").json()["series"][1]["series"]
    #expect(pay["amount"]["amount"].string == "2000.00")
    try desk.done("recurring generate --today 2026-01-31")
    #expect(
      try Set(amounts(desk)) == [
        ["-500.00", "120.00", "380.00"], ["2000.00", "-3000.00", "800.00", "200.00"],
      ])
    #expect(try desk.done("balance Mortgage --on 2026-01-31").output.contains("580.00"))
    try desk.done("undo")
    #expect(try amounts(desk).isEmpty)
  }

  @Test func partsAreReplacedTogether() throws {
    let desk = try household()
    try desk.done("recurring generate --today 2026-01-31")
    for flags in ["--amount 510", "--category Tax", "--type transfer --to Mortgage"] {
      let run = try desk.run("recurring edit Loan \(flags)")
      #expect(run.status != 0 && run.errors.contains("--no-parts"), "\(run.errors)")
    }
    let answer = try desk.done(
      "recurring edit Loan --part Interest=110 --part-to Mortgage=390 --scope all --json"
    ).json()
    #expect(answer["changed"].int == 2)
    #expect(try Set(amounts(desk)) == [["-500.00", "110.00", "390.00"]])
    let history = try desk.done("history --limit 1").output
    #expect(history.contains("Mortgage 390.00 EUR"), "\(history)")
    try desk.done("recurring edit Loan --no-parts --amount 510 --category Interest --scope all")
    #expect(try Set(amounts(desk)) == [["-510.00", "510.00"]])
    try desk.done("verify")
  }

  @Test func wrongPartsAreRefused() throws {
    let desk = try household()
    for flags in [
      "expense 500 --part Interest=120", "transfer --to Mortgage --account Checking --part Tax=1",
      "expense", "expense --part Interest", "expense --category Tax --part Interest=1",
      "expense --part Salary=3", "expense --account Checking --part-to Checking=3",
    ] {
      let run = try desk.run("recurring add Wrong \(flags)")
      #expect(run.status != 0 && !run.errors.isEmpty, "\(flags)")
    }
    #expect(try desk.done("recurring list --json").json()["series"].array.count == 1)
  }
}
