// Goal: history is shown, taken back, let go of and erased by commands, and proven against an anchor.
// Method: as for the everyday commands, on the same ledger; figures are known by hand.
import Foundation
import Testing

@Suite struct HistoryCommandTests {
  private func household() throws -> Desk { try EverydayTests.household() }

  private func balances(_ desk: Desk) throws -> [String: String] {
    try EverydayTests.balances(desk)
  }

  @Test func historyIsShownAndTakenBack() throws {
    let desk = try household()
    try desk.done("edit 2026-02-14#3 --amount 12.50")
    let commits = try desk.done("history --json --limit 1").json()["commits"].array
    let property = commits[0]["changes"].array[0]["properties"].array[0]
    #expect(property["name"].string == "postings")
    #expect(property["before"].string == "Checking -9.50 EUR, Food 9.50 EUR")
    #expect(property["after"].string == "Checking -12.50 EUR, Food 12.50 EUR")
    #expect(try balances(desk)["Checking"] == "2857.00")
    let before = try desk.done("balance --json --today 2026-02-15 --as-of 12").json()
    #expect(
      before["accounts"].array.first { $0["name"].string == "Checking" }?["amount"].string
        == "2860.00")
    try desk.done("undo")
    #expect(try balances(desk)["Checking"] == "2860.00")
    try desk.done("delete 2026-02-14#3")
    let shown = try desk.done("history --json --limit 1").json()["commits"].array
    try desk.done("undelete \(shown[0]["changes"].array[0]["id"].string ?? "")")
    #expect(try balances(desk)["Checking"] == "2860.00")
    #expect(try desk.run("undo 2").status == 1)
    #expect(try desk.run("undo 999").status == 1)
  }

  @Test func oldHistoryIsLetGoOf() throws {
    let desk = try household()
    let before = try balances(desk)
    #expect(try desk.run("purge").status == 1)
    try desk.done("retention --keep-commits 3")
    let rehearsal = try desk.done("purge --dry-run --json").json()
    #expect(rehearsal["floor"].int == 9)
    #expect(try desk.done("purge --json").json()["commits"].int == 9)
    #expect(try balances(desk) == before)
    #expect(try desk.done("history --limit 1").output.contains("begins after commit 9"))
    #expect(try desk.run("list --as-of 3").status != 0)
    #expect(try desk.run("undo 3").status != 0)
    try desk.done("verify")
  }

  @Test func maintenanceDoesWhatIsDueAndErasingAsksFirst() throws {
    let desk = try household()
    #expect(try desk.done("maintain").output.contains("keeps everything"))
    try desk.done("retention --keep-commits 2")
    let done = try desk.done("maintain --compact-above 0 --json").json()
    #expect(done["purged"].int == 10)
    #expect(done["findings"].array.isEmpty)
    #expect(try desk.done("erase Cash").output.contains("--yes"))
    #expect(try balances(desk)["Cash"] == "100.00")
    try desk.done("erase Cash --kind account --yes")
    #expect(try balances(desk)["Cash"] == nil)
    #expect(try desk.done("history --limit 2").output.contains("erased"))
    try desk.done("verify")
  }

  @Test func anAnchorKeptElsewhereShowsACutEnd() throws {
    let desk = try household()
    try desk.done("backup copy.daybook")
    try desk.done("add expense 1 --account Cash --category Food --on 2026-02-14")
    try desk.done("verify --anchor anchor.txt")
    try desk.done("verify --anchor anchor.txt")
    let cut = try desk.run("verify --ledger copy.daybook --anchor anchor.txt")
    #expect(cut.status == 2)
    #expect(cut.output.contains("cut off"))
  }
}
