/// Goal: a rule makes a transfer of an imported row, once, whichever of the two accounts is imported
/// first, and names payees without losing what the bank said. Method: rows of public reports about
/// doubled transfers and renamed payees, through the public API, with balances worked out by hand.
import Daybook
import Testing

private struct Accounts {
  var bank: AccountID
  var savings: AccountID
}

extension House {
  fileprivate func accounts() async throws -> Accounts {
    Accounts(
      bank: try await account("Bank", opening: "1000"), savings: try await account("Savings"))
  }

  fileprivate func rule(
    _ text: String, _ name: String = "Plan", order: Int64 = 0,
    _ adjust: (inout CategoryRule) -> Void
  ) async throws -> RuleID {
    var rule = CategoryRule(
      id: RuleID(EntityID(high: 41, low: UInt64(order) + 1)), name: name,
      conditions: [.text(.any, .contains, text)])
    rule.order = order
    adjust(&rule)
    try await append(.putRule(rule))
    return rule.id
  }

  /// Imports a row: an amount that leaves the account, or one that enters it.
  @discardableResult
  fileprivate func row(
    _ amount: String, on account: AccountID, _ text: String, _ payee: String,
    in currency: Currency = kzt, reference: String = "", status: Status = .cleared
  ) async throws -> ImportReport {
    let isOut = amount.hasPrefix("-")
    let size = money(String(amount.drop { $0 == "-" }), currency)
    var draft =
      isOut
      ? Draft.expense(size, from: account, on: day(text), payee: payee)
      : Draft.income(size, into: account, on: day(text), payee: payee)
    draft.status = status
    return try await importRows([ImportRow(draft, reference: reference)])
  }

  fileprivate func all() throws -> [Transaction] {
    try ledger.read { snapshot throws in try snapshot.transactions(limit: 100) }
  }
}

