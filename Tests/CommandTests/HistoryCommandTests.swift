// Goal: history is shown, taken back, let go of and erased by commands, and proven against an anchor.
// Method: as for the everyday commands, on the same ledger; figures are known by hand.
import Daybook
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
    let postings = try desk.done("history --json --limit 1").named()["commits"][0]["changes"][0][
      "properties"
    ]["postings"]
    func amounts(_ side: Node) -> [String] {
      side.array.map {
        "\($0["account"].string ?? $0["category"].string ?? "") \($0["amount"].string ?? "")"
      }
    }
    #expect(amounts(postings["before"]) == ["Checking -9.50", "Food 9.50"])
    #expect(amounts(postings["after"]) == ["Checking -12.50", "Food 12.50"])
    let entry: HistoryEntry = try commits[0].decoded()
    #expect(entry.changes[0].kind == .transaction && entry.changes[0].operation == .update)
    #expect(entry.header.source == "daybook" && UInt64(entry.sequence) == 13)
    #expect(try balances(desk)["Checking"] == "2857.00")
    let before = try desk.done("balance --json --today 2026-02-15 --as-of 12").json()
    #expect(
      before["balances"].array.first { $0["account"]["name"].string == "Checking" }?["balance"][
        "amount"
      ].string == "2860.00")
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
    #expect(try desk.done("purge --json").json()["commitCount"].int == 9)
    #expect(try balances(desk) == before)
    #expect(try desk.done("history --limit 1").output.contains("purged history through commit 9"))
    #expect(try desk.run("list --as-of 3").status != 0)
    #expect(try desk.run("undo 3").status != 0)
    try desk.done("verify")
  }

  @Test func maintenanceDoesWhatIsDueAndErasingAsksFirst() throws {
    let desk = try household()
    #expect(try desk.done("maintain").output.contains("keeps all history"))
    try desk.done("retention --keep-commits 2")
    let done = try desk.done("maintain --compact-above 0 --json").json()
    #expect(done["purged"].int == 10)
    #expect(try done["verified"].decoded(as: VerifyReport.self).isSound)
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
