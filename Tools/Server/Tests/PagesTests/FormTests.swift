// Goal: forms record, change, delete and take back; where they cannot, nothing typed is lost. Method: forms are
// sent as a browser sends them, and the ledger is asked.
import Daybook
import Foundation
import Pages
import Testing

@Suite struct FormTests {
  private func form(_ account: AccountID, _ category: CategoryID) -> [(String, String)] {
    [
      ("type", "expense"), ("day", "2026-02-14"), ("amount", "12.50+3"),
      ("account", "\(account)"), ("category", "\(category)"), ("payee", "Rewe"),
      ("tags", "food, weekend"), ("status", "cleared"), ("key", "once"),
    ]
  }

  @Test func aFormRecordsOnceHoweverOftenItIsSent() async throws {
    let (ledger, account, category) = try await household()
    let asked = Asked(ledger)
    for _ in 0..<2 {
      let answer = await asked.post("/transactions", form(account, category))
      #expect(answer.status == 303 && answer.location?.contains("done=recorded") == true)
    }
    let rows = try ledger.read { try $0.transactions(limit: 10) }
    #expect(rows.count == 1 && rows[0].amount == Money(-15_50, .eur))
    #expect(rows[0].payee == "Rewe" && rows[0].tags == ["food", "weekend"])
  }

  @Test func whatIsWrongStandsAtItsFieldAndNothingIsLost() async throws {
    let (ledger, account, category) = try await household()
    var fields = form(account, category)
    fields[2].1 = "twelve"
    let answer = await Asked(ledger).post("/transactions", fields)
    #expect(answer.status == 422)
    #expect(answer.text.contains("id=\"fault-amount\"") && answer.text.contains("value=\"twelve\""))
    #expect(answer.text.contains("value=\"Rewe\""))
    #expect(try ledger.read { try $0.count() } == 0)
  }

  @Test func aRefundIsRecordedAndStaysOne() async throws {
    let (ledger, account, category) = try await household()
    let asked = Asked(ledger)
    var fields = form(account, category)
    fields[0].1 = "refund"
    #expect(await asked.post("/transactions", fields).status == 303)
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    #expect(row.type == .expense && row.amount == Money(15_50, .eur) && row.category == category)
    let page = await asked.get("/transactions/\(row.id)/edit").text
    #expect(page.contains("value=\"refund\" selected"))
    fields[5].1 = "Edeka"
    let seen = ("seen", "\(try ledger.token.sequence)")
    #expect(await asked.post("/transactions/\(row.id)", fields + [seen]).status == 303)
    let changed = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    #expect(changed.amount == Money(15_50, .eur) && changed.payee == "Edeka")
  }

