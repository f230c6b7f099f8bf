// Goal: figures come out as people count them. Method: the built command is run on small ledgers whose
// figures are known by hand.
import Daybook
import Foundation
import Testing

@Suite struct EverydayFigureTests {
  /// A ledger in euros with an account `Giro` of 1,000 and the categories Food and Kids.
  private func ledger() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR --opening 1000")
    for name in ["Food", "Kids"] { try desk.done("categories create \(name)") }
    return desk
  }

  // MARK: Lists

  @Test func aTransferFromOutsideIsAGain() throws {
    let desk = try ledger()
    let said = try desk.done("add transfer 5 --to Giro --on 2026-01-02")
    #expect(said.output == "Recorded 2026-01-02#1: Giro, 5.00 EUR\n")
    for words in ["list", "list --account Giro", "list --type transfer", "list --sections"] {
      let lines = try desk.done("\(words) --output csv").lines
      #expect(lines.dropFirst().first?.hasSuffix(",5.00,EUR") == true, "\(words): \(lines)")
    }
  }

  @Test func aCategoryListsItsPartsOfASplit() throws {
    let desk = try ledger()
    try desk.done("categories create Kids:School")
    try desk.done(
      "add expense --account Giro --part Food=25 --part Kids:School=10 --part Kids=3 --on 2026-02-03"
    )
    for (words, amount) in [
      ("--category Kids", "-13.00"), ("--category Kids:School", "-10.00"),
      ("--category Food", "-25.00"), ("--category Food --category Kids", "-38.00"),
      ("--category Kids --account Giro", "-38.00"), ("", "-38.00"),
    ] {
      let row = try desk.done("list \(words) --output csv").lines[1]
      #expect(row.hasSuffix(",\(amount),EUR"), "\(words): \(row)")
      let heading = try desk.done("list \(words) --sections").lines[1]
      #expect(heading.hasSuffix(" \(amount) EUR"), "\(words): \(heading)")
    }
    try desk.done("categories create Pay --kind income")
    try desk.done("add income 9 --account Giro --category Pay --on 2026-02-04")
    let heading = try desk.done("list --category Pay --sections").lines[1]
    #expect(heading.hasSuffix(" 9.00 EUR"), "\(heading)")
  }

  @Test func closedAccountsAreNotNone() throws {
    let desk = try ledger()
    try desk.done("add expense 1000 --account Giro --on 2026-01-02")
    try desk.done("accounts close Giro")
    let said = try desk.done("accounts list").output
    #expect(said.contains("No open accounts") && said.contains("--all"), "\(said)")
  }

  @Test func aTrendEndsWithTheMonthAskedFor() throws {
    let desk = try ledger()
    try desk.done("add expense 9 --account Giro --category Food --on 2026-01-02")
    let lines = try desk.done(
      "categories trend Food --count 2 --through 2026-01 --today 2026-03-05 --output csv"
    ).lines
    #expect(Array(lines[1...2]) == ["2025-12,0.00,EUR", "2026-01,9.00,EUR"])
  }

  @Test func theAdviceForANegativeIncomeWorks() throws {
    let desk = try ledger()
    try desk.done("categories create Pay --kind income")
    let run = try desk.run("add income --account Giro --category Pay -- -100")
    #expect(run.status == 64)
    let advice = try #require(run.errors.firstMatch(of: /`daybook (add [^`]*)`/)?.1)
    #expect(advice.contains("--account Giro"), "\(advice)")
    try desk.done(String(advice))
  }

  // MARK: Insights and budgets

  @Test func averagesAreOverTheMonthsThereAre() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Giro --currency EUR --opening 7200")
    try desk.done("categories create Rent")
    try desk.done("add expense 1200 --account Giro --category Rent --on 2026-05-10")
    for words in ["", "--currency EUR"] {
      let run = try desk.done("insights --month 2026-06 --today 2026-06-15 --json \(words)").json()
      #expect(run["runway"]["tenthsOfMonths"].int == 50, "\(words)")
      #expect(run["runway"]["expense"]["amount"].string == "1200.00", "\(words)")
    }
    try desk.done("add expense 1200 --account Giro --category Rent --on 2026-06-10")
    for words in ["", "--currency EUR"] {
      let run = try desk.done("insights --month 2026-06 --today 2026-06-15 --json \(words)").json()
      #expect(run["runway"]["tenthsOfMonths"].int == 40, "\(words)")
      #expect(run["spikes"].array.isEmpty, "\(words)")
      let first = try desk.done("insights --month 2026-05 --today 2026-06-15 --json \(words)")
        .json()
      #expect(first["growthStreak"].int == 0, "\(words)")
    }
    // Two months of 1,200 and one of 2,400 in July, which is twice as much as usual.
    try desk.done("add expense 2400 --account Giro --category Rent --on 2026-07-10")
    let run = try desk.done("insights --month 2026-07 --today 2026-07-31 --json").json()
    #expect(run["spikes"][0]["usual"]["amount"].string == "1200.00")
    #expect(run["runway"]["expense"]["amount"].string == "1200.00")
  }

  @Test func aBudgetCountsEveryPaymentOfThePeriod() throws {
    let desk = try ledger()
    try desk.done("budget add K 100 --category Kids --today 2026-06-01")
    try desk.done("budget add All 100 --today 2026-06-01")
    try desk.done("budget add F 100 --category Food --today 2026-06-01")
    try desk.done(
      "recurring add Lunch expense 20 --account Giro --category Kids --every 1 week "
        + "--from 2026-06-01 --today 2026-06-01")
    try desk.done("recurring generate --today 2026-06-01")
    func planned(_ budget: String, _ today: String) throws -> String? {
      try desk.done("budget show \(budget) --today \(today) --json")
        .json()["status"]["planned"]["amount"].string
    }
    #expect(try planned("K", "2026-06-02") == "80.00")
    #expect(try planned("All", "2026-06-02") == "80.00")
    #expect(try planned("F", "2026-06-02") == "0.00")
    // Without generating, the payments of 15 and 22 June are overdue; they are expected tomorrow.
    #expect(try planned("K", "2026-06-23") == "60.00")
    #expect(try planned("K", "2026-06-30") == "0.00")
    try desk.done("recurring skip Lunch 2026-06-22")
    #expect(try planned("K", "2026-06-02") == "60.00")
  }

  @Test func onePaymentIsNoPace() throws {
    let desk = try ledger()
    try desk.done("budget add K 300 --category Kids --today 2026-06-01")
    try desk.done("add expense 280 --account Giro --category Kids --on 2026-06-01")
    #expect(!(try desk.done("budget list --today 2026-06-01").output.contains("on course")))
    #expect(try desk.done("budget list --today 2026-06-15").output.contains("on course"))
  }

  // MARK: Recurring transactions

  private func phone(_ desk: Desk) throws {
    try desk.done(
      "recurring add Phone expense 30 --account Giro --category Kids --from 2025-09-28 "
        + "--today 2025-09-20")
    try desk.done("recurring generate --today 2025-09-20")
    try desk.done("add expense 31.50 --account Giro --category Kids --on 2025-09-25")
  }

  @Test("a payment made early is paid once", arguments: ["", "--due 2025-09-28"])
  func earlyPayment(_ due: String) throws {
    let desk = try ledger()
    try phone(desk)
    let said = try desk.done("recurring link Phone 2025-09-25#2 \(due) --today 2025-09-25").output
    #expect(
      said == "Linked 2025-09-25#2 to Phone, due 2025-09-28, in place of the planned "
        + "2025-09-28#1.\n")
    try desk.done("recurring generate --today 2025-09-30")
    let rows = try desk.done("list --output csv").lines.dropFirst().map { String($0.prefix(12)) }
    #expect(rows == ["2025-10-28#3", "2025-09-25#2", ""])
    #expect(try desk.done("verify").status == 0)
  }

  @Test func anEarlyPaymentTakesTheNearestOpenDueDate() throws {
    let desk = try ledger()
    try phone(desk)
    // The one of September is paid, so another early payment is that of October.
    try desk.done("recurring link Phone 2025-09-25#2 --today 2025-09-25")
    try desk.done("add expense 30 --account Giro --category Kids --on 2025-09-26")
    let said = try desk.done("recurring link Phone 2025-09-26#3 --today 2025-09-26").output
    #expect(said == "Linked 2025-09-26#3 to Phone, due 2025-10-28.\n")
    // A transaction on a due date that has passed is no plan.
    try desk.done("recurring generate --today 2025-11-28")
    try desk.done("add expense 30 --account Giro --category Kids --on 2025-11-30")
    let run = try desk.run(
      "recurring link Phone 2025-11-30#6 --due 2025-11-28 --today 2025-11-30")
    #expect(run.status == 1 && run.errors.contains("already has a transaction"), "\(run)")
  }

  @Test func aNewNameReachesItsTransactions() throws {
    let desk = try ledger()
    try desk.done(
      "recurring add Lunch expense 20 --account Giro --category Kids --every 1 week "
        + "--from 2026-06-01 --today 2026-06-01")
    try desk.done("recurring generate --today 2026-06-08")
    try desk.done("edit 2026-06-08#2 --description Pizza")
    func texts() throws -> [String] {
      try desk.done("list --json").json()["transactions"].array.compactMap {
        $0["description"].string
      }
    }
    try desk.done(
      "recurring edit Lunch --name Canteen --amount 21 --scope future --since 2026-06-15")
    #expect(try texts() == ["Canteen", "Pizza", "Canteen"])
    try desk.done("recurring edit Canteen --description Meal")
    #expect(try texts() == ["Meal", "Pizza", "Meal"])
    // The name is no longer the text.
    try desk.done("recurring edit Canteen --name School")
    #expect(try texts() == ["Meal", "Pizza", "Meal"])
  }

  @Test func aFailingSeriesIsNamed() throws {
    let desk = try ledger()
    for name in ["Lunch", "Rent"] {
      try desk.done(
        "recurring add \(name) expense 20 --account Giro --category \(name == "Rent" ? "Food" : "Kids") "
          + "--from 2026-06-01 --today 2026-06-01")
    }
    try desk.done("categories delete Kids --keep-rows")
    let run = try desk.run("recurring generate --today 2026-06-01")
    #expect(run.status == 1)
    #expect(run.output.contains("Rent"), "\(run)")
    #expect((run.output + run.errors).contains("Couldn't record Lunch, due 2026-06-01"), "\(run)")
    #expect(try desk.run("recurring generate --today 2026-06-01 --json").status == 1)
  }

  @Test func removingTellsWhatBecomesOfThePlan() throws {
    let desk = try ledger()
    try phone(desk)
    let said = try desk.done("recurring remove Phone --today 2025-09-20").output
    #expect(said.contains("2025-09-28#1 stays"), "\(said)")
    try desk.done("undo")
    let removed = try desk.done("recurring remove Phone --with-rows --today 2025-09-20").output
    #expect(removed == "Removed Phone and 1 transaction.\n")
  }

  @Test func anIntervalMayBeQuoted() throws {
    let desk = try ledger()
    for every in [["2 weeks"], ["2", "weeks"], [" 2  weeks "]] {
      let run = try desk.run(
        ["recurring", "add", "P", "expense", "1", "--account", "Giro", "--every"] + every)
      #expect(run.output.contains("every 2 weeks"), "\(every): \(run)")
    }
  }

  // MARK: Rules and categories

  @Test func aPreviewTellsWhatAClosedPeriodWithholds() throws {
    let desk = try ledger()
    for day in ["2026-01-02", "2026-02-02"] {
      try desk.done("add expense 1 --account Giro --payee Uber --on \(day)")
    }
    try desk.done("rules add Rides --contains über --category Kids")
    #expect(!(try desk.done("rules preview").output.contains("closed")))
    try desk.done("close --through 2026-01-31")
    let run = try desk.run("rules preview")
    let said = run.output + run.errors
    #expect(said.contains("Left out 1 transaction in the closed period through 2026-01-31"))
    #expect(said.contains("2026-01-02#1") && said.contains("2026-02-02#2"), "\(said)")
    let json = try desk.done("rules preview --json").json()
    #expect(json["rows"].array.count == 1 && json["withheld"].array.count == 1)
  }

  @Test func aDeletedCategoryTellsWhatUsedIt() throws {
    let desk = try ledger()
    try desk.done("rules add Rides --contains uber --category Kids")
    try desk.done("recurring add Lunch expense 20 --account Giro --category Kids")
    try desk.done("budget add K 100 --category Kids")
    let kept = try desk.done("categories delete Kids --keep-rows").output
    #expect(
      kept
        == "Deleted Kids and kept its transactions. Still using it: the budget K, the rule Rides, "
        + "the recurring transaction Lunch. Give them another category.\n")
    try desk.done("undo")
    let tried = try desk.done("categories merge Kids Food --dry-run").output
    #expect(tried.contains("Would then use Food: the budget K, the rule Rides"), "\(tried)")
    let moved = try desk.done("categories delete Kids --move-to Food").output
    #expect(moved.contains("Now using Food: the budget K, the rule Rides"), "\(moved)")
  }

  // MARK: Accounts

  @Test func mergingLeavesNoTransferToItself() throws {
    let desk = try ledger()
    try desk.done("accounts create Cash --currency EUR")
    try desk.done("recurring add Move transfer 20 --account Giro --to Cash --from 2026-02-01")
    for words in [
      "accounts merge Giro Cash", "accounts merge Cash Giro", "accounts delete Giro --move-to Cash",
    ] {
      let run = try desk.run(words)
      #expect(run.status == 1 && run.errors.contains("“Move”"), "\(run)")
    }
    try desk.done("recurring remove Move")
    try desk.done("accounts merge Giro Cash")
  }

  @Test(
    "stated balances of both are asked about",
    arguments: [("add", ["1040.00"]), ("keep", ["40.00", "41.00"]), ("remove", [])])
  func mergingStatedBalances(_ choice: String, _ left: [String]) throws {
    let desk = try ledger()
    try desk.done("accounts create Cash --currency EUR --opening 40")
    try desk.done("assertions add Giro 1000 --on 2026-01-31")
    try desk.done("assertions add Cash 40 --on 2026-01-31")
    try desk.done("assertions add Cash 41 --on 2026-02-28")
    let run = try desk.run("accounts merge Giro Cash")
    #expect(run.status == 1 && run.errors.contains("--stated-balances"), "\(run)")
    try desk.done("accounts merge Giro Cash --stated-balances \(choice)")
    let found = try desk.done("assertions list --json").json()["assertions"].array
    #expect(found.compactMap { $0["assertion"]["balance"]["amount"].string } == left)
  }

  @Test func aReconciledTransactionMovesWithItsAccount() throws {
    let desk = try ledger()
    try desk.done("accounts create Cash --currency EUR")
    try desk.done("add expense 10 --account Giro --category Food --on 2026-01-06")
    try desk.done("reconcile --account Giro --through 2026-01-31 --balance 990")
    try desk.done("accounts merge Giro Cash")
    let row = try desk.done("list --account Cash --json").json()["transactions"][0]
    #expect(row["status"].string == "reconciled")
  }

  @Test func aStatedBalanceIsReplaced() throws {
    let desk = try ledger()
    try desk.done("assertions add Giro 900 --on 2026-01-31")
    let said = try desk.done("assertions add Giro 1000 --on 2026-01-31").output
    #expect(
      said
        == "Replaced stated balance of 900.00 EUR on 2026-01-31 by 1,000.00 EUR. It matches the "
        + "ledger.\n")
    #expect(try desk.done("assertions list --json").json()["assertions"].array.count == 1)
  }
}
