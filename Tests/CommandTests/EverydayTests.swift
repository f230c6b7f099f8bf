// Goal: a person can keep a household's books by commands alone, and a script gets the same answers as
// JSON. Method: the built command is run on a fresh ledger, step by step; figures are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct EverydayTests {
  /// A ledger with an account, a few categories and rows up to 2026-02-15.
  static func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR --opening 1000")
    try desk.done("accounts create Cash --currency EUR")
    try desk.done("accounts create Dollars --currency USD --opening 50.00")
    try desk.done("categories create Food")
    try desk.done("categories create Groceries --parent Food")
    try desk.done("categories create Salary --kind income")
    try desk.done("rate add EUR USD 1.25 --on 2026-01-01")
    try desk.done("add income 2000 --account Checking --category Salary --on 2026-01-31")
    try desk.done("add expense 30.50 --account Checking --category Food:Groceries --on 2026-02-03")
    try desk.done("add expense 9.50 --account Checking --category Food --on 2026-02-14")
    try desk.done("add transfer 100 --account Checking --to Cash --on 2026-02-14")
    return desk
  }

  static func balances(_ desk: Desk, _ more: String = "") throws -> [String: String] {
    let node = try desk.done("balance --json --today 2026-02-15 \(more)").json()
    var balances: [String: String] = [:]
    for row in try node["balances"].decoded(as: [AccountBalance].self) {
      balances[row.account.name] = row.balance.text
    }
    return balances
  }

  @Test func recordingMovesBalancesAtOnce() throws {
    let desk = try Self.household()
    #expect(
      try Self.balances(desk) == ["Checking": "2860.00", "Cash": "100.00", "Dollars": "50.00"])
    #expect(
      try Self.balances(desk, "--on 2026-02-01")
        == ["Checking": "3000.00", "Cash": "0.00", "Dollars": "50.00"])
    let worth = try desk.done("balance --json --today 2026-02-15").json()["worth"]
    #expect(worth["amount"].string == "3000.00")
    #expect(worth["currency"].string == "EUR")
  }

  @Test func listsAreNewestFirstAndPageByPlace() throws {
    let desk = try Self.household()
    let first = try desk.done("list --json --limit 2").json()
    #expect(first["count"].int == 4)
    #expect(first["transactions"].array.map { $0["type"].string } == ["transfer", "expense"])
    let next = try #require(first["next"].string)
    let second = try desk.done("list --json --limit 2 --after \(next)").json()
    #expect(
      second["transactions"].array.map { $0["day"].string } == ["2026-02-03", "2026-01-31"])
    let same = try desk.done("list --json --limit 2 --offset 2").json()
    #expect(
      same["transactions"].array.map { $0["id"].string }
        == second["transactions"].array.map { $0["id"].string })
    let rest = try desk.done("list --json --offset 4").json()
    #expect(rest["transactions"].array.isEmpty)
    #expect(rest["next"].value == nil)
  }

  @Test func aTransactionHasAllOfItsMembers() throws {
    let desk = try Self.household()
    let run = try desk.done("list --json --category Groceries")
    // It is the form that the library has for a transaction, to the letter.
    let row = try run.json()["transactions"][0]
    let decoded = try row.decoded(as: Transaction.self)
    #expect(try Node(parsing: JSONValue(decoded).line, "", at: #_sourceLocation).text == row.text)
    #expect(row.names == ["id", "number", "day", "type", "status", "postings"])
    // The names of all ids that have one, and no others.
    let ids = decoded.postings.map { posting in
      switch posting.account {
      case .account(let id): "\(id)"
      case .category(let id): "\(id)"
      }
    }
    #expect(try run.json()["names"].names == Set(ids))
    let postings = try run.named()["transactions"][0]["postings"].array
    #expect(
      Set(
        postings.map {
          "\($0["account"].string ?? $0["category"].string ?? "") \($0["amount"].string ?? "")"
        })
        == ["Checking -30.50", "Food:Groceries 30.50"])
  }

  @Test(arguments: [
    ("--category Food", 2), ("--category Food --no-subcategories", 1), ("--type transfer", 1),
    ("--account Cash", 1), ("--currency USD", 0), ("--month 2026-02", 3),
    ("--from 2026-02-03 --through 2026-02-03", 1), ("--text nothing", 0),
  ])
  func filters(flags: String, count: Int) throws {
    let desk = try Self.household()
    #expect(try desk.done("list --json --count \(flags)").json()["count"].int == count)
    let rows = try desk.done("list --json \(flags)").json()["transactions"].array
    #expect(rows.count == count)
  }

  @Test func monthsAreThreeFigures() throws {
    let desk = try Self.household()
    let months = try desk.done("months --json --today 2026-02-15 --count 2").json()["months"].array
    let decoded: [ConvertedMonth] = try months.map { try $0.decoded() }
    #expect(decoded.map { "\($0.month)" } == ["2026-01", "2026-02"])
    #expect(decoded.map(\.totals.income.total.text) == ["2000.00", "0.00"])
    #expect(decoded.map(\.totals.expense.total.text) == ["0.00", "40.00"])
    #expect(decoded.map(\.totals.transfers.total.text) == ["0.00", "100.00"])
    let chart = try desk.done("months --today 2026-02-15 --count 2").output
    #expect(chart.contains("█"))
    #expect(!chart.contains("\u{1B}"))
  }

  @Test func categoriesRollUpAndRename() throws {
    let desk = try Self.household()
    let top = try desk.done("categories top --json --today 2026-02-15").named()
    #expect(top["categories"].array.map { $0["category"]["id"].string } == ["Food"])
    #expect(top["categories"][0]["amount"]["amount"].string == "40.00")
    let parts = try desk.done("categories top --json --no-roll-up --today 2026-02-15").named()
    #expect(
      parts["categories"].array.map { $0["category"]["id"].string } == ["Food:Groceries", "Food"])
    try desk.done("categories rename Food Meals")
    #expect(try desk.done("categories list").output.contains("  Meals\n    Groceries"))
    try desk.done("categories move Groceries --top")
    #expect(try desk.done("categories list").output.contains("  Groceries"))
    try desk.done("categories delete Groceries --move-to Meals")
    let trend = try desk.done("categories trend Meals --json --today 2026-02-15 --count 1").json()
    let month: CategoryMonth = try trend["months"][0].decoded()
    #expect(month.total.totals.map(\.text) == ["40.00"] && month.total.category.name == "Meals")
  }

  @Test func editingTakesTheOldValueAway() throws {
    let desk = try Self.household()
    let place = try #require(
      try desk.done("list --json --category Groceries").json()["transactions"][0].place)
    try desk.done("edit \(place) --amount 40.50 --account Cash --note market --tag a --tag b")
    #expect(
      try Self.balances(desk) == ["Checking": "2890.50", "Cash": "59.50", "Dollars": "50.00"])
    let row = try desk.done("show \(place) --json").json()["transaction"]
    #expect(row["note"].string == "market")
    #expect(row["tags"].strings == ["a", "b"])
    try desk.done("delete \(place)")
    #expect(
      try Self.balances(desk) == ["Checking": "2890.50", "Cash": "100.00", "Dollars": "50.00"])
    #expect(try desk.run("show \(place)").status == 1)
  }

  @Test func aForeignAmountMovesTheAccountAtTheDaysRate() throws {
    let desk = try Self.household()
    try desk.run([
      "add", "expense", "10 EUR", "--account", "Dollars", "--category", "Food",
      "--on", "2026-02-10",
    ])
    #expect(try Self.balances(desk)["Dollars"] == "37.50")
    try desk.done("add transfer 10 --account Checking --to Dollars --to-amount 13 --on 2026-02-11")
    #expect(try Self.balances(desk)["Dollars"] == "50.50")
  }

  @Test func aSplitCountsInItsCategories() throws {
    let desk = try Self.household()
    try desk.done("categories create Household")
    try desk.done(
      "add expense --account Checking --part Food=12.50 --part Household=7.30 --on 2026-02-15")
    #expect(try Self.balances(desk)["Checking"] == "2840.20")
    let top = try desk.done("categories top --json --today 2026-02-15").json()["categories"]
    #expect(top.array.map { $0["amount"]["amount"].string } == ["52.50", "7.30"])
  }

  @Test func aRefundReducesWhatWasSpent() throws {
    let desk = try Self.household()
    try desk.done("add refund 5 --account Checking --category Food --on 2026-02-15")
    let months = try desk.done("months --json --today 2026-02-15 --count 1").json()["months"]
    #expect(months[0]["totals"]["expense"]["amount"].string == "35.00")
    #expect(months[0]["totals"]["income"]["amount"].string == "0.00")
  }

  @Test func theSameKeyRecordsOnce() throws {
    let desk = try Self.household()
    let line = "add expense 1 --account Cash --category Food --on 2026-02-15 --key once"
    #expect(try desk.done(line + " --json").json()["isRepeat"].bool == false)
    #expect(try desk.done(line + " --json").json()["isRepeat"].bool == true)
    #expect(try Self.balances(desk)["Cash"] == "99.00")
  }

  @Test func reconciledRowsAndClosedPeriodsAreLocked() throws {
    let desk = try Self.household()
    let wrong = try desk.run(
      "reconcile --account Checking --through 2026-01-31 --balance 2999.99")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("3,000.00"))
    try desk.done("reconcile --account Checking --through 2026-01-31 --balance 3000")
    let row = try desk.done("list --json --month 2026-01").json()["transactions"][0]
    #expect(row["status"].string == "reconciled")
    let place = try #require(row.place)
    #expect(try desk.run("edit \(place) --amount 1").status == 1)
    try desk.done("edit \(place) --note checked")
    try desk.done("reconcile \(place) --undo")
    try desk.done("close --through 2026-01-31")
    let refused = try desk.run("delete \(place)")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("2026-01-31"))
    try desk.done("reopen")
    try desk.done("delete \(place)")
  }

  @Test func accountsCloseReopenAndGo() throws {
    let desk = try Self.household()
    try desk.done("accounts rename Cash Purse")
    try desk.done("accounts close Purse")
    #expect(try desk.run("add expense 1 --account Purse --category Food").status == 1)
    try desk.done("accounts reopen Purse")
    let unsaid = try desk.run("accounts delete Purse")
    #expect(unsaid.status == 64)
    #expect(unsaid.errors.contains("--keep-rows"))
    try desk.done("accounts delete Purse --with-rows")
    #expect(try Self.balances(desk) == ["Checking": "2960.00", "Dollars": "50.00"])
  }

  @Test func openingsCountFromTheirDay() throws {
    let desk = try Self.household()
    try desk.done("opening Cash 20 --on 2026-02-10")
    #expect(try Self.balances(desk, "--on 2026-02-09")["Cash"] == "0.00")
    #expect(try Self.balances(desk)["Cash"] == "120.00")
    try desk.done("opening Cash --owed 5")
    #expect(try Self.balances(desk, "--on 2020-01-01")["Cash"] == "-5.00")
  }

  @Test func verifyRebuildAndInfoAgree() throws {
    let desk = try Self.household()
    let before = try Self.balances(desk)
    #expect(try desk.done("verify --json").json()["findings"].text == "[]")
    try desk.done("rebuild")
    #expect(try Self.balances(desk) == before)
    let info = try desk.done("info --json").json()
    let decoded: LedgerInfo = try info.decoded()
    #expect(decoded.entityCounts[.transaction] == 4)
    #expect(info["settings"]["baseCurrency"].string == "EUR")
    // `info` opens for reading, and must still know that all is well.
    #expect(decoded.projections.count == 10)
    #expect(decoded.projections.allSatisfy { $0.fault == nil })
    #expect(decoded.projections.allSatisfy { $0.sequence ?? decoded.sequence == decoded.sequence })
    #expect(!(try desk.done("info").output.contains("QUARANTINED")))
  }

  @Test func futureRowsArePlanned() throws {
    let desk = try Self.household()
    try desk.done("add expense 70 --account Checking --category Food --on 2026-02-20")
    let months = try desk.done("months --json --today 2026-02-15 --count 1").json()["months"]
    #expect(months[0]["totals"]["expense"]["amount"].string == "40.00")
    let later = try desk.done("months --json --today 2026-02-20 --count 1").json()["months"]
    #expect(later[0]["totals"]["expense"]["amount"].string == "110.00")
  }
}
