// Goal: a path of categories means the same everywhere it is typed, and makes or finds the way from the
// top; a `:` inside of a name stays reachable. Method: the built command on a fresh ledger, and on one
// whose categories an earlier version named with a colon; figures are known by hand.
import Foundation
import Testing

@Suite struct CategoryPathTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking")
    return desk
  }

  private func paths(_ desk: Desk) throws -> [String] {
    try desk.done("categories list --json").named()["categories"].array
      .map { "\($0["kind"].string ?? "") \($0["id"].string ?? "")" }.sorted()
  }

  @Test func createMakesThePath() throws {
    let desk = try desk()
    let made = try desk.done("categories create Food:Groceries:Bread")
    #expect(
      made.output.contains(
        "Created category Food:Groceries:Bread and its missing parents: Food, Food:Groceries"))
    #expect(
      try paths(desk) == ["expense Food", "expense Food:Groceries", "expense Food:Groceries:Bread"])
    // What is there is found, whatever its case.
    let next = try desk.done("categories create food:Restaurants --json").named()
    #expect(next["outcomes"].array.map { $0["category"].string } == ["Food:Restaurants"])
    #expect(try paths(desk).contains("expense Food:Restaurants"))
    // The last one has to be new.
    let again = try desk.run("categories create Food:groceries")
    #expect(again.status == 1 && again.errors.contains("already exists"), "\(again.errors)")
    #expect(try paths(desk).count == 4)
  }

  @Test func theKindIsThatOfWhatIsAbove() throws {
    let desk = try desk()
    try desk.done("categories create Salary --kind income")
    try desk.done("categories create Salary:Bonus")
    try desk.done("categories create Yearly --parent Salary:Bonus")
    try desk.done("categories create Gifts:Mine --kind income")
    try desk.done("categories create Gifts --kind expense")
    #expect(
      try paths(desk) == [
        "expense Gifts", "income Gifts", "income Gifts:Mine", "income Salary",
        "income Salary:Bonus",
        "income Salary:Bonus:Yearly",
      ])
    let either = try desk.run("categories create Gifts:Yours")
    #expect(either.status == 64 && either.errors.contains("--kind"), "\(either.errors)")
    // With --parent a path goes below it.
    try desk.done("categories create Small:Tiny --parent Gifts --kind income")
    #expect(try paths(desk).contains("income Gifts:Small:Tiny"))
  }

  @Test(arguments: ["Food:", ":Food", "Food::Bread", "", " "])
  func aPathWithABlankNameIsNone(path: String) throws {
    let desk = try desk()
    let run = try desk.run(["categories", "create", path])
    #expect(run.status == 64 && run.errors.contains("Food:Groceries"), "\(run.errors)")
    let add = try desk.run(["add", "expense", "1", "--account", "Checking", "--category", path])
    #expect(add.status == 64, "\(add.errors)")
    #expect(try paths(desk).isEmpty)
  }

  @Test func aColonInsideOfANameIsEscaped() throws {
    let desk = try desk()
    try desk.run(["categories", "create", #"Food\:Groceries"#])
    #expect(try paths(desk) == [#"expense Food\:Groceries"#])
    #expect(try desk.done("categories list").output.contains(#"  Food\:Groceries"#))
    // The path of the same letters is another category, and neither hides the other.
    let made = try desk.done("categories create Food:Groceries")
    #expect(made.errors.contains(#"'Food\:Groceries'"#), "\(made.errors)")
    for (path, amount) in [(#"Food\:Groceries"#, "1"), ("Food:Groceries", "2")] {
      let run = try desk.run([
        "add", "expense", amount, "--account", "Checking", "--category", path, "--on", "2026-02-01",
      ])
      #expect(run.status == 0 && run.output.contains(path), "\(run.errors)")
      let found = try desk.run(["list", "--json", "--category", path]).json()
      #expect(found["transactions"].array.count == 1)
    }
    // Its rows move where they belong, as the remark said.
    let moved = try desk.run([
      "categories", "delete", #"Food\:Groceries"#, "--move-to", "Food:Groceries",
    ])
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(
      try desk.done("list --json --category Food:Groceries").json()["transactions"].array.count == 2
    )
  }

  @Test func aCategoryOfAnEarlierVersionIsNamedByTheSuggestion() throws {
    let desk = try desk()
    try desk.run(["categories", "create", #"Food\:Groceries"#])
    let run = try desk.run("add expense 1 --account Checking --category Food:Groceries")
    #expect(run.status == 1 && run.errors.contains(#"Did you mean “Food\:Groceries”?"#))
    #expect(run.errors.contains("`daybook categories create Food:Groceries` creates it"))
  }

  @Test func whatIsMissingOfAPathIsCreatedWithTheRow() throws {
    let desk = try desk()
    try desk.done("categories create Food:Groceries")
    let lines = [
      "add expense 1 --account Checking --category Food:Bread --on 2026-02-01",
      "add expense --account Checking --part Food:Tea=2 --part Home:Soap=3 --on 2026-02-02",
      "edit 2026-02-01#1 --category Food:Wine", "budget add Home 50 --category Home:Repairs",
      "budget edit Home --category Home:Rent", "rules add R --contains x --category Fun:Cinema",
      "rules edit R --category Fun:Theatre", "recurring add Gym expense 20 --category Sport:Gym",
      "recurring edit Gym --category Sport:Pool",
      "add income 9 --account Checking --category Work:Tips",
    ]
    for line in lines {
      let before = try paths(desk)
      let commits = try desk.done("info --json").json()["sequence"].int ?? 0
      let run = try desk.done(line)
      #expect(run.errors.hasPrefix("Created "), "\(line): \(run.errors)")
      #expect(try paths(desk).count > before.count, "\(line)")
      // One commit has both, so one undo takes both back.
      let after = try desk.done("info --json").json()["sequence"].int ?? 0
      #expect(after == commits + 1, "\(line)")
    }
    #expect(try paths(desk).contains("income Work:Tips"))
    // The same request under the same key is the same, though the path is there now.
    let keyed = "add expense 3 --key k --account Checking --category Pets:Cat"
    try desk.done(keyed)
    #expect(try desk.done(keyed).output.contains("already recorded with the same key"))
  }

  @Test func aSlipCreatesNothing() throws {
    let desk = try desk()
    try desk.done("categories create Food:Groceries")
    let before = try paths(desk)
    for path in ["Food:Groceris", "Fodo:Tea", "Tea"] {
      let run = try desk.run("add expense 1 --account Checking --category \(path)")
      #expect(run.status == 1 && run.errors.contains("categories create"), "\(run.errors)")
    }
    #expect(try desk.run("add expense 1 --account Nobody --category Food:Tea").status == 1)
    #expect(try desk.run("list --category Food:Tea").status == 1)
    #expect(try paths(desk) == before)
  }

  @Test func renameTakesANameAndMoveAPath() throws {
    let desk = try desk()
    try desk.done("categories create Food:Groceries")
    try desk.done("categories create Home:Kitchen")
    let path = try desk.run("categories rename Food:Groceries Home:Bread")
    #expect(path.status == 64 && path.errors.contains("categories move"), "\(path.errors)")
    let escaped = try desk.run(["categories", "rename", "Food:Groceries", #"Bread\: dark"#])
    #expect(escaped.output.contains(#"Renamed Food:Groceries to Food:Bread\: dark."#))
    let moved = try desk.run([
      "categories", "move", #"Food:Bread\: dark"#, "--below", "Home:Kitchen",
    ])
    #expect(
      moved.output.contains(#"Moved Food:Bread\: dark to Home:Kitchen:Bread\: dark."#),
      "\(moved.output)\(moved.errors)")
  }

  @Test func everyCommandTakesThePath() throws {
    let desk = try desk()
    try desk.done("categories create Food:Groceries")
    try desk.done("categories create Groceries")  // So that the name alone would not do.
    let path = "Food:Groceries"
    try desk.done("add expense 3 --account Checking --category \(path) --on 2026-02-01")
    try desk.done("add expense --account Checking --part \(path)=4 --part Food=1 --on 2026-02-02")
    try desk.done("add expense 5 --account Checking --category Groceries --on 2026-02-03")
    let row = try desk.done("list --json").json()["transactions"][0]["id"].string ?? ""
    try desk.done("edit \(row) --category \(path)")
    try desk.done("budget add Food 100 --category Food --start 2026-02-01")
    try desk.done("budget add Bread 50 --category \(path) --start 2026-02-01")
    try desk.done("rules add Bread --contains bread --category \(path)")
    try desk.done("add expense 6 --account Checking --payee Bread --on 2026-02-04")
    try desk.done(
      "recurring add Box expense 7 --account Checking --category \(path) --from 2026-02-05")
    try desk.done("recurring generate --today 2026-02-06")
    let found = try desk.done("list --json --category \(path)").json()["transactions"].array
    #expect(found.count == 6)  // With the one that the series keeps ahead.
    // Food's budget has all that lands below it: 3 + 4 + 1 + 5 + 6 + 7.
    let budgets = try desk.done("budget list --json --today 2026-02-15").json()["budgets"].array
    #expect(budgets.map { $0["spent"]["amount"].string } == ["26.00", "25.00"])
    #expect(try paths(desk) == ["expense Food", "expense Food:Groceries", "expense Groceries"])
  }

  @Test func importsMakeThePath() throws {
    let desk = try desk()
    let file = try desk.write(
      "bank.csv",
      #"""
      Day,Amount,Cat
      2026-02-01,-3.00,Food:Groceries
      2026-02-02,-4.00,Food: Restaurants
      2026-02-03,-5.00,food:
      2026-02-04,-6.00,Hotel\: breakfast
      2026-02-05,-7.00,

      """#)
    let run = try desk.run([
      "import", file, "--date-column", "Day", "--date-format", "yyyy-MM-dd", "--amount-column",
      "Amount",
      "--currency", "EUR",
      "--account", "Checking", "--category", "{Cat}", "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try run.json()["createdCategories"].array.map { $0["path"].string } == [
        "Food", "Food:Groceries", "Food:Restaurants", #"Hotel\: breakfast"#,
      ])
    #expect(try desk.done("list --json --category Food").json()["transactions"].array.count == 3)
    // A constant is a path too, and is found.
    let other = try desk.write("other.csv", "Day,Amount\n2026-02-06,-8.00\n")
    let next = try desk.run([
      "import", other, "--date-column", "Day", "--date-format", "yyyy-MM-dd", "--amount-column",
      "Amount",
      "--currency", "EUR",
      "--account", "Checking", "--category", "Food:Groceries", "--json",
    ])
    #expect(next.status == 0, "\(next.errors)")
    #expect(try next.json()["createdCategories"].array.isEmpty)
  }

  @Test func kindsOfOnePathAreToldApart() throws {
    let desk = try desk()
    try desk.done("categories create Gifts")
    try desk.done("categories create Gifts --kind income")
    let both = try desk.run("list --category Gifts")
    #expect(both.status == 1 && both.errors.contains("--type"), "\(both.errors)")
    #expect(try desk.run("list --category Gifts --type income").status == 0)
    let trend = try desk.run("categories trend Gifts")
    #expect(trend.errors.contains("--kind"))
    // A split takes that of its own kind.
    try desk.done("add expense --account Checking --part Gifts=1")
    let wrong = try desk.run("budget add X 5 --category Salary")
    #expect(wrong.status == 1)
    try desk.done("categories create Salary --kind income")
    let income = try desk.run("add expense 5 --account Checking --category Salary")
    #expect(income.errors.contains("“Salary” is an income category"), "\(income.errors)")
  }

  @Test func whatIsUncategorisedIsAsked() throws {
    let desk = try desk()
    try desk.done("add expense 3 --account Checking")
    let run = try desk.run("list --json --category Uncategorised --type expense")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json()["transactions"].array.count == 1)
  }
}
