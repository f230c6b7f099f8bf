// Goal: forms and filters do what they show where accounts have several currencies, and the page of an undone change
// says so. Method: forms are sent as a browser sends them, and the ledger is asked.
import Daybook
import Pages
import Testing

@Suite struct CurrencyFormTests {
  /// A ledger with a transfer of €100 that arrived as $104.20 on the account Dollars.
  private func exchanged() async throws -> (
    Ledger, euros: AccountID, dollars: AccountID, TransactionID
  ) {
    let (ledger, euros, _) = try await household()
    let dollars = try await ledger.append([
      .openAccount(NewAccount(name: "Dollars", kind: .asset, currency: .usd))
    ]).accounts[0]
    let id = try await ledger.append([
      .record(
        .exchange(
          Money(100_00, .eur), from: euros, for: Money(104_20, .usd), into: dollars, on: today))
    ]).transactions[0]
    // At this rate, the transfer would be worth $120.
    try await ledger.append([
      .setRate(
        ExchangeRate(base: .eur, quoted: .usd, day: today.adding(days: -3), quote: try Quote("1.2"))
      )
    ])
    return (ledger, euros, dollars, id)
  }

  private func form(
    _ euros: AccountID, _ dollars: AccountID, _ ledger: Ledger, _ changes: [String: String] = [:]
  ) throws -> [(String, String)] {
    var fields = [
      "type": "transfer", "day": "\(today)", "amount": "100.00", "account": "\(euros)",
      "otherAccount": "\(dollars)", "received": "104.20", "payee": "", "description": "",
      "note": "", "tags": "", "status": "cleared", "seen": "\(try ledger.token.sequence)",
    ]
    fields.merge(changes) { $1 }
    return fields.map { ($0.key, $0.value) }
  }

  private func amounts(_ id: TransactionID, _ ledger: Ledger) throws -> [Int64] {
    let row = try #require(try ledger.read { try $0.transaction(id) })
    let accounts = try #require([row.account, row.otherAccount] as? [AccountID])
    return accounts.compactMap { row.amount(on: $0)?.minorUnits }
  }

  @Test func aTransferKeepsTheReceivedAmountThatTheFormShows() async throws {
    let (ledger, euros, dollars, id) = try await exchanged()
    let asked = Asked(ledger)
    let page = await asked.get("/transactions/\(id)/edit").text
    #expect(page.contains("name=\"received\"") && page.contains("value=\"104.20\""))
    let edits =
      [
        (["day": "\(today.adding(days: -1))"], [-100_00, 104_20]),
        (["payee": "Bank"], [-100_00, 104_20]), (["amount": "90"], [-90_00, 104_20]),
        (["amount": "90", "received": "95.50"], [-90_00, 95_50]),
      ] as [([String: String], [Int64])]
    for (changes, expected) in edits {
      let sent = try await asked.post("/transactions/\(id)", form(euros, dollars, ledger, changes))
      #expect(sent.status == 303, "\(changes)")
      #expect(try amounts(id, ledger) == expected, "\(changes)")
    }
    let wrong = try await asked.post(
      "/transactions/\(id)", form(euros, dollars, ledger, ["received": "a lot"]))
    #expect(wrong.status == 422 && wrong.text.contains("id=\"fault-received\""))
    #expect(wrong.text.contains("value=\"a lot\""))
  }

  @Test func anExpenseBecomesATransferAndAnExpenseAgain() async throws {
    let (ledger, euros, food) = try await household()
    let cash = try await ledger.append([
      .openAccount(NewAccount(name: "Cash", kind: .asset, currency: .eur))
    ]).accounts[0]
    let id = try await ledger.append([
      .record(.expense(Money(50_00, .eur), from: euros, category: food, on: today))
    ]).transactions[0]
    let asked = Asked(ledger)
    let page = await asked.get("/transactions/\(id)/edit").text
    #expect(page.contains("name=\"type\"") && page.contains("name=\"otherAccount\""))
    func balances() throws -> [Int128] {
      try ledger.read { snapshot in
        [
          try snapshot.balance(of: euros, on: today).units,
          try snapshot.balance(of: cash, on: today).units,
        ]
      }
    }
    let steps =
      [
        (["type": "transfer"], 422, [-50_00, 0]),
        (["type": "transfer", "otherAccount": "\(cash)"], 303, [-50_00, 50_00]),
        (["type": "expense", "category": "\(food)"], 303, [-50_00, 0]),
        (["type": "income"], 303, [50_00, 0]), (["type": "expense"], 303, [-50_00, 0]),
        (["type": "expense", "payee": "Bank"], 303, [-50_00, 0]),
      ] as [([String: String], Int, [Int128])]
    for (changes, status, expected) in steps {
      let common = ["amount": "50.00", "otherAccount": "", "received": ""]
      let sent = try await asked.post(
        "/transactions/\(id)", form(euros, cash, ledger, common.merging(changes) { $1 }))
      #expect(sent.status == status, "\(changes)")
      #expect(try balances() == expected, "\(changes)")
    }
  }

