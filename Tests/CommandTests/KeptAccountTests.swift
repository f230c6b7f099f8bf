// Goal: an account that was deleted with its rows kept is seen where it counts, and named where it takes
// nothing. Method: the built command; what balance shows is added up and compared with its total.
import Foundation
import Testing

@Suite struct KeptAccountTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --opening 100")
    try desk.done("accounts create Cash --opening 20")
    try desk.done("add expense 30 --account Checking --on 2026-02-01")
    try desk.done("accounts delete Checking --keep-rows")
    return desk
  }

  @Test func balanceShowsWhatItCounts() throws {
    let desk = try desk()
    let run = try desk.done("balance --today 2026-02-15")
    let line = run.lines.first { $0.contains("Checking") }
    #expect(line?.contains("deleted") == true && line?.contains("70.00") == true, "\(run.output)")
    let node = try desk.done("balance --json --today 2026-02-15").json()
    let sum = node["balances"].array
      .compactMap { Decimal(string: $0["balance"]["amount"].string ?? "") }.reduce(0, +)
    #expect(sum == 90)
    #expect(node["netWorth"][0]["amount"].string == "90.00")
    #expect(node["balances"].array.map { $0["account"]["deleted"].bool } == [true, nil])
    // Where it holds nothing it is left out, unless all are asked for.
    let before = try desk.done("balance --json --today 2026-02-15").json()["balances"].array.count
    let new = try desk.run("accounts create Purse")
    #expect(new.status == 0)
    try desk.done("accounts delete Purse --keep-rows")
    #expect(
      try desk.done("balance --json --today 2026-02-15").json()["balances"].array.count == before)
    #expect(
      try desk.done("balance --all --json --today 2026-02-15").json()["balances"].array.count
        == before + 1)
  }

  @Test(arguments: [
    "add expense 1 --account Checking", "add transfer 1 --account Cash --to checking",
    "opening Checking 5", "accounts rename Checking Old", "accounts close Checking",
  ])
  func whatItCannotTakeSaysThatItWasDeleted(command: String) throws {
    let desk = try desk()
    let run = try desk.run(command)
    #expect(run.status == 1)
    #expect(run.errors.contains("The account “Checking” was deleted"), "\(run.errors)")
    #expect(!run.errors.contains("Did you mean"))
    // Both ways out work.
    let id =
      try desk.done("accounts list --all --json").json()["accounts"][0]["account"][
        "id"
      ].string ?? ""
    #expect(run.errors.contains("daybook undelete \(id)"))
    #expect(run.errors.contains("daybook accounts create Checking"))
    try desk.done("undelete \(id)")
    // Without a name the last deletion is meant, also of this sort.
    try desk.done("accounts delete Checking --keep-rows")
    #expect(try desk.done("undelete").output.contains("account Checking"))
    try desk.done("add expense 1 --account Checking")
  }

  @Test func questionsMayBeAskedOfIt() throws {
    let desk = try desk()
    #expect(try desk.done("list --account Checking --json").json()["transactions"].array.count == 1)
    let node = try desk.done("balance Checking --json --today 2026-02-15").json()
    #expect(node["balances"][0]["balance"]["amount"].string == "70.00")
    // A new one of the name is meant from then on.
    try desk.done("accounts create Checking")
    #expect(try desk.done("list --account Checking --json").json()["transactions"].array.isEmpty)
    try desk.done("add expense 1 --account Checking")
  }

  @Test func aDeletedCategorySaysSoToo() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    try desk.done("categories create Shop")
    try desk.done("add expense 3 --account Cash --category Shop")
    let unsaid = try desk.run("categories delete Shop")
    #expect(unsaid.status == 64 && unsaid.errors.contains("--keep-rows"), "\(unsaid.errors)")
    try desk.done("categories delete Shop --keep-rows")
    let run = try desk.run("add expense 1 --account Cash --category Shop")
    #expect(run.status == 1 && run.errors.contains("“Shop” was deleted"), "\(run.errors)")
    #expect(run.errors.contains("daybook undelete "))
  }
}
