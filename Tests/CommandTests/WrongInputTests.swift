// Goal: whatever is wrong is said in a sentence with a remedy, the exit code is the one documented, and
// nothing is written. Method: the built command is given what is no ledger and commands that can't be
// carried out; the ledger is compared before and after. EveryCommandTests tries every command on missing,
// foreign and damaged ledgers.
import Foundation
import Testing

@Suite struct WrongInputTests {
  @Test func aFileIsNoLedger() throws {
    let desk = try Desk()
    _ = try desk.write("Household.daybook", "text")
    #expect(try desk.run("list").status == 65)
    #expect(try desk.run("init").status == 73)
  }

  @Test func aFileThatIsPackedIsToldAsWhatItIs() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    // The beginning of a zip as Actual exports it, with a byte that is no text in any encoding.
    let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0, 0x81, 0x8D, 0x9D, 0x8F]
    let sizes = [UInt8](repeating: 0, count: 12)
    let zip = head + sizes + [9, 0, 0, 0] + Array("db.sqlite".utf8)
    try Data(zip).write(to: URL(fileURLWithPath: "\(desk.folder)/budget.zip"))
    let run = try desk.run("import budget.zip")
    #expect(run.status == 65 && run.errors.contains("The zip has no list"), "\(run.errors)")
  }

  @Test(arguments: [
    "add expense", "add expense 1 --to Cash", "add transfer 1", "list --limit -1", "frobnicate",
    "list --offset 1 --after 2026-01-01#1", "list --after nonsense", "list --type gift",
    "list --month 2026-13", "list --from 2026-02-30", "list --from 2026-02-02 --through 2026-02-01",
    "months --count 0", "accounts delete Cash", "accounts create", "opening Cash",
    "categories move Food", "rate add EUR USD zero", "rate add EUR USD 0", "reconcile",
    "balance --on yesteryear", "edit 2026-01-01#1",
  ])
  func whatIsNotUnderstoodIsUsage(command: String) throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    let run = try desk.run(command)
    #expect(run.status == 64, "\(run.status) \(run.output) \(run.errors)")
    #expect(!run.errors.isEmpty)
  }

  @Test(arguments: [
    ("add expense 1 --account Csh --category Food", "Did you mean “Cash”?"),
    ("add expense 1 --account Cash --category Fod", "Did you mean “Food”?"),
    ("add expense -- -1 --account Cash", ""),
    ("add transfer 0 --account Cash --to Bank", ""),
    ("add transfer 5 --account Cash --to Cash", ""),
    ("add expense 1 --account Cash --on 0000-00-00", ""),
    ("balance --base XXQ", "ISO 4217"),
    ("categories create Food", "Food"),
    ("accounts create cash", "Cash"),
    ("categories move Food --below Groceries", ""),
    ("show 2026-02-14#99", "Couldn't find the transaction"),
  ])
  func refusalsSayWhy(command: String, words: String) throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    for name in ["Cash", "Bank"] { try desk.done("accounts create \(name)") }
    try desk.done("categories create Food")
    try desk.done("categories create Groceries --parent Food")
    let before = try desk.done("info --json").json()["sequence"].int
    let run = try desk.run(command)
    #expect(run.status == 1 || run.status == 64, "\(run.status) \(run.output)")
    #expect(!run.errors.isEmpty && (words.isEmpty || run.errors.contains(words)), "\(run.errors)")
    #expect(try desk.done("info --json").json()["sequence"].int == before)
  }

  @Test(arguments: ["1e3", "12,5", "1.234.5", "12.345", "99999999999999999999", ""])
  func amountsThatAreNone(amount: String) throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    let run = try desk.run(["add", "expense", amount, "--account", "Cash"])
    #expect(run.status == 64, "\(run.status) \(run.errors)")
    #expect(try desk.done("list --json").json()["count"].int == 0)
  }

  @Test func aSumThatOverflowsIsRefused() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    try desk.done("categories create A")
    let part = "A=92233720368547758.07"
    let run = try desk.run("add expense --account Cash --part \(part) --part \(part)")
    #expect(run.status == 1, "\(run.status) \(run.errors)")
    #expect(try desk.done("list --json").json()["count"].int == 0)
  }

  @Test func initDoesNotTouchWhatIsThere() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    #expect(try desk.run("init --base USD").status == 73)
    #expect(try desk.done("settings --json").json()["settings"]["baseCurrency"].string == "EUR")
    #expect(try desk.run("init --ledger nowhere/at/all.daybook").status != 0)
    #expect(try desk.run("init --ledger other --base XYZ").status == 64)
    #expect(!FileManager.default.fileExists(atPath: desk.folder + "/other"))
  }

  @Test func errorsAreJSONWhereAskedFor() throws {
    let desk = try Desk()
    let missing = try desk.run("list --json")
    #expect(missing.status == 66)
    #expect(try missing.error()["code"].string == "missing")
    #expect(try missing.error()["exitCode"].int == 66)
    try desk.done("init --base EUR")
    let unknown = try desk.run("balance Nobody --json")
    #expect(try unknown.error().names == ["code", "message", "remedy", "details", "exitCode"])
    #expect(try unknown.error()["code"].string == "notFound")
  }

  @Test func theLedgerCanBeNamedInThreeWays() throws {
    let desk = try Desk()
    try desk.done("init --ledger a.daybook --base EUR")
    let environment = ["DAYBOOK_LEDGER": "a.daybook"]
    #expect(try desk.run("settings --json", environment: environment).status == 0)
    #expect(try desk.run("settings", environment: ["DAYBOOK_LEDGER": "b"]).status == 66)
    #expect(
      try desk.run("settings --ledger a.daybook", environment: ["DAYBOOK_LEDGER": "b"]).status == 0)
  }
}
