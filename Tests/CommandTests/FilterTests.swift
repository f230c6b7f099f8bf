// Goal: rows are found by payee, label, status, amount and lack of a category, of several accounts and
// categories, and shown with the balance after each. Method: a small household whose rows are known by
// heart; each filter is asked of `list`, `search` and `register` alike.
import Daybook
import Foundation
import Testing

@Suite struct FilterTests {
  /// Eight rows of two accounts in euros and one in dollars.
  static func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR --opening 1000")
    try desk.done("accounts create Cash --currency EUR")
    try desk.done("accounts create Dollars --currency USD --opening 50.00")
    for category in ["Food", "Household"] { try desk.done("categories create \(category)") }
    try desk.done("rate add EUR USD 1.25 --on 2026-01-01")
    for line in [
      "add expense 12.50 --account Checking --category Food --on 2026-01-02 --payee Rewe",
      "add expense 30 --account Checking --on 2026-01-03 --payee REWE-City --tag trip",
      "add transfer 100 --account Checking --to Cash --on 2026-01-04",
      "add expense 7.25 --account Cash --category Household --on 2026-01-05 --status pending",
      "add expense --account Checking --part Food=12.50 --part Household=3 --on 2026-01-06",
      "add transfer 40 --account Checking --to Dollars --on 2026-01-07",
      "add refund 12.50 --account Checking --category Food --on 2026-01-08 --tag Trip --tag late",
      "add expense 5 --account Dollars --category Food --on 2026-01-09 --payee Café",
    ] { try desk.done(line) }
    return desk
  }

  @Test(arguments: [
    ("--payee rewe", [2, 1]), ("--payee REWE --whole-payee", [1]), ("--payee cafe", [8]),
    ("--payee nobody", []), ("--tag trip", [7, 2]), ("--tag trip --tag late", [7]),
    ("--tag tri", []), ("--status pending", [4]), ("--status cleared --tag trip", [7, 2]),
    ("--status reconciled", []), ("--amount 12.50", [7, 5, 1]), ("--amount -12.5", [7, 5, 1]),
    ("--amount 10..20", [7, 5, 1]), ("--amount 100..", [3]), ("--amount ..5", [8, 5]),
    ("--amount 12.5..15.50", [7, 5, 1]), ("--amount 5USD", [8]), ("--amount 12.50USD", []),
    ("--amount 3 --amount 40", [6, 5]), ("--uncategorised", [2]), ("--uncategorized", [2]),
    ("--uncategorised --category Household", [5, 4, 2]),
    ("--category Food --category Household", [8, 7, 5, 4, 1]), ("--account Cash", [4, 3]),
    ("--account Cash --account Dollars", [8, 6, 4, 3]),
    ("--account Cash --account Checking --type transfer", [6, 3]),
    ("--account Checking --category Food --amount 10..", [7, 5, 1]),
  ])
  func listAndCountAgree(filter: String, numbers: [Int]) throws {
    let desk = try Self.household()
    let rows = try desk.done("list --json \(filter)").json()["transactions"].array
    #expect(rows.map { $0["number"].int } == numbers)
    #expect(try desk.done("list --count \(filter)").output == "\(numbers.count)\n")
    let paged = try desk.done("list --json --limit 2 --offset 1 \(filter)").json()["transactions"]
    #expect(paged.array.map { $0["number"].int } == Array(numbers.dropFirst().prefix(2)))
    let sections = try desk.done("list --json --sections \(filter)").json()["sections"].array
    let decoded: [TransactionSection] = try sections.map { try $0.decoded() }
    #expect(decoded.flatMap(\.rows).map { Int($0.transaction.number) } == numbers)
    #expect(sections.map { $0["summary"]["count"].int ?? 0 }.reduce(0, +) == numbers.count)
  }

  @Test func searchTakesThemToo() throws {
    let desk = try Self.household()
    for (filter, numbers) in [
      ("search rewe --tag trip", [2]), ("search food --status cleared --amount 12.50", [7, 5, 1]),
      ("search trip --payee rewe", [2]), ("search food --tag late", [7]),
    ] {
      let rows = try desk.done("\(filter) --json").json()["transactions"].array
      #expect(rows.map { $0["number"].int } == numbers, "\(filter)")
    }
  }

  @Test(arguments: [
    ("list --amount twelve", "twelve"), ("list --amount 20..10", "20..10"),
    ("list --amount 1.5.2", "1.5.2"), ("list --amount 5XXQ", "XXQ"),
    ("list --status done", "pending"), ("list --whole-payee", "--payee"),
    ("list --balance", "--account"), ("list --payee ...", ""), ("register", "accounts"),
    ("register Chekcing", "Checking"), ("register Checking --before 12", "2026-02-14#123"),
  ])
  func wrongOnesAreExplained(line: String, word: String) throws {
    let desk = try Self.household()
    let run = try desk.run(line)
    if line == "list --payee ..." {
      // Points are letters to look for like any other.
      #expect(run.status == 0, "\(run.errors)")
    } else {
      #expect(run.status != 0 && run.errors.contains(word), "\(run.errors)")
    }
  }

  private func balances(_ rows: Node) -> [[String]] {
    rows.array.map { row in
      row["balances"].array.map {
        "\($0["balance"]["amount"].string ?? "") \($0["balance"]["currency"].string ?? "")"
      }
    }
  }

  @Test func aRegisterShowsTheBalanceAfterEachRow() throws {
    let desk = try Self.household()
    let one = try desk.done("register Checking --json").json()["rows"]
    #expect(
      balances(one) == [
        ["987.50 EUR"], ["957.50 EUR"], ["857.50 EUR"], ["842.00 EUR"], ["802.00 EUR"],
        ["814.50 EUR"],
      ])
    #expect(one[2]["amounts"][0]["amount"].string == "-100.00")
    // What a filter leaves out counts all the same.
    let trip = try desk.done("register Checking --tag trip --json").json()["rows"]
    #expect(balances(trip) == [["957.50 EUR"], ["814.50 EUR"]])
    // Together in one currency: a transfer between them moves nothing.
    let both = try desk.done("register Checking Cash --json").json()["rows"]
    #expect(
      balances(both) == [
        ["987.50 EUR"], ["957.50 EUR"], ["957.50 EUR"], ["950.25 EUR"], ["934.75 EUR"],
        ["894.75 EUR"], ["907.25 EUR"],
      ])
    #expect(both[2]["amounts"][0]["amount"].string == "0.00")
    // A column for each currency.
    let all = try desk.done("register Checking Dollars --json").json()["rows"]
    #expect(balances(all)[4] == ["802.00 EUR", "100.00 USD"])
    #expect(all[4]["amounts"].array.map { $0["amount"].string } == ["-40.00", "50.00"])
    // And one for each account.
    let each = try desk.done("register Checking Cash --each --json").json()["rows"]
    #expect(balances(each)[2] == ["857.50 EUR", "100.00 EUR"])
  }

  @Test func aRegisterIsReadByPeople() throws {
    let desk = try Self.household()
    let text = try desk.done("register Checking Dollars").output
    #expect(text.contains("Balance EUR") && text.contains("Balance USD"), "\(text)")
    #expect(text.contains("802.00") && text.contains("100.00"))
    let page = try desk.done("register Checking --limit 2").lines
    #expect(page.contains { $0.hasSuffix("--before 2026-01-07#6") }, "\(page)")
    let older = try desk.done("register Checking --limit 2 --before 2026-01-07#6 --json").json()
    #expect(older["rows"].array.map { $0["transaction"]["number"].int } == [3, 5])
    #expect(try desk.done("register Cash --tag none").output == "No transactions.\n")
    let list = try desk.done("list --account Checking --balance").output
    #expect(list.contains("Balance") && list.contains("987.50"), "\(list)")
    let json = try desk.done("list --account Checking --balance --json --limit 1").json()
    let row: TransactionRow = try json["rows"][0].decoded()
    #expect(row.balance?.text == "814.50" && row.transaction.number == 7)
    let both = try desk.done(
      "list --account Checking --account Dollars --balance --json --limit 1 --offset 2"
    ).named()["rows"][0]
    #expect(both["balances"].array.map { $0["accounts"].strings } == [["Checking"], ["Dollars"]])
  }
}
