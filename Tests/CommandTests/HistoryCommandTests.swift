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

  /// The lines that describe the newest commit.
  private func newest(_ desk: Desk, _ count: Int = 1) throws -> [String] {
    try desk.done("history --limit \(count)").lines.filter { $0.hasPrefix("  ") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func historyHasNamesAndValues() throws {
    let desk = try household()
    try desk.done("opening Cash 20 --on 2026-01-01")
    let opening = try newest(desk)
    #expect(opening.first == "~ account Cash")
    #expect(opening.contains { $0.hasPrefix("opening balance: ") && $0.hasSuffix("20.00 EUR") })
    try desk.done("budget add Fun 50 --category Food --start 2026-02-01 --today 2026-02-15")
    #expect(
      try newest(desk) == [
        "+ budget Fun", "name: “Fun”", "categories: Food", "amount: 50.00 EUR",
        "period: every month", "start: 2026-02-01",
      ])
    try desk.done("budget set Fun 80 --from 2026-03-01 --today 2026-02-15")
    #expect(
      try newest(desk) == ["~ budget Fun", "later amounts: 80.00 EUR from 2026-03-01"])
    try desk.done("rules add Rewe --contains rewe --category Food --tag fun")
    #expect(try newest(desk).contains("conditions: text contains “rewe”"))
    try desk.done(
      "recurring add Rent expense 850 --account Checking --category Food --from 2026-02-02 "
        + "--today 2026-02-01")
    #expect(try newest(desk).contains("schedule: every month"))
    let generated = try desk.done("recurring generate --today 2026-02-15").lines
    #expect(
      generated.first?.hasSuffix(": Checking, -850.00 EUR, Food, Rent") == true, "\(generated)")
    let recorded = try newest(desk)
    #expect(recorded.first?.hasPrefix("+ transaction 2026-02-02#") == true, "\(recorded)")
    #expect(recorded.first?.hasSuffix(", Rent") == true, "\(recorded)")
    #expect(recorded.contains("postings: Checking -850.00 EUR, Food 850.00 EUR"))
    #expect(recorded.contains("recurring transaction: Rent"))
    try desk.done("recurring stop Rent --today 2026-02-15")
    #expect(try newest(desk).contains("last day: 2026-02-15"))
    try desk.done("settings --first-weekday sunday")
    #expect(try newest(desk) == ["~ settings", "first day of the week: sunday"])
    try desk.done("rate add EUR USD 1.3 --on 2026-02-14")
    #expect(try newest(desk).first == "+ exchange rate EUR/USD, 2026-02-14")
  }

  @Test func deletedEntitiesKeepTheirNamesInHistory() throws {
    let desk = try household()
    try desk.done("budget add Fun 50 --start 2026-02-01 --today 2026-02-15")
    try desk.done("budget set Fun 80 --from 2026-03-01 --today 2026-02-15")
    try desk.done("budget delete Fun")
    try desk.done(
      "recurring add Gym expense 20 --account Checking --from 2026-02-20 --today 2026-02-15")
    try desk.done("recurring remove Gym")
    try desk.done("delete 2026-02-14#3")
    let all = try desk.done("history --limit 100").output
    #expect(!all.contains(/[0-9a-f]{8}-[0-9a-f]{4}-/), "\(all)")
    #expect(!all.contains(/\([0-9]+ bytes\)/), "\(all)")
    #expect(all.contains("- budget Fun") && all.contains("~ budget Fun"))
    #expect(all.contains("later amounts: 80.00 EUR from 2026-03-01"))
    #expect(all.contains("- recurring transaction Gym"))
    #expect(all.contains("- transaction 2026-02-14#3"))
    let table = try desk.done("history --limit 100 --output csv").output
    #expect(!table.contains(/\([0-9]+ bytes\)/), "\(table)")
  }
}
