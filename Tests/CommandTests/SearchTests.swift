// Goal: a person finds a row by what is left of it in memory. Method: the built command is run on a
// small ledger.
import Foundation
import Testing

@Suite struct SearchCommandTests {
  private func household() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR")
    try desk.done("accounts create Cash --currency EUR")
    try desk.done("categories create Coffee")
    try desk.done("categories create Rent")
    try desk.done(
      "add expense 3 --account Checking --category Coffee --on 2026-02-01 --payee Café_Zürich")
    try desk.done(
      "add expense 900 --account Checking --category Rent --on 2026-02-02 --note straße")
    try desk.done("add expense 4 --account Cash --category Coffee --on 2026-02-03 --payee Bar")
    return desk
  }

  private func days(_ desk: Desk, _ command: String) throws -> [String] {
    try desk.done(command + " --json").json()["transactions"].array.compactMap { $0["day"].string }
  }

  @Test func findsByAnyText() throws {
    let desk = try household()
    #expect(try days(desk, "search cafe") == ["2026-02-01"])
    #expect(try days(desk, "search ZURICH") == ["2026-02-01"])
    #expect(try days(desk, "search STRASSE") == ["2026-02-02"])
    #expect(try days(desk, "search coff") == ["2026-02-03", "2026-02-01"])
    #expect(try days(desk, "search coff --account cash") == ["2026-02-03"])
    #expect(try days(desk, "search coff --limit 1") == ["2026-02-03"])
    #expect(try days(desk, "search coff --after 2026-02-03#3") == ["2026-02-01"])
    #expect(try days(desk, "search coff --through 2026-02-02") == ["2026-02-01"])
    #expect(try desk.done("search nowhere").output == "No transactions match.\n")
    #expect(try desk.done("search coff --count").output == "2\n")
    #expect(try desk.done("search coff --limit 1").output.contains("--after 2026-02-03#3"))
  }

  @Test func wrongUseIsRefused() throws {
    let desk = try household()
    #expect(try desk.run("search").status == 64)
    #expect(try desk.run("search x --text y").status == 64)
    #expect(try desk.run("search x --limit -1").status == 64)
    #expect(try desk.run("search x --after yesterday").status == 64)
  }
}