  @Test func aTransferWithAFeeIsRecorded() async throws {
    let (ledger, account, category) = try await household()
    let other = try await ledger.append([
      .openAccount(NewAccount(name: "Savings", currency: .eur))
    ]).accounts[0]
    let asked = Asked(ledger)
    var fields = form(account, category)
    fields[0].1 = "transfer"
    fields += [("otherAccount", "\(other)"), ("fee", "x")]
    let wrong = await asked.post("/transactions", fields)
    #expect(wrong.status == 422 && wrong.text.contains("id=\"fault-fee\""))
    fields[fields.count - 1].1 = "1.50"
    #expect(await asked.post("/transactions", fields).status == 303)
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    #expect(
      row.postings.map(\.amount)
        == [Money(-17_00, .eur), Money(15_50, .eur), Money(1_50, .eur)])
    #expect(row.postings[2].account == .category(category))
  }

  @Test func germansTypeGermanSums() async throws {
    let (ledger, account, category) = try await household()
    var fields = form(account, category)
    fields[2].1 = "1.012,50 + 3"
    let answer = await Asked(ledger).post("/transactions", fields, locales: ["de"])
    #expect(answer.status == 303)
    let row = try ledger.read { try $0.transactions(limit: 1).first }
    #expect(row?.amount == Money(-1_015_50, .eur))
  }

  @Test func aChangeThatOthersOvertookIsShownAgain() async throws {
    let (ledger, account, category) = try await household()
    let receipt = try await ledger.append([
      .record(.expense(Money(5_00, .eur), from: account, category: category, on: today))
    ])
    let id = receipt.transactions[0]
    let seen = try ledger.token.sequence
    try await ledger.append([.amend(id, Amendment(payee: "Someone"))])
    var fields = form(account, category)
    let late = await Asked(ledger).post("/transactions/\(id)", fields + [("seen", "\(seen)")])
    #expect(late.status == 422 && late.text.contains("value=\"12.50+3\""))
    fields[2].1 = "7"
    let now = try ledger.token.sequence
    let saved = await Asked(ledger).post("/transactions/\(id)", fields + [("seen", "\(now)")])
    #expect(saved.status == 303)
    let row = try ledger.read { try $0.transaction(id) }
    #expect(row?.amount == Money(-7_00, .eur) && row?.payee == "Rewe")
  }

  @Test func aDeletionIsTakenBackAfterItsPreview() async throws {
    let (ledger, account, category) = try await household()
    let receipt = try await ledger.append([
      .record(.expense(Money(5_00, .eur), from: account, category: category, on: today))
    ])
    let asked = Asked(ledger)
    let id = receipt.transactions[0]
    #expect(await asked.post("/transactions/\(id)/delete", []).status == 303)
    let deletion = try ledger.token
    let preview = await asked.get("/history/\(deletion.sequence)").text
    #expect(preview.contains("-€5.00") && preview.contains("value=\"\(deletion.text)\""))
    let undone = await asked.post(
      "/history/\(deletion.sequence)/undo", [("token", deletion.text)])
    #expect(undone.status == 303)
    #expect(try ledger.read { try $0.transaction(id) } != nil)
    let why = await asked.get("/transactions/\(id)").text
    #expect(why.matches(of: /class="commit"/).count == 3)
  }

  @Test func takingBackSaysWhatItWasAndGoesBackAndForth() async throws {
    let (ledger, account, category) = try await household()
    let asked = Asked(ledger)
    #expect(await asked.post("/transactions", form(account, category)).status == 303)
    let undone = await asked.post("/undo", [("back", "/transactions?text=re%20we&done=recorded")])
    #expect(undone.location == "/transactions?text=re%20we&done=undone&commit=3")
    let page = await asked.get("/transactions", [("done", "undone"), ("commit", "3")]).text
    #expect(page.contains("Transaction added: Rewe") && page.contains("action=\"/redo\""))
    #expect(try ledger.read { try $0.count() } == 0)
    #expect(
      await asked.post("/redo", [("back", "//elsewhere")]).location == "/?done=redone&commit=4")
    #expect(try ledger.read { try $0.count() } == 1)
    #expect(await asked.post("/redo", []).location == "/?done=nothing")
  }

  @Test func takingBackIsOfWhatThisBrowserRecorded() async throws {
    let (ledger, account, category) = try await household()
    let (here, there) = (Asked(ledger), Asked(ledger))
    #expect(await here.post("/transactions", form(account, category)).status == 303)
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first?.id })
    #expect(await there.post("/undo", []).location == "/?done=nothing")
    // A command, and another browser, record later.
    let later = try await ledger.append([
      .createCategory(NewCategory(name: "Later", kind: .expense))
    ])
    #expect(await there.post("/rules/apply", []).status == 303)
    #expect(await there.post("/undo", []).location == "/?done=nothing", "it changed nothing")
    #expect(await here.post("/undo", []).location == "/?done=undone&commit=4")
    #expect(try ledger.read { try $0.transaction(row) } == nil)
    #expect(try ledger.read { try $0.category(later.categories[0]) } != nil)
    #expect(await here.post("/redo", []).location == "/?done=redone&commit=5")
    // What others have changed since stands against it.
    try await ledger.append(.amend(row, Amendment(payee: "Another", note: "theirs")))
    try await ledger.append(.amend(row, Amendment(amount: Money(99_00, .eur))))
    let stuck = try #require(await here.post("/undo", []).location)
    #expect(stuck == "/history/2?done=stuck&commit=2")
    let told = await here.get("/history/2", [("done", "stuck"), ("commit", "2")]).text
    #expect(told.contains("can’t be undone because") && !told.contains("action=\"/redo\""))
    #expect(try ledger.read { try $0.transaction(row)?.payee } == "Another")
  }

  @Test func aSplitIsRecordedWhenItsPartsAreTheAmount() async throws {
    let (ledger, account, food) = try await household()
    let made = try await ledger.append([
      .createCategory(NewCategory(name: "Fun", kind: .expense)),
      .createCategory(NewCategory(name: "Deposit", kind: .income)),
    ]).categories
    let asked = Asked(ledger)
    func parts(_ amounts: [String]) -> [(String, String)] {
      zip(amounts, [food] + made).flatMap {
        [("part-amount", $0), ("part-category", "\($1)"), ("part-note", "of \($0)")]
      }
    }
    var fields = form(account, food).map { $0.0 == "amount" ? ("amount", "20") : $0 }
    let wrong = await asked.post("/transactions", fields + parts(["10", "8", "0.25"]))
    #expect(wrong.status == 422 && wrong.text.contains("id=\"fault-parts\""))
    #expect(wrong.text.contains(">€2.25</output>") && wrong.text.contains("value=\"of 8\""))
    let more = await asked.post("/transactions", fields + parts(["10"]) + [("do", "part")])
    #expect(more.status == 200 && more.text.matches(of: /class="part"/).count == 2)
    // An expense of 20 in all: 12 and 8.25, less 0.25 that came back.
    let sent = await asked.post("/transactions", fields + parts(["12", "8.25", "0.25"]))
    #expect(sent.status == 303)
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    #expect(row.isSplit && row.amount == Money(-20_00, .eur))
    let page = await asked.get("/transactions/\(row.id)/edit").text
    #expect(page.contains("value=\"8.25\"") && page.contains("value=\"0.25\""))
    #expect(page.contains(">€0.00</output>"))
    let now = try ledger.token.sequence
    fields += [("seen", "\(now)")]
    let changed = await asked.post("/transactions/\(row.id)", fields + parts(["15", "5"]))
    #expect(changed.status == 303)
    let after = try #require(try ledger.read { try $0.transaction(row.id) })
    #expect(after.postings.count == 3 && after.amount == Money(-20_00, .eur))
    let later = try ledger.token.sequence
    let one = await asked.post(
      "/transactions/\(row.id)", fields.filter { $0.0 != "seen" } + [("seen", "\(later)")])
    #expect(one.status == 303)
    let whole = try #require(try ledger.read { try $0.transaction(row.id) })
    #expect(!whole.isSplit && whole.category == food)
  }

  @Test func theTotalOfAnImportedSplitChangesOnlyWhereItsBoxIsChecked() async throws {
    let (ledger, account, food) = try await household()
    let fun = try await ledger.append([
      .createCategory(NewCategory(name: "Fun", kind: .expense)),
      .importRows([
        ImportRow(
          .expense(Money(30_00, .eur), from: account, category: food, on: today),
          reference: "ofx:1")
      ]),
    ]).categories[0]
    let id = try #require(try ledger.read { try $0.transactions(limit: 1).first?.id })
    let asked = Asked(ledger)
    func send(_ amount: String, _ parts: [String], _ more: [(String, String)] = []) async throws
      -> (status: Int, text: String)
    {
      let fields = form(account, food).map { $0.0 == "amount" ? ("amount", amount) : $0 }
      let lines = zip(parts, [food, fun]).flatMap {
        [("part-amount", $0), ("part-category", "\($1)"), ("part-note", "")]
      }
      let seen = ("seen", "\(try ledger.token.sequence)")
      let answer = await asked.post("/transactions/\(id)", fields + lines + more + [seen])
      return (answer.status, answer.text)
    }
    #expect(try await send("30", ["20", "10"]).status == 303)
    let refused = try await send("35", ["25", "10"])
    #expect(refused.status == 422 && refused.text.contains("id=\"fault-parts\""))
    #expect(refused.text.contains("name=\"change-total\""))
    #expect(try ledger.read { try $0.transaction(id)?.amount } == Money(-30_00, .eur))
    #expect(try await send("35", ["25", "10"], [("change-total", "on")]).status == 303)
    #expect(try ledger.read { try $0.transaction(id)?.amount } == Money(-35_00, .eur))
  }

  @Test func severalRowsAreChangedAsOneCommitAfterAPreview() async throws {
    let (ledger, account, category) = try await household()
    let other = try await ledger.append([
      .createCategory(NewCategory(name: "Fun", kind: .expense))
    ]).categories[0]
    let rows = try await ledger.append([
      .record(.expense(Money(5_00, .eur), from: account, category: category, on: today)),
      .record(.expense(Money(7_00, .eur), from: account, category: category, on: today)),
      .record(.expense(Money(9_00, .eur), from: account, category: category, on: today)),
    ]).transactions
    let asked = Asked(ledger)
    let chosen = rows.prefix(2).map { ("row", "\($0)") }
    let change = chosen + [("category", "\(other)"), ("tags", "trip"), ("do", "change")]
    let before = try ledger.token
    let preview = await asked.post("/transactions/several", change)
    #expect(preview.text.contains("€12.00") && preview.text.contains("€21.00"))
    #expect(try ledger.token == before, "nothing is done by looking")
    let done = await asked.post(
      "/transactions/several",
      change + [("confirmed", "yes"), ("token", before.text), ("back", "/transactions?tag=trip")])
    #expect(done.location == "/transactions?tag=trip&done=saved")
    #expect(try ledger.token.sequence == before.sequence + 1)
    let after = try ledger.read { snapshot in try rows.map { try snapshot.transaction($0) } }
    #expect(after.map { $0?.category } == [other, other, category])
    #expect(after.map { $0?.tags } == [["trip"], ["trip"], []])
    let late = await asked.post(
      "/transactions/several",
      chosen + [("do", "delete"), ("confirmed", "yes"), ("token", before.text)])
    #expect(late.status == 422, "what was shown is no longer so")
    _ = await asked.post(
      "/transactions/several", chosen + [("do", "delete"), ("confirmed", "yes")])
    #expect(try ledger.read { try $0.count() } == 1)
    #expect(await asked.post("/transactions/several", [("do", "delete")]).status == 422)
  }

  @Test func aNewLedgerIsSetUpByForms() async throws {
    let ledger = try await Ledger.inMemory()
    let asked = Asked(ledger)
    let forms: [(String, [(String, String)])] = [
      ("/settings", [("currency", "eur"), ("weekday", "7")]),
      (
        "/accounts",
        [("name", "Giro"), ("kind", "asset"), ("currency", "EUR"), ("opening", "1,200.50")]
      ), ("/categories", [("name", "Food"), ("kind", "expense"), ("parent", "")]),
      ("/budgets", [("name", "Food"), ("amount", "400"), ("category", ""), ("period", "week")]),
      ("/rates", [("base", "USD"), ("quoted", "EUR"), ("rate", "0.92"), ("day", "2026-02-14")]),
    ]
    for (path, fields) in forms {
      #expect(await asked.post(path, fields).status == 303, "\(path)")
      let wrong = await asked.post(path, fields.map { ($0.0, $0.0 == "name" ? "" : "?") })
      #expect(wrong.status == 422 && wrong.text.contains("role=\"alert\""), "\(path)")
    }
    try ledger.read { snapshot throws in
      #expect(try snapshot.settings().firstWeekday == 7)
      #expect(try snapshot.accounts().map(\.opening) == [Money(1_200_50, .eur)])
      #expect(try snapshot.categories(.expense).map(\.name) == ["Food"])
      #expect(try snapshot.budgets().map(\.period) == [.weekly])
      #expect(try snapshot.rates().count == 1)
    }
  }

  @Test func periodsOfBudgetsCountedFromADay() async throws {
    let (ledger, _, _) = try await household()
    let asked = Asked(ledger)
    let friday = try #require(Day("2026-01-09"))
    let forms: [(String, String, String, BudgetPeriod)] = [
      ("week", "2", "2026-01-09", .weeks(2, from: friday)), ("halfMonth", "1", "", .halfMonthly),
      ("quarter", "1", "", .quarterly), ("quarter", "2", "2026-01-09", .months(6, from: friday)),
      ("year", "1", "2026-01-09", .months(12, from: friday)),
      ("month", "2", "2026-01-09", .months(2, from: friday)),
      ("month", "1", "", .monthly(resetDay: 1)),
    ]
    for (index, (period, count, counted, expected)) in forms.enumerated() {
      let fields = [
        ("name", "B\(index)"), ("amount", "400"), ("period", period), ("count", count),
        ("counted", counted),
      ]
      #expect(await asked.post("/budgets", fields).status == 303, "\(period)")
      let budget = try ledger.read { try $0.budgets().max { $0.number < $1.number } }
      #expect(budget?.period == expected)
      // What the form shows is what it was made from.
      let page = await asked.get("/budgets/\(try #require(budget).id)/edit").text
      #expect(counted.isEmpty || page.contains("value=\"2026-01-09\""))
    }
    let missing = [("name", "X"), ("amount", "4"), ("period", "week"), ("count", "2")]
    #expect(await asked.post("/budgets", missing).status == 422)
  }

  @Test func whatRecursAndWhatIsRuledIsMadeByForms() async throws {
    let (ledger, account, category) = try await household()
    let asked = Asked(ledger)
    let rule = [("name", "Shops"), ("text1", "rewe"), ("category", "\(category)")]
    let series = [
      ("name", "Rent"), ("amount", "900"), ("account", "\(account)"),
      ("category", "\(category)"), ("unit", "month"), ("first", "2026-02-28"),
    ]
    #expect(await asked.post("/rules", rule).status == 303)
    #expect(await asked.post("/recurring", series).status == 303)
    #expect(await asked.post("/recurring", [("name", "Rent")]).status == 422)
    #expect(await asked.post("/rules", [("name", "Shops")]).status == 422)
    let page = await asked.get("/recurring").text
    #expect(page.contains("Rent") && page.contains("monthly") && page.contains(">€900.00<"))
    #expect(try ledger.read { try $0.rules().first?.category } == category)
  }

  @Test func whatIsNotThereIsSaidSo() async throws {
    let asked = Asked(try await household().ledger)
    for path in ["/nothing", "/transactions/x", "/history/99", "/history/0", "/categories/1"] {
      #expect(await asked.get(path).status == 404, "\(path)")
    }
    #expect(await asked.get("/", asOf: "tomorrow").status == 400)
  }
}
