// Goal: a negative amount is taken for a number where one makes sense, and elsewhere the answer is about its sign,
// with what to type instead; an amount of 0 records nothing. Method: the built command is run with amounts as people
// write them.
import Foundation
import Testing

@Suite struct AmountSignTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Card --kind liability --currency EUR")
    try desk.done("accounts create Cash --currency EUR")
    return desk
  }

  @Test func whatAnAccountHoldsMayBeNegative() throws {
    let desk = try desk()
    func opening() throws -> String? {
      let accounts = try desk.done("accounts list --json").json()["accounts"]
      return accounts[0]["account"]["opening"]["amount"].string
    }
    try desk.done("opening Card -50 --on 2026-01-01")
    #expect(try opening() == "-50.00")
    try desk.done("opening Card -.5")
    #expect(try opening() == "-0.50")
    // Wherever it stands, and by the flag.
    for words in [
      "Card -8200 --on 2026-01-31 --json", "--json Card --on 2026-01-31 -8200",
      "Card --owed 8200 --json",
    ] {
      let stated = try desk.done("assertions add \(words)").json()
      #expect(stated["assertion"]["balance"]["amount"].string == "-8200.00", "\(words)")
    }
    let twice = try desk.run("opening Card --owed -5")
    #expect(twice.status == 64 && twice.errors.contains("can't be negative"), "\(twice.errors)")
    try desk.done("opening Card --owed 0")
  }

  @Test(arguments: [
    ("expense -5 --account Cash", "add refund 5"), ("expense -5", "add income 5"),
    ("expense -5,50 --account Cash", "-5,50"), ("income -5 --account Cash", "add expense 5"),
    ("refund -5.50 --account Cash", "add expense 5.50"),
    ("transfer -5 --account Cash --to Card", "swap --account and --to"),
  ])
  func whatIsRecordedHasNoSign(_ words: String, _ remedy: String) throws {
    let desk = try desk()
    let run = try desk.run("add \(words)")
    #expect(run.status == 64 && run.errors.contains(remedy), "\(run.errors)")
    #expect(!run.errors.contains("nknown option"))
    #expect(try desk.done("list --count").output == "0\n")
    let error = try desk.run("add \(words) --json").error()
    #expect(error["code"].string == "amount")
  }

  @Test func nothingIsNoAmount() throws {
    let desk = try desk()
    for words in ["expense 0 --account Cash", "income 0.00", "transfer 0 --account Cash --to Card"]
    {
      let run = try desk.run("add \(words)")
      #expect(run.status == 64 && run.errors.contains("can't be 0"), "\(run.errors)")
    }
    #expect(try desk.done("list --count").output == "0\n")
    // A file's rows are kept as they are.
    _ = try desk.write("bank.csv", "Date,Amount\n2026-02-14,0.00\n")
    try desk.done("import bank.csv --guess --account Cash --no-inverted")
    #expect(try desk.done("list --count").output == "1\n")
  }

  @Test func numbersBehindOptionsAreTheirs() throws {
    let desk = try desk()
    try desk.done("add expense 5 --account Cash --note -3 --on 2026-01-02")
    #expect(
      try desk.done("list --json").json()["transactions"][0]["note"].string == "-3")
    let limit = try desk.run("list --limit -5")
    #expect(limit.status == 64 && limit.errors.contains("--limit must be"), "\(limit.errors)")
    // What else is wrong is told as ever.
    let unknown = try desk.run("opening Card -5 --on soon")
    #expect(unknown.status == 64 && unknown.errors.contains("--on"), "\(unknown.errors)")
    #expect(try desk.run("opening Card -- -7").status == 0)
  }

  @Test func whatIsRecordedReadsWell() throws {
    let desk = try desk()
    let without = try desk.done("add expense 5 --on 2026-01-02").output
    #expect(without == "Recorded 2026-01-02#1: -5.00 EUR, Uncategorised\n")
    #expect(
      try desk.done("add expense 5 --account Cash --on 2026-01-02").output
        == "Recorded 2026-01-02#2: Cash, -5.00 EUR, Uncategorised\n")
    #expect(
      try desk.done("add transfer 5 --account Cash --to Card --on 2026-01-02").output
        == "Recorded 2026-01-02#3: Cash → Card, 5.00 EUR\n")
  }

  @Test func aWeekdayIsANameAndListsAreCounted() throws {
    let desk = try Desk()
    let made = try desk.done("init --base EUR --first-weekday sunday --json").json()
    for answer in [
      made, try desk.done("info --json").json(), try desk.done("settings --json").json(),
    ] {
      #expect(answer["settings"]["firstWeekday"].string == "sunday")
    }
    for day in 1...3 { try desk.done("add expense 5 --payee Rewe --on 2026-01-0\(day)") }
    for line in ["search rewe", "list --text rewe", "list"] {
      #expect(try desk.done("\(line) --limit 2 --json").json()["count"].int == 3, "\(line)")
      #expect(try desk.done("\(line) --limit 2").output.contains("2 transactions of 3"), "\(line)")
    }
  }
}
