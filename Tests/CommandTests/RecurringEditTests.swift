// Goal: a person can change what recurs, alone or with the rows it has, and is told what came of it.
// Method: the built command is run on a fresh ledger with three rows of 1,000, of which one is ahead;
// sums are those of SCENARIOS, "Raising an amount".
import Daybook
import Foundation
import Testing

@Suite struct RecurringEditTests {
  /// Rows on 2025-12-10, 01-10, 02-10 and, ahead, 03-10; today is 2026-02-15.
  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    for name in ["Checking", "Savings"] { try desk.done("accounts create \(name) --currency EUR") }
    try desk.done("accounts create Dollars --currency USD")
    for name in ["Rent", "Housing"] { try desk.done("categories create \(name)") }
    try desk.done("categories create Refunds --kind income")
    try desk.done(
      "recurring add Rent expense 1000 --account Checking --category Rent --from 2025-12-10")
    try desk.done("recurring generate --today 2026-02-15")
    return desk
  }

  @discardableResult
  private func edit(_ desk: Desk, _ flags: String) throws -> Node {
    try desk.done("recurring edit Rent \(flags) --today 2026-02-15 --json").json()
  }

  private func rows(_ desk: Desk, _ member: String) throws -> [String] {
    try desk.done("list --json").json()["transactions"].array
      .map { ($0[member].string ?? $0["postings"][0][member].string) ?? "" }.reversed()
  }

  private func series(_ desk: Desk) throws -> Node {
    try desk.done("recurring list --json --today 2026-02-15").named()["series"][0]["series"]
  }

  @Test(arguments: [
    ("", [-100_000, -100_000, -100_000, -100_000], 0),
    ("--scope series", [-100_000, -100_000, -100_000, -100_000], 0),
    ("--scope future", [-100_000, -100_000, -100_000, -150_000], 1),
    ("--scope future --since 2026-02-10", [-100_000, -100_000, -150_000, -150_000], 2),
    ("--scope all", [-150_000, -150_000, -150_000, -150_000], 4),
  ])
  func raisingAnAmount(scope: String, cents: [Int], changed: Int) throws {
    let desk = try household()
    let answer = try edit(desk, "--amount 1500 \(scope)")
    #expect(answer["outcomes"].array.count == 1)
    #expect(answer["changed"].int == changed)
    #expect(answer["removed"].int == 0)
    let wanted = cents.map { String($0 / 100) + ".00" }
    #expect(try rows(desk, "amount") == wanted)
    #expect(try series(desk)["amount"]["amount"].string == "1500.00")
    // What is made from now on has the new amount, whatever the scope.
    try desk.done("recurring generate --today 2026-03-15")
    #expect(try rows(desk, "amount") == wanted + ["-1500.00"])
  }

  @Test func whatBecameOfTheRowsIsTold() throws {
    let desk = try household()
    let said = try desk.done("recurring edit rent --amount 5 --scope all --today 2026-02-15")
    #expect(said.output == "Changed Rent, every month. 4 transactions changed.\n")
  }

  @Test func anotherStartMovesWhatIsStillToCome() throws {
    let desk = try household()
    let answer = try edit(desk, "--from 2026-02-20 --scope future")
    #expect(answer["removed"].int == 1)
    #expect(try rows(desk, "day") == ["2025-12-10", "2026-01-10", "2026-02-10"])
    // February has its row.
    try desk.done("recurring generate --today 2026-02-15")
    #expect(try rows(desk, "day") == ["2025-12-10", "2026-01-10", "2026-02-10"])
    let said = try desk.done(
      "recurring edit Rent --every 2 weeks --scope future --today 2026-02-15")
    #expect(said.output.contains("every 2 weeks"))
    #expect(said.output.contains("daybook recurring generate"))
  }

  @Test func whatIsNotGivenStays() throws {
    let desk = try household()
    try desk.run([
      "recurring", "edit", "Rent", "--payee", "Landlord", "--tag", "home", "--status", "pending",
      "--month-end", "skip", "--until", "2026-12-31", "--count", "9", "--ahead", "2",
    ])
    func listed() throws -> Series {
      try desk.done("recurring list --json --today 2026-02-15").json()["series"][0]["series"]
        .decoded()
    }
    var before = try listed()
    try edit(desk, "--name Home")
    let home = try listed()
    #expect(home.name == "Home" && before.name == "Rent")
    before.name = "Home"
    #expect(home == before)
    #expect(home.schedule.monthEnd == .skip)
    #expect(home.end.map { "\($0)" } == "2027-01-01")
    #expect(home.countMax == 9 && home.ahead == 2)
    try desk.done("recurring edit Home --no-until --no-count")
    let open = try listed()
    #expect(open.end == nil && open.countMax == 0)
    try desk.done("recurring generate --today 2026-03-15")
    let rows = try desk.done("list --json").json()["transactions"].array
    #expect(rows[0]["payee"].string == "Landlord")
    #expect(rows[0]["tags"].strings == ["home"])
    #expect(rows[0]["status"].string == "pending")
    try desk.done("recurring edit Home --no-tags --scope all")
    let bare = try desk.done("list --json").json()["transactions"].array
    #expect(bare.allSatisfy { $0["tags"].strings.isEmpty })
  }

  @Test func accountsAndCategoriesFollow() throws {
    let desk = try household()
    #expect(try edit(desk, "--category Housing --account Savings --scope all")["changed"].int == 4)
    let savings = try desk.done("balance Savings --on 2026-12-31 --json")
    #expect(savings.output.contains("-4000.00"))
    #expect(try series(desk)["category"].string == "Housing")
    // What stood in the old account's currency stands in the new one's.
    #expect(try edit(desk, "--account Dollars --amount 7")["changed"].int == 0)
    #expect(try series(desk)["amount"]["currency"].string == "USD")
    try edit(desk, "--no-account --no-category")
    #expect(try series(desk)["account"].string == nil)
  }

  @Test func anExpenseBecomesATransfer() throws {
    let desk = try household()
    #expect(try edit(desk, "--type transfer --to Savings --scope all")["changed"].int == 4)
    #expect(try rows(desk, "type") == ["transfer", "transfer", "transfer", "transfer"])
    #expect(try series(desk)["otherAccount"].string == "Savings")
    try edit(desk, "--type income --category Refunds --scope all")
    #expect(try rows(desk, "type") == ["income", "income", "income", "income"])
  }

  @Test(arguments: [
    ("recurring edit Rent", 64, "Nothing to change"),
    ("recurring edit Rent --since 2026-02-10 --amount 5", 64, "--scope future"),
    ("recurring edit Rent --until 2026-03-01 --no-until", 64, "--until or --no-until"),
    ("recurring edit Rent --every 2 fortnights", 64, "fortnights"),
    ("recurring edit Rent --scope some --amount 5", 64, "scope"),
    ("recurring edit Rnt --amount 5", 1, "Rent"),
    ("recurring edit Rent --to Savings", 1, "no receiving account"),
    ("recurring edit Rent --type income", 1, "takes income categories only"),
    ("recurring edit Rent --amount -5", 1, "is negative"),
    ("recurring edit Rent --category Nothing", 1, "Nothing"),
  ])
  func wrongInputChangesNothing(command: String, status: Int32, words: String) throws {
    let desk = try household()
    let before = try series(desk).text
    let run = try desk.run(command)
    #expect(run.status == status, "\(run.status) \(run.output) \(run.errors)")
    #expect(words.isEmpty || run.errors.contains(words), "\(run.errors)")
    #expect(try series(desk).text == before)
  }

  @Test func aLockedRowRefusesTheWholeChange() throws {
    let desk = try household()
    try desk.done("close --through 2025-12-31")
    let before = try rows(desk, "amount")
    let run = try desk.run("recurring edit Rent --amount 5 --scope all --json")
    #expect(run.status == 1)
    #expect(try run.error()["code"].string == "refused")
    #expect(try rows(desk, "amount") == before)
    #expect(try series(desk)["amount"]["amount"].string == "1000.00")
    #expect(try edit(desk, "--amount 5 --scope future")["changed"].int == 1)
  }
}
