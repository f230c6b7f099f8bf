// Goal: whoever locks rows or days is told what is locked and what is not; pending rows are not locked unasked; and
// rates that change what closed days are worth say so. Method: the built command is run on a small ledger whose
// figures are known by hand.
import Foundation
import Testing

@Suite struct LockingTests {
  private func desk() throws -> Desk {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking --currency EUR --opening 1000")
    try desk.done("accounts create Dollars --currency USD --opening 50")
    try desk.done("add expense 15 --account Checking --on 2026-01-10")
    try desk.done("add expense 9 --account Checking --on 2026-01-20 --status pending")
    try desk.done("add expense 7 --account Dollars --on 2026-01-12")
    return desk
  }

  private func statuses(_ desk: Desk) throws -> [String] {
    try desk.done("list --account Checking --json").json()["transactions"].array
      .compactMap { $0["status"].string }
  }

  @Test func pendingRowsAreLeftOut() throws {
    let desk = try desk()
    let run = try desk.done("reconcile --account Checking --through 2026-01-31")
    #expect(
      run.output
        == "Reconciled 1 transaction of Checking through 2026-01-31. Its account, day and amount are "
        + "locked. Skipped 1 pending transaction; to lock it too, add --pending.\n")
    #expect(try statuses(desk) == ["pending", "reconciled"])
    let again = try desk.done("reconcile --account Checking --json").json()
    #expect(again["count"].int == 0 && again["pendingLeftOut"].int == 1)
    #expect(
      try desk.done("reconcile --account Checking --through 2026-01-31").output
        .hasPrefix(
          "Nothing to reconcile in Checking through 2026-01-31. Skipped 1 pending transaction"))
    let all = try desk.done("reconcile --account Checking --pending --json").json()
    #expect(all["count"].int == 1 && all["pendingLeftOut"].int == 0)
    #expect(try statuses(desk) == ["reconciled", "reconciled"])
    #expect(try desk.done("reconcile --account Checking --undo --json").json()["count"].int == 2)
    #expect(try desk.run("reconcile --account Checking --undo --pending").status == 64)
    #expect(try desk.run("reconcile 2026-01-10#1 --pending").status == 64)
    // A row that is named is meant.
    try desk.done("reconcile 2026-01-20#2")
  }

  /// The bank has not booked what is pending.
  @Test func theStatementIsWithoutPendingRows() throws {
    let desk = try desk()
    let statement = "reconcile --account Checking --through 2026-01-31 --balance"
    let wrong = try desk.run("\(statement) 976")
    #expect(wrong.status == 1)
    #expect(
      wrong.errors.contains(
        "Checking on 2026-01-31 without 1 pending transaction of -9.00 EUR is 985.00 EUR, not 976.00 EUR"
      ),
      "\(wrong.errors)")
    #expect(wrong.errors.contains("--pending"))
    #expect(try statuses(desk) == ["pending", "cleared"])
    try desk.done("\(statement) 985")
    #expect(try statuses(desk) == ["pending", "reconciled"])
    #expect(try desk.run("\(statement) 985 --pending").status == 1)
    try desk.done("\(statement) 976 --pending")
    #expect(try statuses(desk) == ["reconciled", "reconciled"])
  }

  @Test func closingSaysWhatIsLocked() throws {
    let desk = try desk()
    let run = try desk.done("close --through 2026-01-15")
    #expect(
      run.output.contains("Locked the days, accounts, categories and amounts of 2 transactions."))
    #expect(run.output.contains("Notes, payees, tags and exchange rates can still change."))
    #expect(try desk.done("close --through 2026-01-31 --json").json()["count"].int == 3)
    // As it says.
    #expect(try desk.run("edit 2026-01-10#1 --amount 3").status == 1)
    #expect(try desk.run("delete 2026-01-10#1").status == 1)
    try desk.done("edit 2026-01-10#1 --note fine --payee Rewe")
  }

  private static let warning = "Warning: the books are closed through 2026-01-31, and totals in "

  @Test func ratesThatChangeClosedDaysSaySo() throws {
    let desk = try desk()
    try desk.done("rate add USD EUR 0.8 --on 2026-01-01")
    try desk.done("close --through 2026-01-31")
    let added = try desk.done("rate add USD EUR 0.9 --on 2026-01-20")
    #expect(
      added.errors.hasPrefix(
        "\(Self.warning)EUR changed for 12 days from 2026-01-20 to 2026-01-31."),
      "\(added.errors)")
    let oneDay = try desk.done("rate add USD EUR 0.95 --on 2026-01-19")
    #expect(
      oneDay.errors.hasPrefix("\(Self.warning)EUR changed for 2026-01-19."), "\(oneDay.errors)")
    let changed = try desk.done("rate add USD EUR 0.7 --on 2026-01-20 --json")
    #expect(changed.errors.isEmpty)
    let days = try changed.json()["closedChanged"]
    #expect(days["count"].int == 12 && days["start"].string == "2026-01-20")
    #expect(days["end"].string == "2026-02-01")
    let removed = try desk.done("rate remove USD EUR --on 2026-01-20")
    #expect(removed.errors.hasPrefix("\(Self.warning)EUR changed for 12 days"), "\(removed.errors)")
    try desk.done("undo")
  }

  @Test func ratesThatChangeNothingClosedAreQuiet() throws {
    let desk = try desk()
    try desk.done("rate add USD EUR 0.8 --on 2026-01-01")
    // Nothing is closed yet.
    #expect(try desk.done("rate add USD EUR 0.8 --on 2026-01-02").errors.isEmpty)
    try desk.done("close --through 2026-01-31")
    for rate in [
      // Later, the same again, of a currency that nobody has, and in force nowhere.
      "USD EUR 0.9 --on 2026-02-01", "USD EUR 0.8 --on 2026-01-15", "CHF EUR 1 --on 2026-01-15",
      "USD EUR 0.3 --on 2025-12-01",
    ] {
      let run = try desk.done("rate add \(rate)")
      #expect(run.errors.isEmpty, "\(rate): \(run.errors)")
      #expect(try desk.done("rate add \(rate) --json").json()["closedChanged"].value == nil)
    }
  }

  @Test func importedRatesSaySo() throws {
    let desk = try desk()
    try desk.done("close --through 2026-01-31")
    let file = try desk.write("ecb.csv", "Date,USD,\n2026-02-02,1.2,\n2026-01-30,1.1,\n")
    let run = try desk.done("rate import \(file)")
    #expect(
      run.errors.hasPrefix("\(Self.warning)EUR changed for 2 days from 2026-01-30 to 2026-01-31"),
      "\(run.errors)")
    #expect(try desk.done("rate import \(file)").errors.isEmpty)
    let json = try desk.done("rate import \(file) --since 2026-02-01 --json").json()
    #expect(json["closedChanged"].value == nil)
  }
}
