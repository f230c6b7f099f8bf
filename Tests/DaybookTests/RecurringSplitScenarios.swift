/// Goal: a recurring split is planned, recorded and changed as a whole, each part where it belongs.
/// Method: loan payments, rents and pay cheques of public reports, with sums worked out by hand, told
/// through the public API.
import Daybook
import Testing

extension House {
  /// A monthly split from 2026-03-01, of which nothing is recorded in advance.
  fileprivate func split(
    _ amount: String, of type: TransactionType = .expense, on account: AccountID,
    _ parts: [Draft.Part], tolerance: String = "0", _ adjust: (inout Series) -> Void = { _ in }
  ) async throws -> SeriesID {
    try await series(amount, from: account, anchor: "2026-03-01", every: Schedule(.month), ahead: 0)
    {
      $0.template.type = type
      $0.template.parts = parts
      $0.tolerance = money(tolerance).minorUnits
      adjust(&$0)
    }
  }

  fileprivate func planned(_ budget: BudgetID, on text: String) throws -> Total {
    let status = try ledger.read { snapshot throws in
      try snapshot.budgetStatus(of: budget, on: day(text), today: today)
    }
    return try #require(status).planned.total
  }

  fileprivate func forecast(_ account: AccountID, _ last: String) throws -> Total? {
    try ledger.read {
      try $0.forecast(of: account, through: day(last), today: today).balances.last?.total
    }
  }

  fileprivate func budget(_ name: String, _ categories: CategoryID...) async throws -> BudgetID {
    let budget = Budget(
      id: .unassigned, name: name, categories: categories, amount: money("10000"),
      period: .monthly(resetDay: 1))
    let receipt = try await append(.putBudget(budget))
    return try #require(receipt.outcomes.first?.budget)
  }

  fileprivate func transaction(due: String, of id: SeriesID) throws -> Transaction {
    let row = try row(due: due, of: id)
    return try #require(try ledger.read { try $0.transaction(row) })
  }
}

extension Transaction {
  /// The postings as text, such as `-500.00`.
  fileprivate var figures: [String] { postings.map(\.amount.text) }
}

