/// Goal: loans are repaid to the unit as banks compute them, and as reports of other programs' mistakes say
/// they should be. Method: plans with figures by hand or from public calculators.
import Daybook
import Testing

@Suite struct LoanTests {
  /// A loan, the account that pays it, and the category of its interest.
  struct Bank {
    let house: House
    let loan: AccountID
    let checking: AccountID
    let interest: CategoryID
    let currency: Currency

    init(owed: String = "1000000", in currency: Currency = kzt) async throws {
      house = try await House()
      self.currency = currency
      loan = try await house.account(
        "Loan", opening: "-\(owed)", in: currency, kind: .liability)
      checking = try await house.account("Checking", opening: "2000000", in: currency)
      interest = try await house.category("Interest")
    }

    func set(
      _ principal: String, _ rate: String, _ count: Int, _ dayCount: DayCount = .periods,
      _ repayment: Repayment = .annuity, from: String = "2026-01-01", on number: Int? = nil
    ) async throws {
      try await house.append(
        .setTerms(
          AccountTerms(
            of: loan, rate: try #require(InterestRate(rate)), from: day(from), dayCount: dayCount,
            dueDay: number, category: interest,
            loan: LoanTerms(
              principal: money(principal, currency), paymentCount: Int64(count),
              repayment: repayment))))
    }

    func plan(today: String = "2026-01-01") throws -> LoanPlan {
      try house.ledger.read { try $0.loanPlan(of: loan, today: day(today)) }
    }

    @discardableResult
    func pay(_ on: String, _ amount: String? = nil) async throws -> Transaction {
      let receipt = try await house.append(
        .payLoan(
          LoanPayment(
            of: loan, from: checking, on: day(on), amount: amount.map { money($0, currency) })))
      let id = try #require(receipt.transactions.first)
      return try house.ledger.read { try #require(try $0.transaction(id)) }
    }

    func repay(_ on: String, _ amount: String?, lowering: Bool = false) async throws {
      try await house.append(
        .repayLoan(
          LoanRepayment(
            of: loan, from: checking, on: day(on), amount: amount.map { money($0, currency) },
            lowersPayments: lowering)))
    }
  }

  /// A payment in minor units: the amount, its interest, and what remains.
  private func parts(_ payment: PlannedPayment?) -> [Int128] {
    payment.map { [$0.amount.units, $0.interest.units, $0.remaining.units] } ?? []
  }

  /// The first, second and last payments, and the sum of the interest, in minor units.
  @Test(
    arguments: [
      (
        "1000000", "12", 12, [8_884_879, 1_000_000, 92_115_121], [8_884_876, 87_969, 0], 6_618_545
      ),
      // The sum of the payments is what is paid, not the unrounded formula.
      ("200000", "6", 360, [119_910, 100_000, 19_980_090], [120_014, 597, 0], 23_167_704),
      ("100000", "4.5", 60, [186_430, 37_500, 9_851_070], [186_443, 697, 0], 1_185_813),
      // Payments aren't rounded to whole currency units.
      ("100000", "9.99", 36, [322_625, 83_250, 9_760_625], [322_625, 2_664, 0], 1_614_500),
      ("10000", "0", 12, [83_333, 0, 916_667], [83_337, 0, 0], 0),
    ] as [(String, String, Int, [Int128], [Int128], Int128)])
  func theLastPaymentRepaysTheRest(
    principal: String, rate: String, count: Int, first: [Int128], last: [Int128], interest: Int128
  ) async throws {
    let bank = try await Bank(owed: principal)
    try await bank.set(principal, rate, count)
    let plan = try bank.plan()
    #expect(plan.payments.count == count)
    #expect(parts(plan.payments.first) == first)
    #expect(parts(plan.payments.last) == last)
    #expect(plan.interest.units == interest)
    let principalUnits = plan.payments.reduce(0) { $0 + $1.principal.units }
    #expect(principalUnits == Int128(money(principal).minorUnits))
    try await bank.house.end()
  }

  @Test func equalPrincipal() async throws {
    let bank = try await Bank(owed: "1000")
    try await bank.set("1000", "12", 7, .periods, .equalPrincipal)
    #expect(
      try bank.plan().payments.map { [$0.interest.units, $0.principal.units] } == [
        [1_000, 14_286], [857, 14_286], [714, 14_286], [571, 14_286], [429, 14_286], [286, 14_286],
        [143, 14_284],
      ])
    try await bank.house.end()
  }

