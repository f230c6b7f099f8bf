/// Goal: a transaction can become another type, be split with transfers, reversed parts and a fee,
/// and every account and category has the figures that were worked out by hand. Method: cases that
/// users of other programs reported, each with the common ending (Firefly III 4672: the new transfer
/// added to both accounts, 4663: it stayed in its budget, 6155: deductions of a salary; Actual 1574:
/// the whole amount went to the other account; Wealthfolio 1407: a returned item on a statement;
/// Money Manager Ex for Android 309: the parts of the other sign are larger; Cashew 666 and
/// ezBookkeeping 227: the fee of a transfer).
import Daybook
import Testing

@Suite struct TypeChangeScenarios {
  /// The sums of a category, with expenses above zero.
  private func spent(_ house: House, _ category: CategoryID) throws -> [Total] {
    try house.ledger.read { snapshot in
      try snapshot.breakdown(in: always, kind: .expense, today: today)
        .filter { $0.category.id == category }.flatMap(\.amounts)
        .map { try $0.into - $0.out }.filter { $0.units != 0 }
    }
  }

  private func transaction(_ house: House, _ id: TransactionID) throws -> Transaction {
    try #require(try house.ledger.read { try $0.transaction(id) })
  }

  @Test func anExpenseBecomesEachOtherTypeAndAnExpenseAgain() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let b = try await house.account("B", opening: "500")
    let food = try await house.category("Food")
    let id = try await house.expense(money("100"), from: a, food)
    let past = try house.ledger.token
    func change(_ amendment: Amendment, _ inA: String, _ inB: String) async throws {
      try await house.append(.amend(id, amendment))
      #expect(try house.balance(a) == total(inA))
      #expect(try house.balance(b) == total(inB))
    }
    try await change(Amendment(type: .refund), "1100", "500")
    #expect(try transaction(house, id).category == food)
    try await change(Amendment(type: .income), "1100", "500")
    #expect(try transaction(house, id).category == .uncategorizedIncome)
    #expect(try house.figures().income == total("100"))
    // Firefly III 4672 and 4663: the money leaves one account, and no category keeps it.
    try await change(Amendment(type: .transfer, otherAccount: b), "1100", "400")
    #expect(try transaction(house, id).type == .transfer)
    try await change(Amendment(type: .transfer, account: a, otherAccount: b), "900", "600")
    #expect(try spent(house, food).isEmpty)
    try await change(Amendment(type: .income), "1000", "600")
    #expect(try transaction(house, id).account == b)
    try await change(Amendment(type: .expense, account: a, category: food), "900", "500")
    #expect(try spent(house, food) == [total("100")])
    #expect(try transaction(house, id).number == 1)
    let old = try house.ledger.read(asOf: past) { try $0.transaction(id) }
    #expect(old?.category == food && old?.type == .expense)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("900"))
      #expect(try snapshot.balance(of: b, on: today) == total("500"))
    }
  }

  @Test func aTransferWithoutItsOtherAccountIsRefused() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let id = try await house.expense(money("100"), from: a)
    await #expect(throws: DaybookError.self) {
      try await house.append(.amend(id, Amendment(type: .transfer)))
    }
    await #expect(throws: DaybookError.self) {
      try await house.append(.amend(id, Amendment(type: .transfer, otherAccount: a)))
    }
    #expect(try house.balance(a) == total("900"))
    try await house.end()
  }

  @Test func acrossCurrenciesThePriceArrives() async throws {
    let house = try await House()
    let tenge = try await house.account("Tenge", opening: "100000")
    let dollars = try await house.account("Dollars", opening: "0", in: usd)
    let receipt = try await house.append(
      .record(
        .expense(
          money("20", usd), from: tenge, on: day("2026-02-10"), accountAmount: money("9100"))))
    let id = try #require(receipt.transactions.first)
    try await house.append(.amend(id, Amendment(type: .transfer, otherAccount: dollars)))
    #expect(try house.balance(tenge) == total("90900"))
    #expect(try house.balance(dollars) == total("20", usd))
    try await house.append(.amend(id, Amendment(type: .income)))
    #expect(try house.balance(tenge) == total("100000"))
    #expect(try house.balance(dollars) == total("20", usd))
    // Incoming dollars that came from the tenge account, at the day's rate of 450.
    try await house.append(.amend(id, Amendment(type: .transfer, otherAccount: tenge)))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: tenge, on: today) == total("91000"))
      #expect(try snapshot.balance(of: dollars, on: today) == total("20", usd))
    }
  }

  @Test func aLoanPaymentRepaysAndCosts() async throws {
    let house = try await House()
    let bank = try await house.account("Bank", opening: "1000")
    let loan = try await house.account("Loan", opening: "-5000", kind: .liability)
    let interest = try await house.category("Interest")
    let receipt = try await house.append(
      .record(
        .split(
          from: bank,
          parts: [Draft.Part(money("120"), interest), Draft.Part(money("380"), to: loan)],
          on: day("2026-02-10"))))
    let id = try #require(receipt.transactions.first)
    // Actual 1574: the loan gets its part, not the whole payment.
    func expect(_ inBank: String, _ inLoan: String, _ cost: [String]) throws {
      #expect(try house.balance(bank) == total(inBank))
      #expect(try house.balance(loan) == total(inLoan))
      #expect(try spent(house, interest) == cost.map { total($0) })
    }
    try expect("500", "-4620", ["120"])
    let car = try await house.account("Car", opening: "-100", kind: .liability)
    try await house.append(.amend(id, Amendment(otherAccount: car)))
    try expect("500", "-5000", ["120"])
    #expect(try house.balance(car) == total("280"))
    // As a single expense, the account keeps its amount.
    try await house.append(.amend(id, Amendment(type: .expense, category: interest)))
    try expect("500", "-5000", ["500"])
    try await house.append(.amend(id, Amendment(type: .transfer, otherAccount: loan)))
    try expect("500", "-4500", [])
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: loan, on: today) == total("-4500"))
    }
  }

  @Test func aSalaryPaysTaxAndSavings() async throws {
    let house = try await House()
    let bank = try await house.account("Bank")
    let savings = try await house.account("Savings")
    let salary = try await house.category("Salary", .income)
    let tax = try await house.category("Tax")
    try await house.append(
      .record(
        .split(
          into: bank,
          parts: [
            Draft.Part(money("3200"), salary), Draft.Part(money("330"), tax),
            Draft.Part(money("200"), to: savings),
            Draft.Part(money("50"), salary, isReversed: true),
          ], on: day("2026-02-10"))))
    #expect(try house.figures().income == total("3150"))
    #expect(try house.figures().expense == total("330"))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: bank, on: today) == total("2620"))
      #expect(try snapshot.balance(of: savings, on: today) == total("200"))
    }
  }

  @Test(arguments: [("60", "40", "15", "915", "25"), ("5", "0", "20", "1015", "-20")])
  func aPartOfTheOtherSignReturnsMoney(
    groceries: String, devices: String, returned: String, balance: String, net: String
  ) async throws {
    let house = try await House()
    let card = try await house.account("Card", opening: "1000")
    let food = try await house.category("Food")
    let things = try await house.category("Things")
    try await house.append(
      .record(
        .split(
          from: card,
          parts: [
            Draft.Part(money(groceries), food), Draft.Part(money(devices), things),
            Draft.Part(money(returned), things, isReversed: true),
          ], on: day("2026-02-10"))))
    #expect(try spent(house, things) == [total(net)])
    #expect(try spent(house, food) == [total(groceries)])
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: card, on: today) == total(balance))
    }
  }

  @Test func aFeeIsAPartOfItsTransfer() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let b = try await house.account("B", opening: "0")
    let dollars = try await house.account("Dollars", opening: "0", in: usd)
    let fees = try await house.category("Fees")
    try await house.append(
      .record(
        .split(
          from: a, parts: [Draft.Part(money("100"), to: b), Draft.Part(money("1.50"), fees)],
          on: day("2026-02-10"))))
    #expect(try house.balance(a) == total("898.50"))
    #expect(try house.balance(b) == total("100"))
    #expect(try spent(house, fees) == [total("1.50")])
    try await house.append(
      .record(
        .split(
          from: a,
          parts: [Draft.Part(money("1", usd), to: dollars), Draft.Part(money("2"), fees)],
          on: day("2026-02-10"), accountAmount: money("-462"))))
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("436.50"))
      #expect(try snapshot.balance(of: b, on: today) == total("100"))
      #expect(try snapshot.balance(of: dollars, on: today) == total("1", usd))
    }
  }

  @Test func whatIsLockedStays() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let b = try await house.account("B")
    let food = try await house.category("Food")
    let id = try await house.expense(money("100"), from: a, food)
    try await house.append(.reconcile([id]))
    await #expect(throws: DaybookError.self) {
      try await house.append(.amend(id, Amendment(type: .refund)))
    }
    try await house.append(.unreconcile([id]), .closePeriod(through: day("2026-02-10")))
    await #expect(throws: DaybookError.self) {
      try await house.append(.amend(id, Amendment(type: .transfer, otherAccount: b)))
    }
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == total("900"))
    }
  }
}
