// Goal: the inbox shows the items that need a person and settles them with forms, and nothing is changed that wasn't
// chosen. Method: pages are read and forms sent without a browser; the ledger is asked afterwards.
import Daybook
import Testing

@testable import Pages

@Suite struct InboxPageTests {
  private func spend(
    _ ledger: Ledger, _ account: AccountID, _ payee: String, _ category: CategoryID?,
    _ units: Int64 = 10_00, on day: Day = today
  ) async throws -> TransactionID {
    let draft = Draft.expense(
      Money(units, .eur), from: account, category: category, on: day, payee: payee)
    return try #require(try await ledger.append(.record(draft)).transactions.first)
  }

  @Test func suggestionsAreAcceptedOneByOneOrAllAtOnce() async throws {
    let (ledger, account, food) = try await household()
    let asked = Asked(ledger)
    #expect(await asked.get("/inbox").text.contains("Nothing needs your attention"))
    for number in 1...3 {
      _ = try await spend(ledger, account, "Rewe", food, Int64(number) * 100)
    }
    let first = try await spend(ledger, account, "REWE", nil, 5_01)
    let second = try await spend(ledger, account, "rewe", nil, 5_02)
    let other = try await spend(ledger, account, "Once", nil, 5_03)
    let page = await asked.get("/inbox").text
    #expect(page.contains("3 of 3 at REWE"))
    #expect(page.contains("<option value=\"\(food)\" selected>Food</option>"))
    #expect(await asked.get("/").text.contains("To categorise: 3"))
    #expect(await asked.get("/inbox", locales: ["de"]).text.contains("3 von 3 bei REWE"))
    // All choices are sent, but only the row of the pressed button is changed.
    let fields =
      [first, second].map { ("category.\($0)", "\(food)") } + [("category.\(other)", "")]
    let one = await asked.post(
      "/inbox/categories", fields + [("back", "/inbox"), ("accept", "\(first)")])
    #expect(one.status == 303 && one.location == "/inbox?done=saved")
    func category(_ id: TransactionID) throws -> CategoryID? {
      try ledger.read { try $0.transaction(id)?.category }
    }
    #expect(try category(first) == food)
    #expect(try category(second) == .uncategorizedExpense)
    let none = await asked.post("/inbox/categories", fields + [("accept", "\(other)")])
    #expect(none.status == 422 && none.text.contains("Choose a category first."))
    let before = try ledger.token.sequence
    _ = await asked.post("/inbox/categories", fields + [("accept", "all")])
    #expect(try category(second) == food && category(other) == .uncategorizedExpense)
    #expect(try ledger.token.sequence == before + 1)
    // A row that has a category by now isn't changed again.
    _ = await asked.post("/inbox/categories", fields + [("accept", "all")])
    #expect(try ledger.token.sequence == before + 1)
    _ = await asked.post("/undo", [("back", "/inbox")])
    #expect(try category(second) == .uncategorizedExpense)
  }

  @Test func aRuleIsPreviewedAndAppliedInOneCommit() async throws {
    let (ledger, account, food) = try await household()
    let asked = Asked(ledger)
    let row = try await spend(ledger, account, "Bakery North", nil)
    _ = try await spend(ledger, account, "Bakery South", nil)
    let page = await asked.get("/inbox/rule", [("row", "\(row)")])
    #expect(page.status == 200 && page.text.contains("value=\"Bakery North\""))
    let fields = [
      ("row", "\(row)"), ("name", "Bakeries"), ("text1", "bakery"), ("category", "\(food)"),
    ]
    let preview = await asked.post("/inbox/rule", fields + [("do", "preview")])
    #expect(preview.status == 200 && preview.text.contains("Preview: 2 transactions"))
    #expect(try ledger.read { try $0.rules() }.isEmpty)
    let missing = await asked.post(
      "/inbox/rule", [("row", "\(row)"), ("name", ""), ("text1", "x"), ("do", "save")])
    #expect(missing.status == 422)
    let before = try ledger.token.sequence
    let saved = await asked.post("/inbox/rule", fields + [("do", "save")])
    #expect(saved.location == "/inbox?done=saved")
    #expect(try ledger.token.sequence == before + 1)
    #expect(try ledger.read { try $0.suggestions(limit: 9) }.isEmpty)
    #expect(await asked.get("/inbox/rule", [("row", "x")]).status == 404)
  }

