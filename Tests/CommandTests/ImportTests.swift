// Goal: a bank's file lands whole or not at all, comes once however often it is imported, and what is
// wrong with it is named by line. Method: files written here and the sample household are imported by
// the built command.
import Foundation
import Testing

@Suite struct ImportTests {
  private static let bank = """
    Date;Text;Amount;Balance
    03.02.2026;Rewe, Markt;-30,50;969,50
    04.02.2026;Salary;2.000,00;2969,50
    04.02.2026;Kiosk;-1,20;2968,30
    04.02.2026;Kiosk;-1,20;2967,10

    """
  private static let flags = [
    "--delimiter", ";", "--date-column", "Date", "--date-format", "dd.MM.yyyy",
    "--amount-column", "Amount", "--decimal", ",", "--currency", "EUR", "--account", "Checking",
    "--description", "{Text}",
  ]

  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    return desk
  }

  private func balance(_ desk: Desk, _ account: String) throws -> String? {
    try desk.run(["balance", account, "--json", "--today", "2026-02-15"]).json()["balances"][0][
      "balance"][
        "amount"
      ]
      .string
  }

  @Test func aFileKeepsItsNameInAComplaint() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Cash")
    try desk.done("close --through 2025-12-31")
    _ = try desk.write("statement.csv", "day,sum\n2025-12-31,-5\n2026-01-40,1\n")
    let run = try desk.run(
      "import statement.csv --date-column day --amount-column sum --currency EUR --account Cash")
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("Error: statement.csv: line 2: "), "\(run.errors)")
    #expect(run.errors.contains(". Correct the row."), "\(run.errors)")
  }

  @Test func theSameFileAddsNothingTwice() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.bank)
    let first = try desk.run(["import", file, "--json"] + Self.flags).json()
    #expect(first["imported"].int == 4)
    #expect(first["duplicates"].int == 0)
    #expect(first["createdAccounts"].strings == ["Checking"])
    #expect(try balance(desk, "Checking") == "1967.10")
    let again = try desk.run(["import", file, "--json"] + Self.flags).json()
    #expect(again["imported"].int == 0)
    #expect(again["duplicates"].int == 4)
    let more = try desk.write("more.csv", Self.bank + "05.02.2026;Kiosk;-1,20;2965,90\n")
    #expect(try desk.run(["import", more, "--json"] + Self.flags).json()["imported"].int == 1)
    #expect(try balance(desk, "Checking") == "1965.90")
  }

  @Test func aPreviewGuessesAndRecordsNothing() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.bank)
    let preview = try desk.run(["import", file, "--preview", "--account", "Checking", "--json"])
    let node = try preview.json()
    #expect(node["rowCount"].int == 4)
    #expect(
      node["rows"].array.map { $0["amount"].string } == ["-30.50", "2000.00", "-1.20", "-1.20"])
    #expect(node["mapping"]["date"]["format"].string?.hasSuffix(".yyyy") == true)
    #expect(try desk.done("list --json").json()["count"].int == 0)
    let saved = try desk.run([
      "import", file, "--preview", "--account", "Checking", "--save-mapping", "bank.json",
    ])
    #expect(saved.status == 0, "\(saved.errors)")
    let run = try desk.run(["import", file, "--mapping", "bank.json", "--json"])
    #expect(try run.json()["imported"].int == 4)
    #expect(try balance(desk, "Checking") == "1967.10")
  }

  @Test func withoutAMappingNothingIsAssumed() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.bank)
    let run = try desk.run(["import", file])
    #expect(run.status == 64)
    #expect(run.errors.contains("--preview"))
    #expect(try desk.run(["import", file, "--guess", "--account", "Checking"]).status == 0)
    #expect(try balance(desk, "Checking") == "1967.10")
  }

  @Test func oneBadLineRefusesTheFileAndAllAreNamed() throws {
    let desk = try desk()
    let file = try desk.write(
      "bank.csv", Self.bank + "31.02.2026;No such day;-1,00;0\n05.02.2026;Words;lots;0\n")
    let run = try desk.run(["import", file] + Self.flags)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("line 6"))
    #expect(run.errors.contains("line 7"))
    #expect(try desk.done("list --json").json()["count"].int == 0)
    #expect(try desk.done("accounts list --json").json()["accounts"].array.isEmpty)
    let skipped = try desk.run(["import", file, "--skip-bad", "--json"] + Self.flags).json()
    #expect(skipped["imported"].int == 4)
    #expect(skipped["skipped"].strings.count == 2)
  }

  @Test func aRehearsalAndAStrictImportRecordNothing() throws {
    let desk = try desk()
    let file = try desk.write("bank.csv", Self.bank)
    let rehearsal = try desk.run(["import", file, "--dry-run", "--json"] + Self.flags).json()
    #expect(rehearsal["imported"].int == 4)
    #expect(rehearsal["createdAccounts"].strings == ["Checking"])
    let strict = try desk.run(["import", file, "--no-create"] + Self.flags)
    #expect(strict.status == 1, "\(strict.errors)")
    #expect(strict.errors.contains("Checking"))
    #expect(try desk.done("accounts list --json").json()["accounts"].array.isEmpty)
    #expect(try desk.done("list --json").json()["count"].int == 0)
  }

  @Test func theBanksBalanceIsCheckedAndNotTrusted() throws {
    let desk = try desk()
    let file = try desk.write(
      "bank.csv", Self.bank.replacingOccurrences(of: "2968,30", with: "2960,30"))
    let run = try desk.run(["import", file, "--balance-column", "Balance", "--json"] + Self.flags)
    #expect(run.status == 0, "\(run.errors)")
    let node = try run.json()
    #expect(node["imported"].int == 4)
    #expect(node["balances"].strings.contains { $0.contains("line 4") }, "\(run.output)")
  }

  @Test func filesThatAreNotThereOrNotText() throws {
    let desk = try desk()
    #expect(try desk.run("import nothing.csv --guess").status == 66)
    #expect(try desk.run("import nothing.csv --preview").status == 66)
    let path = "\(desk.folder)/binary.csv"
    try Data((0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }).write(
      to: URL(fileURLWithPath: path))
    let run = try desk.run(["import", path, "--guess"])
    #expect(run.status != 0)
    #expect(!run.errors.isEmpty)
    let bad = try desk.write("mapping.json", #"{"date": {"column": "Date"}, "colour": "red"}"#)
    let file = try desk.write("bank.csv", Self.bank)
    let mapping = try desk.run(["import", file, "--mapping", bad])
    #expect(mapping.status == 64, "\(mapping.errors)")
    #expect(mapping.errors.contains("colour"))
  }

  @Test func theSampleHouseholdImports() throws {
    let desk = try desk()
    try desk.done("sample sample --count 1500 --years 2 --through 2026-02-15")
    try desk.done("accounts create Checking --currency EUR --opening 100000")
    try desk.run(["accounts", "create", "Credit card", "--currency", "EUR", "--kind", "liability"])
    let rates = try desk.done("rate import sample/rates.csv --json").json()
    #expect(rates["imported"].int ?? 0 > 1000)
    let first = try desk.done(
      "import sample/household.csv --mapping sample/mapping.json --json"
    ).json()
    #expect(first["imported"].int == 1500)
    let again = try desk.done(
      "import sample/household.csv --mapping sample/mapping.json --json"
    ).json()
    #expect(again["imported"].int == 0)
    #expect(again["duplicates"].int == 1500)
    #expect(try desk.done("list --count --json").json()["count"].int == 1500)
    let months = try desk.done("months --json --today 2026-02-15").json()["months"].array
    #expect(months.count == 12)
    #expect(months.allSatisfy { $0["totals"]["expense"]["amount"].string?.hasPrefix("0") == false })
    #expect(try desk.done("verify --json").json()["findings"].text == "[]")
  }
}
