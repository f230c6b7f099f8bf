// Goal: rules are kept, previewed and applied by commands. Method: as for the everyday commands.
import Daybook
import Foundation
import Testing

@Suite struct RulesCommandTests {
  @Test func rulesPutRowsWhereTheySay() throws {
    let desk = try EverydayTests.household()
    try desk.done("add expense 10 --account Cash --payee UBER --on 2026-02-14")
    try desk.done("categories create Transport")
    #expect(try desk.done("rules").output.contains("No rules"))
    try desk.done("rules add Rides --contains uber --category Transport --least 5")
    let rules = try desk.done("rules list --json").named()["rules"].array
    #expect(rules[0]["category"].string == "Transport")
    let rows = try desk.done("rules preview --json").json()["rows"].array
    #expect(rows.count == 1)
    #expect(try desk.done("rules apply --json").json()["outcomes"][0]["rows"].int == 1)
    #expect(try desk.done("rules apply").output.contains("No changes"))
    try desk.done("undo")
    #expect(try desk.done("rules preview --json").json()["rows"].array.count == 1)
    // From now on they are applied when rows are recorded.
    try desk.done("add expense 20 --account Cash --payee uber --on 2026-02-15")
    let list = try desk.done("list --category Transport --json").json()["transactions"].array
    #expect(list.count == 1)
    #expect(try desk.run("rules remove Nobody").status == 1)
    try desk.done("rules remove rides")
    #expect(try desk.run("rules add Empty --category Transport").status == 1)
  }

  @Test func anAutomaticChoiceNamesItsRule() throws {
    let desk = try EverydayTests.household()
    try desk.done("add expense 10 --account Cash --payee UBER --on 2026-02-14")
    let place = try #require(
      try desk.done("list --json --limit 1").json()["transactions"][0].place)
    #expect(
      try desk.done("show \(place) --json").json()["transaction"]["categorizedBy"].value == nil)
    #expect(!(try desk.done("show \(place)").output.contains("rule")))
    try desk.done("categories create Transport")
    try desk.done("rules add Rides --contains uber --category Transport")
    let id = try #require(try desk.done("rules list --json").json()["rules"][0]["id"].string)
    let preview = try desk.done("rules preview --json").json()
    let row = try preview["rows"][0].decoded(as: RulePreview.self)
    #expect(row.transaction.categorizedBy == nil)
    #expect(row.ruled.categorizedBy.map { "\($0)" } == id)
    #expect(preview["names"][id].string == "Rides")
    #expect(try desk.done("rules preview").output.contains("rule “Rides”"))
    try desk.done("rules apply")
    #expect(try desk.done("show \(place)").output.contains("rule “Rides”"))
    let list = try desk.done("list --json --limit 1").json()
    #expect(list["transactions"][0]["categorizedBy"].string == id)
    #expect(list["names"][id].string == "Rides")
    let added = try desk.done("add expense 20 --account Cash --payee uber --on 2026-02-15")
    #expect(added.output.contains("Transport (by rule “Rides”)"), "\(added.output)")
    // A rule that has gone is still told from a person.
    try desk.done("rules remove Rides")
    #expect(try desk.done("show \(place)").output.contains("a deleted rule"))
    let left = try desk.done("show \(place) --json").json()
    #expect(left["transaction"]["categorizedBy"].string == id && left["names"][id].value == nil)
    // What a person chooses is a person's.
    try desk.done("edit \(place) --category Food")
    #expect(
      try desk.done("show \(place) --json").json()["transaction"]["categorizedBy"].value == nil)
  }
  @Test func aRuleNamesAPayeeAndMakesATransfer() throws {
    let desk = try Desk()
    try desk.done("init --base EUR")
    for name in ["Checking", "Savings"] { try desk.done("accounts create \(name) --currency EUR") }
    try desk.done("accounts create Dollars --currency USD")
    try desk.done("rules add Plan --contains sparplan --transfer-to Savings --set-payee Broker")
    let bank = try desk.write(
      "bank.csv", "Date,Amount,Payee\n2026-02-02,-50.00,SPARPLAN 1\n2026-02-03,-5.00,Rewe\n")
    let savings = try desk.write(
      "savings.csv", "Date,Amount,Payee\n2026-02-04,50.00,Einzahlung\n")
    try desk.done("import \(bank) --account Checking --guess")
    let rows = try desk.done("list --json").json()["transactions"].array
    #expect(rows.map { $0["type"].string } == ["expense", "transfer"])
    #expect(rows[1]["payee"].string == "Broker")
    #expect(rows[1]["statedPayee"]["payee"].string == "SPARPLAN 1")
    let other = try desk.done("import \(savings) --account Savings --guess --no-inverted")
    #expect(other.output.contains("Completed 1 transfer that a rule made."), "\(other.output)")
    #expect(try desk.done("balance Savings --on 2026-02-28").output.contains("50.00"))
    #expect(try desk.done("list --json").json()["transactions"].array.count == 2)
    let list = try desk.done("rules list").output
    #expect(list.contains("↔ Savings") && list.contains("Broker"), "\(list)")
    for flags in [
      "--contains x --transfer-to Savings --category Food",
      "--contains x --account Savings --transfer-to Savings",
      "--contains x --account Dollars --transfer-to Savings",
    ] {
      let run = try desk.run("rules add Wrong \(flags)")
      #expect(run.status != 0 && !run.errors.isEmpty, "\(flags)")
    }
    try desk.done("rules edit Plan --no-transfer-to --no-set-payee --tag plan")
    let rule = try desk.done("rules list --json").json()["rules"][0]
    #expect(rule["transferAccount"].value == nil && rule["payee"].value == nil)
    try desk.done("verify")
  }
}
