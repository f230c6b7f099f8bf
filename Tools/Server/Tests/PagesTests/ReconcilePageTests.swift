// Goal: a statement is held against rows until nothing is left, however many there are. Method: forms are sent as a
// browser without scripts sends them.
import Daybook
import Foundation
import Testing

@testable import Pages

@Suite struct ReconcilePageTests {
  /// What a page's form sends: its hidden fields, its day, and the rows that are ticked.
  private func sent(_ page: String) -> [(String, String)] {
    let form = page.components(separatedBy: "class=\"card reconcile\"").last ?? ""
    let hidden = form.matches(of: /type="hidden" name="([^"]*)" value="([^"]*)"/)
      .map { (String($0.1), String($0.2)) }
    let day = form.firstMatch(of: /name="day" value="([^"]*)"/).map { ("day", String($0.1)) }
    return hidden + [day].compactMap { $0 } + ticked(page).map { ("row", $0) }
  }

  private func ticked(_ page: String) -> [String] {
    page.matches(of: /name="row" value="([^"]*)"[^>]* checked/).map { String($0.1) }
  }

  private func shown(_ page: String) -> Int { page.split(separator: "name=\"row\"").count - 1 }

  @Test func whatIsClearedCountsAndIsReconciledWhenNothingIsLeft() async throws {
    let (ledger, account, category) = try await household()
    func expense(_ cents: Int64, _ status: Status) -> Command {
      .record(
        .expense(
          Money(cents, .eur), from: account, category: category, on: today, status: status))
    }
    let rows = try await ledger.append([
      expense(5_00, .cleared), expense(7_00, .cleared), expense(9_00, .pending),
    ]).transactions
    let asked = Asked(ledger)
    let path = "/reconcile/\(account)"
    let first = await asked.get(path).text
    #expect(Set(ticked(first)) == ["\(rows[0])", "\(rows[1])"], "what is pending doesn’t count")
    let open = await asked.post(path, sent(first) + [("statement", "-5.00")]).text
    #expect(open.contains(">€7.00<") && open.contains("value=\"record\" hidden"))
    let unticked = sent(open).filter { $0.1 != "\(rows[1])" } + [("statement", "-5.00")]
    let even = await asked.post(path, unticked).text
    #expect(even.contains("value=\"record\">") && ticked(even) == ["\(rows[0])"])
    // Nothing is reconciled that doesn't add up to the statement, whatever the browser counted.
    let wrong = await asked.post(
      path, sent(first) + [("statement", "-5.00"), ("do", "record")])
    #expect(wrong.status == 200 && wrong.text.contains(">€7.00<"))
    #expect(await asked.post(path, unticked + [("do", "record")]).status == 303)
    let statuses = try ledger.read { snapshot in
      try rows.map { try snapshot.transaction($0)?.status }
    }
    #expect(statuses == [.reconciled, .cleared, .pending])
  }

  // Peers counted reconciled rows of the same period twice, or not at all.
  @Test func aSecondStatementOfTheSameDayStartsFromTheFirst() async throws {
    let (ledger, account, category) = try await household()
    let first = try await ledger.append([
      .record(.expense(Money(2_50, .eur), from: account, category: category, on: today))
    ]).transactions
    try await ledger.append(.reconcile(first))
    try await ledger.append(
      .record(.expense(Money(20_00, .eur), from: account, category: category, on: today)))
    let asked = Asked(ledger)
    let page = await asked.get("/reconcile/\(account)", [("statement", "-22.50")]).text
    #expect(shown(page) == 1 && page.contains(">€0.00<") && page.contains("value=\"record\">"))
    #expect(page.contains("Reconciled through Feb 15, 2026: ") && page.contains(">-€2.50<"))
  }

  @Test func aLongAccountOpensOnItsNewestRowsSinceTheLastReconciledDay() async throws {
    let (ledger, account, category) = try await household()
    func expenses(_ count: Int, on day: Day, _ status: Status = .cleared) -> [Command] {
      (0..<count).map { _ in
        .record(
          .expense(
            Money(1_00, .eur), from: account, category: category, on: day, status: status))
      }
    }
    let old = try await ledger.append(
      expenses(5_000, on: today.adding(days: -90))
        + expenses(3, on: today.adding(days: -80), .pending)
    ).transactions
    try await ledger.append(.reconcile(Array(old.prefix(5_000))))
    try await ledger.append(expenses(700, on: today.adding(days: -20)))
    let asked = Asked(ledger)
    let path = "/reconcile/\(account)"
    let first = await asked.get(path, [("statement", "-5,700.00")]).text
    #expect(shown(first) == 100 && first.utf8.count < 60_000, "\(first.utf8.count)")
    #expect(first.contains("+ 603") && ticked(first).count == 100)
    #expect(first.contains("data-locked=\"-560000\""), "older cleared rows count unseen")
    #expect(first.contains(">€0.00<") && first.contains("value=\"record\">"))
    let form = sent(first) + [("statement", "-5,700.00")]
    let more = await asked.post(path, form + [("rows", "703")]).text
    #expect(shown(more) == 703 && ticked(more).count == 700, "older pending rows are not ticked")
    #expect(await asked.post(path, form + [("do", "record")]).status == 303)
    let left = try ledger.read { try $0.reconciliation(of: account, through: today).rows.count }
    #expect(left == 3)
    #expect(await asked.post(path, [("rows", "x")]).status == 200)
  }

  @Test func theArrowTicksARowAndAllOlderOnes() async throws {
    let (ledger, account, category) = try await household()
    let rows = try await ledger.append(
      (0..<4).map { index in
        .record(
          .expense(
            Money(1_00, .eur), from: account, category: category,
            on: today.adding(days: index - 4)))
      }
    ).transactions
    let asked = Asked(ledger)
    let page = await asked.post("/reconcile/\(account)", [("upto", "\(rows[1])")]).text
    #expect(Set(ticked(page)) == ["\(rows[0])", "\(rows[1])"])
  }

  @Test func aLastDifferenceIsRecordedAndReconciled() async throws {
    let (ledger, account, category) = try await household()
    try await ledger.append(
      .record(.expense(Money(5_00, .eur), from: account, category: category, on: today)))
    let asked = Asked(ledger)
    let path = "/reconcile/\(account)"
    let form = sent(await asked.get(path).text) + [("statement", "-6.20"), ("do", "adjust")]
    #expect(await asked.post(path, form).location == "/transactions?account=\(account)&done=saved")
    let all = try ledger.read { try $0.transactions(limit: 9) }
    #expect(all.count == 2 && all.allSatisfy { $0.status == .reconciled })
    #expect(all[0].amount == Money(-1_20, .eur) && all[0].payee == "Reconciliation adjustment")
    #expect(all[0].category == .uncategorizedExpense)
    // An adjustment that can't be recorded loses nothing that was typed.
    try await ledger.append(.closePeriod(through: today))
    let refused = await asked.post(path, [("statement", "1.00"), ("do", "adjust")])
    #expect(refused.status == 422 && refused.text.contains("value=\"1.00\""))
  }
}