@Suite struct RuleTransferScenarios {
  /// Both banks' files contain the transfer, under other texts and on other days.
  @Test(arguments: [false, true], ["", "camt:1"])
  func aTransferIsRecordedOnceWhicheverFileComesFirst(
    savingsFirst: Bool, reference: String
  ) async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    _ = try await house.rule("sparplan") { $0.transferAccount = accounts.savings }
    func bank() async throws -> ImportReport {
      try await house.row(
        "-50", on: accounts.bank, "2026-02-02", "SPARPLAN 4711", reference: reference)
    }
    func savings() async throws -> ImportReport {
      try await house.row(
        "50", on: accounts.savings, "2026-02-04", "Einzahlung", reference: reference)
    }
    if savingsFirst { _ = try await savings() }
    let first = try await bank()
    if savingsFirst {
      #expect(first.joined.map(\.index) == [0])
    } else {
      #expect(first.joined.isEmpty)
      let made = try #require(try house.all().first)
      #expect(made.type == .transfer && made.otherAccount == accounts.savings)
      #expect(try await savings().joined.map(\.index) == [0])
    }
    for _ in 0..<2 {
      let rows = try house.all()
      #expect(rows.count == 1)
      #expect(rows[0].type == .transfer && rows[0].day == day("2026-02-02"))
      #expect(rows[0].valueDay == day("2026-02-04") && rows[0].payee == "SPARPLAN 4711")
      #expect(rows[0].halves.count == 2)
      #expect(try house.balance(accounts.bank, on: "2026-02-02") == total("950"))
      #expect(try house.balance(accounts.savings, on: "2026-02-03") == total("0"))
      #expect(try house.balance(accounts.savings, on: "2026-02-04") == total("50"))
      // Both files are known again.
      #expect(try await bank().duplicates == [0])
      #expect(try await savings().duplicates == [0])
    }
    // The rows are what they were without the rule.
    try await house.append(.unlinkTransfer(try house.all()[0].id))
    let rows = try house.all()
    #expect(rows.map(\.type) == [.income, .expense])
    #expect(rows.allSatisfy { $0.category?.isBuiltin == true && $0.categorizedBy == nil })
    #expect(try await bank().duplicates == [0])
    #expect(try await savings().duplicates == [0])
    try await house.ends { _ in }
  }

  /// One rule for both directions: money that enters the account comes from the other one.
  @Test func theDirectionIsThatOfTheRow() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    _ = try await house.rule("savings") { $0.transferAccount = accounts.savings }
    try await house.row("-50", on: accounts.bank, "2026-02-01", "To savings")
    try await house.row("20", on: accounts.bank, "2026-02-02", "From savings")
    // A row of the account itself is no transfer.
    try await house.row("1", on: accounts.savings, "2026-02-03", "Savings interest")
    let rows = try house.all()
    #expect(rows.map(\.type) == [.income, .transfer, .transfer])
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: accounts.bank, on: today) == total("970"))
      #expect(try snapshot.balance(of: accounts.savings, on: today) == total("31"))
    }
  }

  /// What a rule makes a transfer of needs no category, though later rules give one.
  @Test func noCategoryIsSuggestedForAFutureTransfer() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    let food = try await house.category("Food")
    try await house.row("-50", on: accounts.bank, "2026-02-02", "SPARPLAN 4711")
    let suggestion = { () throws -> CategorySuggestion? in
      try house.ledger.read { try $0.suggestions(limit: 1) }.first?.suggestion
    }
    let later = try await house.rule("sparplan", order: 2) { $0.category = food }
    #expect(try suggestion() == CategorySuggestion(category: food, rule: later))
    _ = try await house.rule("sparplan", "Savings", order: 1) {
      $0.transferAccount = accounts.savings
      $0.continues = true
    }
    #expect(try suggestion() == nil)
    try await house.end()
  }

  @Test func aTransferThatIsNotPossibleIsNotMade() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    let dollars = try await house.account("Dollars", in: usd)
    let rule = try await house.rule("plan") { $0.transferAccount = accounts.savings }
    try await house.row("-5", on: dollars, "2026-02-01", "plan", in: usd)
    try await house.expense(money("5"), from: accounts.bank, description: "plan, typed")
    #expect(try house.all().allSatisfy { $0.type == .expense })
    try await house.append(.removeRule(rule))
    let row = try await house.row("-7", on: accounts.bank, "2026-02-03", "plan").recorded[0]
    try await house.append(.reconcile([row]))
    _ = try await house.rule("plan") { $0.transferAccount = accounts.savings }
    #expect(try house.ledger.read { try $0.rulePreview().isEmpty })
    try await house.append(.applyRules(nil))
    #expect(try house.all().allSatisfy { $0.type == .expense })
    // What can never be possible is refused with the rule.
    func refusal(_ adjust: (inout CategoryRule) -> Void) async throws -> Refusal.Code? {
      do {
        _ = try await house.rule("plan", order: 5, adjust)
        return nil
      } catch let error as DaybookError {
        return error.refusal?.code
      }
    }
    let food = try await house.category("Food")
    let own = try await refusal {
      $0.transferAccount = accounts.bank
      $0.conditions.append(.account(accounts.bank))
    }
    #expect(own == .transfer)
    let foreign = try await refusal {
      $0.transferAccount = accounts.bank
      $0.conditions.append(.account(dollars))
    }
    #expect(foreign == .currencyMismatch)
    let both = try await refusal {
      $0.transferAccount = accounts.bank
      $0.category = food
    }
    #expect(both == .value)
    #expect(try await refusal { $0.transferAccount = .outside } == .builtin)
    try await house.end()
  }

  @Test func thePastBecomesTransfersInOneCommit() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    try await house.row("-1", on: accounts.bank, "2026-01-05", "SPARPLAN")
    try await house.row("-50", on: accounts.bank, "2026-02-02", "SPARPLAN")
    try await house.row("50", on: accounts.savings, "2026-02-03", "Einzahlung")
    try await house.row("-60", on: accounts.bank, "2026-02-12", "SPARPLAN")
    try await house.append(.closePeriod(through: day("2026-01-31")))
    let id = try await house.rule("sparplan") { $0.transferAccount = accounts.savings }
    let preview = try house.ledger.read { try $0.rulePreview() }
    #expect(preview.map(\.ruled.type) == [.transfer, .transfer])
    #expect(preview.allSatisfy { $0.ruled.categorizedBy == id })
    let withheld = try house.ledger.read { try $0.rulesWithheld() }
    #expect(withheld.map(\.transaction.day) == [day("2026-01-05")])
    let receipt = try await house.append(.applyRules(nil))
    #expect(receipt.outcomes == [.rows(2)])
    #expect(try house.all().map(\.type) == [.transfer, .transfer, .expense])
    #expect(try house.balance(accounts.savings, on: "2026-02-15") == total("110"))
    try await house.ledger.undo(commit: receipt.token.sequence)
    #expect(try house.all().map(\.type) == [.expense, .income, .expense, .expense])
    #expect(try house.balance(accounts.savings, on: "2026-02-15") == total("50"))
    try await house.append(.applyRules(nil))
    // Another account, chosen by a person, is no longer the rule's.
    let cash = try await house.account("Cash")
    let newest = try house.all()[0].id
    try await house.append(.amend(newest, Amendment(otherAccount: cash)))
    #expect(try house.ledger.read { try $0.transaction(newest)?.categorizedBy } == nil)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: accounts.savings, on: today) == total("50"))
    }
  }

  /// Of several rows that could be the other half, the nearest one is.
  @Test func onlyARowThatFitsIsTheOtherHalf() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    _ = try await house.rule("sparplan") { $0.transferAccount = accounts.savings }
    try await house.row("-50", on: accounts.bank, "2026-02-02", "SPARPLAN")
    for (amount, on) in [("49", "2026-02-02"), ("50", "2026-02-08"), ("50", "2026-01-27")] {
      let report = try await house.row(amount, on: accounts.savings, on, "Einzahlung")
      #expect(report.joined.isEmpty)
    }
    // A row that a person has placed isn't, either.
    let gifts = try await house.category("Gifts", .income)
    let placed = ImportRow(
      .income(money("50"), into: accounts.savings, category: gifts, on: day("2026-02-02")))
    #expect(try await house.importRows([placed]).joined.isEmpty)
    #expect(
      try await house.row("50", on: accounts.savings, "2026-02-04", "Einzahlung").joined.count == 1)
    #expect(
      try await house.row("50", on: accounts.savings, "2026-02-03", "Einzahlung").joined.isEmpty)
    try await house.ends { snapshot throws in #expect(try snapshot.count() == 6) }
  }

  @Test func theAccountOfARuleIsInUseAndCanMove() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    let other = try await house.account("Other")
    let id = try await house.rule("plan") { $0.transferAccount = accounts.savings }
    await #expect(throws: DaybookError.self) {
      try await house.append(.deleteAccount(accounts.savings, .withRows))
    }
    try await house.append(.mergeAccounts(accounts.savings, into: other))
    let found = try house.ledger.read { try $0.rules().first { $0.id == id } }
    #expect(found?.transferAccount == other)
    try await house.end()
  }

  // MARK: Payees

  @Test func aPayeeThatARuleSetKeepsWhatTheBankSaid() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    let food = try await house.category("Food")
    let id = try await house.rule("amzn") { $0.payee = "Amazon" }
    let row = try await house.row("-5", on: accounts.bank, "2026-02-02", "AMZN Mktp").recorded[0]
    func found() throws -> Transaction {
      try #require(try house.ledger.read { try $0.transaction(row) })
    }
    #expect(try found().payee == "Amazon")
    #expect(try found().statedPayee == StatedPayee("AMZN Mktp", rule: id))
    // The file is known again, and rules still match the bank's text, not their own.
    #expect(
      try await house.row("-5", on: accounts.bank, "2026-02-02", "AMZN Mktp").duplicates == [0])
    _ = try await house.rule("amazon", "Own", order: 1) { $0.category = food }
    try await house.append(.applyRules(nil))
    #expect(try found().category?.isBuiltin == true)
    _ = try await house.rule("amzn") {
      $0.payee = "Amazon EU"
      $0.category = food
    }
    try await house.append(.applyRules(nil))
    #expect(try found().payee == "Amazon EU" && found().category == food)
    // A person's payee stays; the bank's is still what rules match.
    try await house.append(.amend(row, Amendment(payee: "Books")))
    try await house.append(.applyRules(nil))
    #expect(try found().payee == "Books" && found().statedPayee == StatedPayee("AMZN Mktp"))
    // With the bank's own payee, nobody has chosen one.
    try await house.append(.amend(row, Amendment(payee: "AMZN Mktp")))
    #expect(try found().statedPayee == nil)
    try await house.append(.applyRules(nil))
    #expect(try found().payee == "Amazon EU")
    try await house.ends { snapshot throws in
      #expect(try snapshot.payees(today: today).map(\.payee) == ["Amazon EU"])
    }
  }

  @Test func aPayeeThatAPersonTypedStays() async throws {
    let house = try await House()
    let accounts = try await house.accounts()
    _ = try await house.rule("shop", order: 0) {
      $0.payee = "First"
      $0.continues = true
    }
    _ = try await house.rule("shop", "Second", order: 1) { $0.payee = "Second" }
    var draft = Draft.expense(money("1"), from: accounts.bank, on: today, description: "shop")
    let empty = try #require(try await house.append(.record(draft)).transactions.first)
    draft.payee = "Own"
    let typed = try #require(try await house.append(.record(draft)).transactions.first)
    try house.ledger.read { snapshot throws in
      #expect(try snapshot.transaction(empty)?.payee == "First")
      #expect(try snapshot.transaction(empty)?.statedPayee?.payee == "")
      #expect(try snapshot.transaction(typed)?.payee == "Own")
    }
    try await house.end()
  }
}