  @Test func duePaymentsAreRecordedOrSkipped() async throws {
    let (ledger, account, food) = try await household()
    let asked = Asked(ledger)
    var rent = Series(
      name: "Rent",
      template: SeriesTemplate(
        type: .expense, amount: Money(40_00, .eur), account: account, category: food),
      schedule: Schedule(.month), anchor: Day("2025-12-10") ?? today)
    rent.template.payee = "Landlord"
    try await ledger.append(.putSeries(rent))
    #expect(await asked.get("/").text.contains("Due or overdue: 3"))
    let fields = [("series", "\(rent.id)"), ("due", "2025-12-10")]
    let wrong = await asked.post("/inbox/due", fields + [("amount", "x"), ("do", "record")])
    #expect(wrong.status == 422)
    let sent = await asked.post("/inbox/due", fields + [("amount", "41.50"), ("do", "record")])
    #expect(sent.location == "/inbox?done=recorded")
    _ = await asked.post(
      "/inbox/due", [("series", "\(rent.id)"), ("due", "2026-01-10"), ("do", "skip")])
    let twice = await asked.post("/inbox/due", fields + [("do", "record")])
    #expect(twice.status == 422 && twice.text.contains("no longer due"))
    try await ledger.append(.generateDue(through: today))
    try ledger.read { snapshot throws in
      // The next payment is planned ahead.
      let rows = try snapshot.transactions(limit: 9).filter { $0.day <= today }
      #expect(rows.map(\.day.description) == ["2026-02-10", "2025-12-10"])
      #expect(rows.map(\.amount?.minorUnits) == [-40_00, -41_50])
      #expect(rows.map(\.payee) == ["Landlord", "Landlord"])
      #expect(rows.map(\.seriesLink?.series) == [rent.id, rent.id])
    }
  }

  @Test func theOtherSectionsLeadToWhatSettlesThem() async throws {
    let (ledger, account, food) = try await household()
    let asked = Asked(ledger)
    let savings = try #require(
      try await ledger.append(
        .openAccount(NewAccount(name: "Savings", kind: .asset, currency: .eur))
      ).accounts.first)
    let old = Day("2026-01-05") ?? today
    var pending = Draft.expense(Money(7_77, .eur), from: account, category: food, on: old)
    pending.status = .pending
    try await ledger.append(.record(pending))
    _ = try await spend(ledger, account, "Twice", food, 8_88)
    _ = try await spend(ledger, account, "Twice", food, 8_88)
    let paying = try await spend(ledger, account, "To savings", nil, 99_00)
    let income = Draft.income(Money(99_00, .eur), into: savings, on: today, payee: "From checking")
    let receiving = try #require(try await ledger.append(.record(income)).transactions.first)
    try await ledger.append(.assertBalance(savings, Money(1_00, .eur), on: today))
    let page = await asked.get("/inbox").text
    for title in [
      "Pending for over two weeks", "Possible duplicates", "Possible transfers",
      "Stated balances that differ",
    ] { #expect(page.contains(title), "\(title)") }
    #expect(page.contains("href=\"/reconcile/\(savings)\""))
    let linked = await asked.post(
      "/inbox/transfers", [("first", "\(paying)"), ("second", "\(receiving)")])
    #expect(linked.status == 303)
    let again = await asked.post(
      "/inbox/transfers", [("first", "\(paying)"), ("second", "\(receiving)")])
    #expect(again.status == 422)
    #expect(await !asked.get("/inbox").text.contains("Possible transfers"))
    let twins = try ledger.read { try $0.inbox(today: today, limit: 9) }.duplicates.entries
    let twin = try #require(twins.first)
    #expect(page.contains("Not a duplicate") && page.contains("Not a transfer"))
    let apart = await asked.post(
      "/inbox/apart",
      [("first", "\(twin.original.id)"), ("second", "\(twin.duplicate.id)")])
    #expect(apart.location == "/inbox?done=saved")
    #expect(await !asked.get("/inbox").text.contains("Possible duplicates"))
    let gone = await asked.post(
      "/inbox/apart", [("first", "\(paying)"), ("second", "\(receiving)")])
    #expect(gone.status == 404)
    #expect(
      await asked.get("/inbox", asOf: "\(try ledger.token.sequence - 2)").text.contains(
        "Possible transfers"))
  }

  @Test func anEmptyLedgerBeginsWithAnAccount() async throws {
    let asked = Asked(try await Ledger.inMemory())
    for path in ["/", "/inbox"] {
      let page = await asked.get(path, locales: ["de-DE"]).text
      #expect(page.contains("action=\"/accounts\"") && page.contains("type=\"file\""), "\(path)")
      #expect(page.contains("name=\"currency\" type=\"text\" value=\"EUR\""), "\(path)")
    }
    let made = await asked.post(
      "/accounts",
      [("name", "Checking"), ("kind", "asset"), ("currency", "EUR"), ("opening", "12.50")])
    #expect(made.status == 303)
    #expect(await asked.get("/").text.contains("12.50"))
  }
}
