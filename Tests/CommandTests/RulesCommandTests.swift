// Goal: rules are kept, previewed and applied by commands. Method: as for the everyday commands.
import Foundation
import Testing

@Suite struct RulesCommandTests {
  @Test func rulesPutRowsWhereTheySay() throws {
    let desk = try EverydayTests.household()
    try desk.done("add expense 10 --account Cash --payee UBER --on 2026-02-14")
    try desk.done("categories create Transport")
    #expect(try desk.done("rules").output.contains("No rules"))
    try desk.done("rules add Rides --contains uber --category Transport --least 5")
    let rules = try desk.done("rules list --json").json()["rules"].array
    #expect(rules[0]["category"].string == "Transport")
    let rows = try desk.done("rules preview --json").json()["rows"].array
    #expect(rows.count == 1)
    #expect(try desk.done("rules apply --json").json()["rows"].int == 1)
    #expect(try desk.done("rules apply").output.contains("change nothing"))
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
}