  @Test func aPartGoesToAnotherAccount() async throws {
    let (ledger, euros, food) = try await household()
    let loan = try await ledger.append([
      .openAccount(NewAccount(name: "Loan", kind: .liability, currency: .eur))
    ]).accounts[0]
    let asked = Asked(ledger)
    let common = ["type": "expense", "amount": "500", "otherAccount": "", "received": ""]
    let parts = [
      ("part-amount", "120"), ("part-category", "\(food)"), ("part-note", ""),
      ("part-amount", "400"), ("part-category", "to:\(loan)"), ("part-note", ""),
      ("part-amount", "-20"), ("part-category", "\(food)"), ("part-note", "returned"),
    ]
    let sent = try await asked.post("/transactions", form(euros, loan, ledger, common) + parts)
    #expect(sent.status == 303)
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    #expect(row.amount(on: euros)?.minorUnits == -500_00)
    #expect(row.amount(on: loan)?.minorUnits == 400_00)
    let page = await asked.get("/transactions/\(row.id)/edit").text
    #expect(page.contains("value=\"to:\(loan)\" selected"))
    #expect(page.contains("value=\"400") && page.contains("value=\"-20"))
  }

  @Test func aConvertedAmountStaysConvertedUntilAnotherIsTyped() async throws {
    let (ledger, euros, dollars, stated) = try await exchanged()
    let asked = Asked(ledger)
    try await ledger.append([
      .setRate(
        ExchangeRate(base: .eur, quoted: .usd, day: today.adding(days: -1), quote: try Quote("1.3"))
      )
    ])
    let id = try await ledger.append([
      .record(.transfer(Money(100_00, .eur), from: euros, to: dollars, on: today))
    ]).transactions[0]
    func isConverted(_ id: TransactionID) throws -> Bool? {
      try ledger.read { try $0.transaction(id)?.isConverted }
    }
    let before = ["day": "\(today.adding(days: -2))"]
    let edits =
      [
        (["received": "130.00", "payee": "Bank"], [-100_00, 130_00], true),
        (before.merging(["received": "130.00"]) { $1 }, [-100_00, 120_00], true),
        (before.merging(["received": "120.00", "amount": "90"]) { $1 }, [-90_00, 108_00], true),
        (before.merging(["received": "95", "amount": "90"]) { $1 }, [-90_00, 95_00], false),
        (["received": "95.00", "amount": "90"], [-90_00, 95_00], false),
        (["received": "", "amount": "90"], [-90_00, 117_00], true),
      ] as [([String: String], [Int64], Bool)]
    for (changes, expected, remains) in edits {
      let sent = try await asked.post("/transactions/\(id)", form(euros, dollars, ledger, changes))
      #expect(sent.status == 303, "\(changes)")
      #expect(try amounts(id, ledger) == expected, "\(changes)")
      #expect(try isConverted(id) == remains, "\(changes)")
    }
    #expect(try isConverted(stated) == false)
    let page = await asked.get("/transactions/\(id)").text
    #expect(page.contains("Converted at a rate"))
  }