@Suite struct RecurringSplitScenarios {
  /// A scheduled payment must count once in a future balance, before it is recorded and after.
  @Test func aLoanPaymentIsPlannedOnBothAccountsAndInItsCategory() async throws {
    let house = try await House()
    let bank = try await house.account("Bank", opening: "2000")
    let loan = try await house.account("Loan", opening: "-10000")
    let interest = try await house.category("Interest")
    let id = try await house.split(
      "500", on: bank, [Draft.Part(money("120"), interest), Draft.Part(money("380"), to: loan)])
    let budget = try await house.budget("Interest", interest)
    for isRecorded in [false, true] {
      if isRecorded { try await house.generate("2026-03-01") }
      #expect(try house.forecast(bank, "2026-03-31") == total("1500"))
      #expect(try house.forecast(loan, "2026-03-31") == total("-9620"))
      #expect(try house.planned(budget, on: "2026-03-10") == total("120"))
      for account in [bank, loan] {
        let upcoming = try house.ledger.read {
          try $0.upcoming(through: day("2026-03-31"), today: today, account: account)
        }
        #expect(upcoming.map(\.day) == [day("2026-03-01")])
      }
    }
    let row = try house.transaction(due: "2026-03-01", of: id)
    #expect(row.type == .expense && row.figures == ["-500.00", "120.00", "380.00"])
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: loan, on: day("2026-03-01")) == total("-9620"))
      #expect(try snapshot.balance(of: bank, on: day("2026-03-01")) == total("1500"))
    }
  }

  @Test func aSalaryIsIncomeWithAPartSavedAndTaxWithheld() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let savings = try await house.account("Savings")
    let salary = try await house.category("Salary", .income)
    let tax = try await house.category("Tax")
    let id = try await house.split(
      "2000", of: .income, on: bank,
      [
        Draft.Part(money("3000"), salary), Draft.Part(money("500"), to: savings),
        Draft.Part(money("500"), tax),
      ])
    let budget = try await house.budget("Tax", tax)
    #expect(try house.planned(budget, on: "2026-03-10") == total("500"))
    #expect(try house.forecast(savings, "2026-04-30") == total("1000"))
    try await house.generate("2026-03-01")
    let row = try house.transaction(due: "2026-03-01", of: id)
    #expect(row.type == .income)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: bank, on: day("2026-03-01")) == total("2000"))
      #expect(try snapshot.balance(of: savings, on: day("2026-03-01")) == total("500"))
    }
  }

  /// Rent, parking and a deposit are one payment, and three budgets.
  @Test func eachPartIsPlannedInItsOwnBudget() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    var categories: [CategoryID] = []
    for name in ["Rent", "Parking", "Deposit"] {
      categories.append(try await house.category(name))
    }
    // A flatmate's share comes back in the same payment.
    let parts = zip(["950", "100", "50", "100"], categories + [categories[0]]).enumerated().map {
      Draft.Part(money($1.0), $1.1, isReversed: $0 == 3)
    }
    _ = try await house.split("1000", on: bank, parts)
    for (category, amount) in zip(categories, ["850", "100", "50"]) {
      let budget = try await house.budget("B\(amount)", category)
      #expect(try house.planned(budget, on: "2026-03-10") == total(amount))
    }
    let whole = try await house.budget("All")
    #expect(try house.planned(whole, on: "2026-03-10") == total("1000"))
    try await house.generate("2026-03-01")
    #expect(try house.planned(whole, on: "2026-03-10") == total("1000"))
    try await house.end()
  }

  @Test func partsThatDoNotMakeUpTheAmountAreRefused() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let dollars = try await house.account("Dollars", in: usd)
    let food = try await house.category("Food")
    func refusal(
      _ amount: String, _ parts: [Draft.Part], _ type: TransactionType = .expense,
      _ adjust: (inout Series) -> Void = { _ in }
    ) async throws -> Refusal.Code? {
      do {
        _ = try await house.split(amount, of: type, on: bank, parts, adjust)
        return nil
      } catch let error as DaybookError {
        return error.refusal?.code
      }
    }
    let whole = [Draft.Part(money("10"), food)]
    #expect(
      try await refusal("10", [Draft.Part(money("9.98"), food)]) == .unbalanced)
    #expect(try await refusal("10", whole, .income) == .unbalanced)
    #expect(try await refusal("10", whole, .transfer) == .shape)
    #expect(try await refusal("10", whole) { $0.template.category = food } == .shape)
    #expect(try await refusal("10", [Draft.Part(money("10"), to: bank)]) == .transfer)
    #expect(try await refusal("10", [Draft.Part(money("10"), to: dollars)]) == .currencyMismatch)
    #expect(
      try await refusal("10", [Draft.Part(money("10", usd), to: dollars)]) == .currencyMismatch)
    #expect(try await refusal("10", [Draft.Part(money("10"), .random())]) == .missing)
    #expect(
      try await refusal("251", Array(repeating: Draft.Part(money("1"), food), count: 251))
        == .limit)
    #expect(try await refusal("10", whole) == nil)
    try await house.end()
  }

  @Test func aChangeOfThePartsChangesTheTransactionsInItsScope() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let other = try await house.account("Other")
    let loan = try await house.account("Loan")
    let interest = try await house.category("Interest")
    let id = try await house.split(
      "500", on: bank, [Draft.Part(money("120"), interest), Draft.Part(money("380"), to: loan)])
    try await house.generate("2026-05-01")
    var series = try house.stored(id)
    series.template.parts = [
      Draft.Part(money("110"), interest), Draft.Part(money("390"), to: loan),
    ]
    let changed = try await house.append(.amendSeries(series, .future(from: day("2026-04-15"))))
    func figures() throws -> [[String]] {
      try ["2026-03-01", "2026-04-01", "2026-05-01"].map {
        try house.transaction(due: $0, of: id).figures
      }
    }
    let old = ["-500.00", "120.00", "380.00"]
    let new = ["-500.00", "110.00", "390.00"]
    #expect(try figures() == [old, old, new])
    try await house.ledger.undo(commit: changed.token.sequence)
    #expect(try figures() == [old, old, old])
    #expect(try house.stored(id).template.parts.map(\.amount) == [money("120"), money("380")])
    // Another account keeps parts that a person has divided differently.
    let march = try house.row(due: "2026-03-01", of: id)
    let shape = Draft.Split(
      account: bank, kind: .expense,
      parts: [Draft.Part(money("100"), interest), Draft.Part(money("400"), to: loan)])
    try await house.append(.amend(march, Amendment(shape: .split(shape))))
    series = try house.stored(id)
    series.template.account = other
    try await house.append(.amendSeries(series, .all(from: today)))
    #expect(try figures() == [["-500.00", "100.00", "400.00"], old, old])
    #expect(try house.balance(other, on: "2026-05-01") == total("-1500"))
    // A single amount replaces the parts.
    series.template.parts = []
    series.template.category = interest
    try await house.append(.amendSeries(series, .future(from: day("2026-05-01"))))
    #expect(try figures().last == ["-500.00", "500.00"])
    try await house.end()
  }

  @Test func accountsAndCategoriesOfPartsAreInUseAndCanMove() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let loan = try await house.account("Loan")
    let newLoan = try await house.account("New loan")
    let interest = try await house.category("Interest")
    let fees = try await house.category("Fees")
    let id = try await house.split(
      "500", on: bank, [Draft.Part(money("120"), interest), Draft.Part(money("380"), to: loan)])
    for command in [
      Command.deleteCategory(interest, .withRows), .deleteAccount(loan, .withRows),
      .mergeAccounts(loan, into: bank),
    ] {
      await #expect(throws: DaybookError.self) { try await house.append(command) }
    }
    try await house.append(
      .mergeCategories(interest, into: fees), .mergeAccounts(loan, into: newLoan))
    let parts = try house.stored(id).template.parts
    #expect(parts.map(\.category) == [fees, nil] && parts.map(\.account) == [nil, newLoan])
    try await house.generate("2026-03-01")
    #expect(try house.balance(newLoan, on: "2026-03-01") == total("380"))
    // With its transactions kept, a deleted category stays named, and nothing is recorded in it.
    try await house.append(.deleteCategory(fees, .keepRows))
    let report = try await house.generate("2026-04-01")
    #expect(report.recorded.isEmpty && report.faults.map(\.code) == [.closed])
    try await house.ends { _ in }
  }

  /// A payment of another amount must not lose its parts.
  @Test(arguments: [false, true])
  func theLargestPartTakesTheDifferenceOfAnImportedRow(isGenerated: Bool) async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let loan = try await house.account("Loan")
    let interest = try await house.category("Interest")
    let id = try await house.split(
      "500", on: bank, [Draft.Part(money("120"), interest), Draft.Part(money("380"), to: loan)],
      tolerance: "20")
    if isGenerated { try await house.generate("2026-03-01") }
    var row = ImportRow(
      Draft.expense(money("510"), from: bank, on: day("2026-03-02"), payee: "Bank"))
    row.match = .occurrence(SeriesLink(id, due: day("2026-03-01")))
    for _ in 0..<2 {
      try await house.importRows([row])
      let paid = try house.transaction(due: "2026-03-01", of: id)
      #expect(paid.figures == ["-510.00", "120.00", "390.00"])
      #expect(paid.type == .expense && paid.payee == "Bank" && paid.day == day("2026-03-02"))
      #expect(try house.ledger.read { try $0.count() } == 1)
    }
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: loan, on: day("2026-03-02")) == total("390"))
    }
  }

  @Test func partsInAnotherCurrencyUseTheStatedAmount() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let dollars = try await house.account("Dollars", in: usd)
    let food = try await house.category("Food")
    let id = try await house.split(
      "0", on: bank,
      [Draft.Part(money("1", usd), food), Draft.Part(money("2", usd), to: dollars)]
    ) {
      $0.template.amount = money("3", usd)
      $0.template.accountAmount = money("1400")
    }
    #expect(try house.forecast(bank, "2026-03-31") == total("-1400"))
    #expect(try house.forecast(dollars, "2026-03-31") == total("2", usd))
    try await house.generate("2026-03-01")
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: bank, on: day("2026-03-01")) == total("-1400"))
      #expect(try snapshot.balance(of: dollars, on: day("2026-03-01")) == total("2", usd))
      #expect(try snapshot.series(id)?.template.parts.count == 2)
    }
  }

  @Test func theNotesOfPartsAreErasedAndTheAmountsStay() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let food = try await house.category("Food")
    let id = try await house.split(
      "30", on: bank,
      [Draft.Part(money("10"), food, note: "secret"), Draft.Part(money("20"), nil)])
    try await house.ledger.erase(.series, id.rawValue)
    #expect(
      try house.stored(id).template.parts
        == [Draft.Part(money("10"), food), Draft.Part(money("20"), nil)])
    try await house.ends { _ in }
  }
}