  /// With days counted, the interest follows the months, and the last payment repays the rest.
  @Test func interestByDays() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12, .actual365)
    let plan = try bank.plan()
    #expect(parts(plan.payments.first) == [8_884_879, 1_019_178, 92_134_299])
    #expect(parts(plan.payments.last) == [8_855_495, 89_343, 0])
    #expect(plan.interest.units == 6_589_164)
    try await bank.house.end()
  }

  @Test func yenHaveNoDecimals() async throws {
    let bank = try await Bank(owed: "1000000", in: iso("JPY"))
    try await bank.set("1000000", "12", 12)
    let plan = try bank.plan()
    #expect(parts(plan.payments.first) == [88_849, 10_000, 921_151])
    #expect(plan.payments.last?.remaining.units == 0)
    try await bank.house.end()
  }

  @Test func paymentsFallOnMonthEnds() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 4, from: "2025-12-31", on: 31)
    #expect(
      try bank.plan().payments.map { "\($0.due)" }
        == ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"])
    #expect(try bank.plan().payments.first?.interest == total("10000"))
    try await bank.house.end()
  }

  // MARK: Paying

  /// The whole payment must not reduce what is owed.
  @Test func aPaymentIsSplit() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    try await bank.pay("2026-02-01")
    #expect(try bank.house.balance(bank.loan) == total("-921151.21"))
    #expect(try bank.house.balance(bank.checking) == total("1911151.21"))
    #expect(try bank.house.spent(bank.interest) == total("10000"))
    // What remains doesn't change when it is paid.
    let plan = try bank.plan(today: "2026-02-02")
    #expect(plan.payments[0].transaction != nil && plan.payments[1].transaction == nil)
    #expect(parts(plan.payments.last) == [8_884_876, 87_969, 0])
    #expect(plan.interest.units == 6_618_545)
    try await bank.house.ends { snapshot throws in
      #expect(
        try snapshot.accruedInterest(of: bank.loan, on: day("2026-02-01"))?.total.rounded.units
          == 0)
    }
  }

  @Test func theWholePlanIsPaid() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    for payment in try bank.plan().payments { try await bank.pay("\(payment.due)") }
    #expect(try bank.house.balance(bank.loan, on: "2027-01-01") == total("0"))
    #expect(
      try bank.house.balance(bank.checking, on: "2027-01-01") == total("933814.55"))
    await #expect(throws: DaybookError.self) { try await bank.pay("2027-01-02") }
    #expect(try bank.plan(today: "2027-01-02").payments.allSatisfy { $0.transaction != nil })
    try await bank.house.end()
  }

  /// An imported payment has only its total.
  @Test func anExistingTransactionBecomesThePayment() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    let report = try await bank.house.importRows([
      ImportRow(.expense(money("88848.79"), from: bank.checking, on: day("2026-02-02")), line: 1)
    ])
    let row = try #require(report.recorded.first)
    let imported = try bank.house.ledger.read { try #require(try $0.transaction(row)) }
    try await bank.house.append(.payLoan(LoanPayment(of: bank.loan, by: imported)))
    #expect(try bank.house.balance(bank.loan) == total("-921151.21"))
    #expect(try bank.plan(today: "2026-02-03").payments[0].transaction == row)
    // The next payment is due, and can't be paid by the same transaction.
    try await bank.house.append(.unlink(row))
    #expect(try bank.plan(today: "2026-02-03").payments[0].transaction == nil)
    try await bank.house.end()
  }

  @Test func aDeletedPaymentIsDueAgain() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    let paid = try await bank.pay("2026-02-01")
    try await bank.house.append(.delete(paid.id))
    #expect(parts(try bank.plan().payments.first) == [8_884_879, 1_000_000, 92_115_121])
    try await bank.pay("2026-02-01")
    try await bank.house.end()
  }

  @Test func aLatePaymentCostsMore() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12, .actual365)
    try await bank.pay("2026-02-11")
    // Ten days in February at the earlier debt.
    let interest = try bank.plan(today: "2026-02-12").payments[1].interest
    // (1,000,000.00 × 10 + 921,342.99 × 18) × 12 % ÷ 365.
    #expect(interest == total("8740.00"))
    try await bank.house.end()
  }

  @Test func payingTooMuchOrTooLittleIsRefused() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    await #expect(throws: DaybookError.self) { try await bank.pay("2026-02-01", "9999.99") }
    await #expect(throws: DaybookError.self) { try await bank.pay("2026-02-01", "1010000.01") }
    try await bank.pay("2026-02-01", "1010000")
    #expect(try bank.house.balance(bank.loan) == total("0"))
    try await bank.house.end()
  }

  @Test func nothingOwedNothingPaid() async throws {
    let bank = try await Bank(owed: "0")
    try await bank.set("1000000", "12", 12)
    // The plan can be seen before the money is paid out.
    #expect(parts(try bank.plan().payments.last) == [8_884_876, 87_969, 0])
    await #expect(throws: DaybookError.self) { try await bank.pay("2026-02-01") }
    try await bank.house.transfer(
      money("1000000"), from: bank.loan, to: bank.checking, on: "2026-01-01")
    try await bank.pay("2026-02-01")
    #expect(try bank.house.balance(bank.loan) == total("-921151.21"))
    try await bank.house.end()
  }

  // MARK: Early repayment

  @Test func anEarlyRepaymentShortensTheLoan() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    try await bank.pay("2026-02-01")
    try await bank.pay("2026-03-01")
    try await bank.repay("2026-03-10", "200000")
    let plan = try bank.plan(today: "2026-03-11").payments
    #expect(plan.count == 10)
    #expect(parts(plan[2]) == [8_884_879, 699_578, 55_966_092])
    #expect(parts(plan.last) == [4_796_717, 47_492, 0])
    try await bank.house.end()
  }

  @Test func orItLowersThePayments() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    try await bank.pay("2026-02-01")
    try await bank.pay("2026-03-01")
    try await bank.repay("2026-03-10", "200000", lowering: true)
    let plan = try bank.plan(today: "2026-03-11").payments
    #expect(plan.count == 12)
    #expect(parts(plan[2]) == [6_773_237, 699_578, 58_077_734])
    #expect(parts(plan.last) == [6_836_745, 67_691, 0])
    // Undoing it raises them again.
    _ = try await bank.house.ledger.undoNewest()
    #expect(parts(try bank.plan(today: "2026-03-11").payments[2])[0] == 8_884_879)
    try await bank.house.end()
  }

  @Test func everythingIsRepaidWithItsInterest() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    try await bank.pay("2026-02-01")
    try await bank.repay("2026-02-15", nil)
    #expect(try bank.house.balance(bank.loan) == total("0"))
    // 921,151.21 for 14 of 28 days at 1 %.
    #expect(try bank.house.spent(bank.interest) == total("14605.76"))
    #expect(try bank.plan().payments.count == 2)
    try await bank.house.ends { snapshot throws in
      for text in ["2026-02-15", "2026-02-20", "2026-03-01", "2026-06-01"] {
        let accrued = try #require(try snapshot.accruedInterest(of: bank.loan, on: day(text)))
        #expect(accrued.total.rounded.units == 0, "\(text)")
      }
    }
  }

  @Test func moreThanIsOwedIsRefused() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    await #expect(throws: DaybookError.self) {
      try await bank.repay("2026-01-10", "1000000.01")
    }
    // A payment that is overdue comes first.
    await #expect(throws: DaybookError.self) { try await bank.repay("2026-02-10", nil) }
    try await bank.house.end()
  }

  @Test func aChangedRateChangesThePayment() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    var terms = try #require(try bank.house.ledger.read { try $0.terms(of: bank.loan) })
    terms.rates.append(RateStep(from: day("2026-07-02"), rate: try #require(InterestRate("6"))))
    try await bank.house.append(.setTerms(terms))
    let plan = try bank.plan().payments
    #expect(parts(plan[5]).first == 8_884_879 && plan[5].remaining.units == 51_492_105)
    #expect(parts(plan[6]).first == 8_732_827)
    #expect(plan.count == 12 && plan.last?.remaining.units == 0)
    try await bank.house.end()
  }

  @Test func theBalanceIsForecast() async throws {
    let bank = try await Bank()
    try await bank.set("1000000", "12", 12)
    try bank.house.ledger.read { snapshot throws in
      let forecast = try snapshot.forecast(
        of: bank.loan, through: day("2026-03-01"), today: day("2026-01-15"),
        includesInterest: true)
      #expect(forecast.balances.last?.total == total("-841513.93"))
      // A loan counts with its principal, and with what has accrued where that is asked for.
      let on = day("2026-01-16")
      let worth = try snapshot.netWorth(on: on)[0].units
      let accrued = try snapshot.netWorth(on: on, includesAccruedInterest: true)[0].units
      // 15 of 31 days of 10,000.
      #expect(worth - accrued == 483_871)
    }
    try await bank.house.end()
  }
}