  @Test func anExpenseInAnotherCurrencyKeepsTheAmountCharged() async throws {
    let (ledger, euros, dollars, _) = try await exchanged()
    let asked = Asked(ledger)
    let id = try await ledger.append([
      .record(
        .expense(
          Money(20_00, .usd), from: euros, on: today, accountAmount: Money(18_50, .eur)))
    ]).transactions[0]
    let page = await asked.get("/transactions/\(id)/edit").text
    let shown = try #require(["20.00", "18.50"].first { page.contains("value=\"\($0)\"") })
    let fields = ["type": "expense", "otherAccount": "", "received": "", "amount": shown]
    for change in [["payee": "Diner"], ["day": "\(today.adding(days: -1))", "payee": "Diner"]] {
      let sent = try await asked.post(
        "/transactions/\(id)",
        form(euros, dollars, ledger, fields.merging(change) { $1 }))
      #expect(sent.status == 303, "\(change)")
      let row = try #require(try ledger.read { try $0.transaction(id) })
      #expect(row.amount(on: euros) == Money(-18_50, .eur), "\(change)")
      #expect(!row.isConverted, "\(change)")
    }
  }

  @Test func aNewTransferTakesTheReceivedAmountOrConverts() async throws {
    let (ledger, euros, dollars, _) = try await exchanged()
    let asked = Asked(ledger)
    for (typed, expected) in [("103", 103_00), ("", 120_00)] as [(String, Int64)] {
      let sent = try await asked.post(
        "/transactions", form(euros, dollars, ledger, ["received": typed]))
      #expect(sent.status == 303)
      let id = try #require(sent.location?.split(separator: "/").last?.split(separator: "?").first)
      #expect(try amounts(#require(TransactionID(String(id))), ledger) == [-100_00, expected])
    }
    // Between two accounts of one currency, no other amount can arrive.
    let savings = try await ledger.append([
      .openAccount(NewAccount(name: "Savings", kind: .asset, currency: .eur))
    ]).accounts[0]
    let same = try await asked.post("/transactions", form(euros, savings, ledger))
    #expect(same.status == 422 && same.text.contains("id=\"fault-received\""))
  }

  @Test func aLeastAmountHoldsInEveryCurrency() async throws {
    let (ledger, euros, dollars, _) = try await exchanged()
    try await ledger.append([
      .record(.income(Money(250_00, .usd), into: dollars, on: today, payee: "Dollar income")),
      .record(.expense(Money(5_00, .eur), from: euros, on: today, payee: "Small change")),
    ])
    let asked = Asked(ledger)
    let page = await asked.get("/transactions", [("least", "200")]).text
    #expect(page.contains("Dollar income") && !page.contains("Small change"))
    let euro = await asked.get("/transactions", [("least", "200"), ("currency", "EUR")]).text
    #expect(!euro.contains("Dollar income"))
    // An invalid filter is named, and hides nothing.
    let wrong = await asked.get("/transactions", [("least", "abc")]).text
    #expect(wrong.contains("class=\"chip wrong\""))
    #expect(wrong.contains("Dollar income") && wrong.contains("Small change"))
  }

  @Test func aCategoryListsItsPartsWithTheirSum() async throws {
    let (ledger, account, food) = try await household()
    let fun = try await ledger.append([
      .createCategory(NewCategory(name: "Fun", kind: .expense))
    ]).categories[0]
    try await ledger.append([
      .record(
        .split(
          from: account,
          parts: [Draft.Part(Money(30_00, .eur), food), Draft.Part(Money(12_00, .eur), fun)],
          on: today)),
      .record(.expense(Money(5_00, .eur), from: account, category: food, on: today)),
    ])
    let page = await Asked(ledger).get("/transactions", [("category", "\(food)")]).text
    #expect(page.contains("-€35.00") && page.contains("-€30.00") && page.contains("-€5.00"))
    #expect(!page.contains("€42.00") && !page.contains("+€35.00"))
  }

  @Test func thePageOfAnUndoneChangeNamesTheUndo() async throws {
    let (ledger, euros, _, _) = try await exchanged()
    let asked = Asked(ledger)
    let made = try await ledger.append([
      .record(.expense(Money(5_00, .eur), from: euros, on: today))
    ]).token
    let before = await asked.get("/history/\(made.sequence)").text
    #expect(before.contains("Uncategorised") && !before.contains(" 00000000-"))
    let undo = try await ledger.undo(commit: made.sequence).token.sequence
    let after = await asked.get("/history/\(made.sequence)").text
    #expect(after.contains("This was undone in") && after.contains("href=\"/history/\(undo)\""))
    #expect(!after.contains("class=\"problem\""))
    try await ledger.undo(commit: undo)
    let again = await asked.get("/history/\(made.sequence)").text
    #expect(!again.contains("This was undone in"))
  }
}
