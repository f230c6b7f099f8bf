/// Goal: interest accrues and is posted as banks compute it, and as reports of other programs' mistakes say
/// it should be. Method: deposits with figures by hand; each ends as the scenarios do.
import Daybook
import Testing

@Suite struct InterestTests {
  /// A deposit and the category of its interest.
  struct Bank {
    let house: House
    let deposit: AccountID
    let interest: CategoryID

    init(
      opening: String = "100000", in currency: Currency = kzt, kind: AccountKind = .asset
    ) async throws {
      house = try await House()
      deposit = try await house.account("Deposit", opening: opening, in: currency, kind: kind)
      interest = try await house.category("Interest", kind == .asset ? .income : .expense)
    }

    func terms(
      _ rate: String, from: String, _ dayCount: DayCount = .actual365, capitalised: Bool = false,
      every interval: InterestInterval = .month, on number: Int? = nil
    ) throws -> AccountTerms {
      AccountTerms(
        of: deposit, rate: try #require(InterestRate(rate)), from: day(from), dayCount: dayCount,
        isCapitalised: capitalised, interval: interval, dueDay: number, category: interest)
    }

    func set(
      _ rate: String, from: String, _ dayCount: DayCount = .actual365, capitalised: Bool = false,
      every interval: InterestInterval = .month, on number: Int? = nil
    ) async throws {
      try await house.append(
        .setTerms(
          try terms(
            rate, from: from, dayCount, capitalised: capitalised, every: interval, on: number)))
    }

    func post(_ through: String) async throws -> [String] {
      let receipt = try await house.append(.postInterest(through: day(through)))
      let report = try #require(receipt.generations.first)
      #expect(report.faults == [])
      return try house.ledger.read { snapshot throws in
        try report.recorded.map { id in
          let row = try #require(try snapshot.transaction(id))
          return "\(row.day) \(row.amount?.text ?? "")"
        }
      }
    }

    func accrued(_ on: String) throws -> AccruedInterest {
      try house.ledger.read { snapshot throws in
        try #require(try snapshot.accruedInterest(of: deposit, on: day(on)))
      }
    }
  }

  @Test func interestAccruesByTheDay() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    #expect(try bank.accrued("2026-01-01").total.text() == "0.000000")
    #expect(try bank.accrued("2026-01-02").total.text() == "32.876712")
    #expect(try bank.accrued("2026-01-06").total.rounded == total("164.38"))
    try await bank.house.end()
  }

  @Test func aRateChangesWithinAPeriod() async throws {
    let bank = try await Bank()
    var terms = try bank.terms("10", from: "2026-01-01")
    terms.rates.append(RateStep(from: day("2026-01-16"), rate: try #require(InterestRate("20"))))
    try await bank.house.append(.setTerms(terms))
    #expect(try bank.accrued("2026-01-31").total.rounded == total("1260.27"))
    try await bank.house.end()
  }

  @Test func capitalisedInterestBearsInterest() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01", capitalised: true)
    // What is due counts as posted before it is.
    #expect(
      try bank.accrued("2026-04-01").due.map(\.amount.text) == ["1019.18", "929.93", "1039.04"])
    #expect(
      try await bank.post("2026-04-01")
        == ["2026-02-01 1019.18", "2026-03-01 929.93", "2026-04-01 1039.04"])
    #expect(try bank.house.balance(bank.deposit, on: "2026-04-01") == total("102988.15"))
    #expect(try await bank.post("2026-04-01") == [])
    try await bank.house.ends { snapshot throws in
      #expect(try snapshot.accruedInterest(of: bank.deposit, on: day("2026-04-01"))?.due == [])
      let worth = try snapshot.netWorth(on: day("2026-04-02"), includesAccruedInterest: true)
      #expect(worth == [total("103022.01")])
    }
  }

  @Test func simpleInterestBearsNone() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    #expect(
      try await bank.post("2026-04-01")
        == ["2026-02-01 1019.18", "2026-03-01 920.55", "2026-04-01 1019.18"])
    // A withdrawal takes from the interest first: 2,958.91 of it, then 41.09 of what bears interest.
    try await bank.house.expense(money("3000"), from: bank.deposit, on: "2026-04-01")
    #expect(try bank.accrued("2026-04-02").total.text() == "32.863203")
    try await bank.house.end()
  }

  @Test(
    arguments: [
      // 30E/360: the 31st is the 30th, and February has as many days as its end says.
      (DayCount.thirty360, "2026-01-31", "2026-02-28", "933.33"),
      (.thirty360, "2026-01-31", "2026-03-01", "1033.33"),
      (.thirty360, "2026-01-01", "2026-01-31", "966.67"),
      (.actual360, "2026-01-01", "2026-02-01", "1033.33"),
      // A leap year is a year for actual/actual, and more than one for actual/365.
      (.actualActual, "2024-01-01", "2025-01-01", "12000.00"),
      (.actualActual, "2023-12-31", "2024-12-31", "12000.09"),
      (.actual365, "2024-01-01", "2025-01-01", "12032.88"),
      (.periods, "2026-02-01", "2026-03-01", "1000.00"),
      (.periods, "2026-01-15", "2026-02-01", "548.39"),
    ] as [(DayCount, String, String, String)])
  func aDayCountsAsItsRuleSays(rule: DayCount, from: String, to: String, interest: String)
    async throws
  {
    let bank = try await Bank()
    // Nothing is due before the day that is asked about.
    try await bank.house.append(
      .setTerms(
        AccountTerms(
          of: bank.deposit, rate: try #require(InterestRate("12")), from: day(from),
          dayCount: rule, firstDue: rule == .periods ? day(to) : day("2030-01-01"))))
    #expect(try bank.accrued(to).total.rounded == total(interest))
    try await bank.house.end()
  }

  /// The balance at the end of the day counts from the next day on, so the first month has 31 days at
  /// 1,000.
  @Test func depositsCountFromTheNextDayOn() async throws {
    let bank = try await Bank(opening: "1000")
    try await bank.set("12", from: "2026-01-01")
    for start in ["2026-02-01", "2026-03-01"] {
      try await bank.house.income(money("100"), into: bank.deposit, on: start)
    }
    #expect(
      try await bank.post("2026-04-01")
        == ["2026-02-01 10.19", "2026-03-01 10.13", "2026-04-01 12.23"])
    try await bank.house.end()
  }

  /// A balance that was there when the terms began isn't counted again with its transactions.
  @Test func rowsBeforeTheTermsCountOnce() async throws {
    let bank = try await Bank(opening: "0")
    try await bank.house.income(money("100000"), into: bank.deposit, on: "2025-12-20")
    try await bank.set("12", from: "2026-01-01")
    #expect(try await bank.post("2026-02-01") == ["2026-02-01 1019.18"])
    try await bank.house.end()
  }

  @Test func postingDaysAreMonthEnds() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2025-12-31", .thirty360, on: 31)
    #expect(
      try await bank.post("2026-04-30")
        == ["2026-01-31 1000.00", "2026-02-28 933.33", "2026-03-31 1066.67", "2026-04-30 1000.00"])
    try await bank.house.end()
  }

  @Test func quartersAndYears() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2025-12-31", .periods, every: .quarter, on: 31)
    #expect(try await bank.post("2026-06-30") == ["2026-03-31 3000.00", "2026-06-30 3000.00"])
    let other = try await Bank()
    try await other.set("12", from: "2024-12-31", .actualActual, every: .year, on: 31)
    #expect(try await other.post("2026-01-01") == ["2025-12-31 11999.91"])
    try await bank.house.end()
    try await other.house.end()
  }

  @Test func currenciesWithOtherDecimals() async throws {
    let yen = try await Bank(opening: "100000", in: iso("JPY"))
    try await yen.set("1.5", from: "2026-01-01")
    #expect(try await yen.post("2026-02-01") == ["2026-02-01 127"])
    let dinar = try await Bank(opening: "1000", in: iso("BHD"))
    try await dinar.set("3", from: "2026-01-01")
    #expect(try await dinar.post("2026-02-01") == ["2026-02-01 2.548"])
    try await yen.house.end()
    try await dinar.house.end()
  }

  @Test func noRateNoInterest() async throws {
    let bank = try await Bank()
    try await bank.set("0", from: "2026-01-01")
    #expect(try await bank.post("2026-04-01") == [])
    #expect(try bank.accrued("2026-04-01").total.text() == "0.000000")
    try await bank.house.end()
  }

  /// An overdraft bears interest too, and a card that is paid in advance doesn't.
  @Test func aLiabilityOwesInterest() async throws {
    let bank = try await Bank(opening: "-100000", kind: .liability)
    try await bank.set("12", from: "2026-01-01", capitalised: true)
    #expect(try await bank.post("2026-02-01") == ["2026-02-01 -1019.18"])
    #expect(try bank.house.balance(bank.deposit) == total("-101019.18"))
    #expect(try bank.house.spent(bank.interest) == total("1019.18"))
    let paid = try await Bank(opening: "100000", kind: .liability)
    try await paid.set("12", from: "2026-01-01")
    #expect(try await paid.post("2026-02-01") == [])
    try await bank.house.end()
    try await paid.house.end()
  }

  // MARK: Links

  /// The bank's own row posts February; January stays due.
  @Test func aLinkPostsOneDueDay() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    let row = try await bank.house.income(
      money("920.50"), into: bank.deposit, bank.interest, on: "2026-03-02")
    try await bank.house.append(
      .link(row, SeriesLink(termsOf: bank.deposit, due: day("2026-03-01"))))
    #expect(try bank.accrued("2026-03-02").due.map(\.due) == [day("2026-02-01")])
    // On the day before, the bank hadn't posted it.
    #expect(try bank.accrued("2026-03-01").due.count == 2)
    #expect(try await bank.post("2026-03-02") == ["2026-02-01 1019.18"])
    try await bank.house.end()
  }

  @Test func aWrongLinkIsRefused() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    let other = try await bank.house.account("Other")
    let row = try await bank.house.income(money("5"), into: other, on: "2026-02-01")
    await #expect(throws: DaybookError.self) {
      try await bank.house.append(
        .link(row, SeriesLink(termsOf: bank.deposit, due: day("2026-02-02"))))
    }
    await #expect(throws: DaybookError.self) {
      try await bank.house.append(
        .link(row, SeriesLink(termsOf: bank.deposit, due: day("2026-02-01"))))
    }
    try await bank.house.end()
  }

  @Test func deletedAndSkippedInterestStaysAway() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    #expect(try await bank.post("2026-02-01").count == 1)
    let posted = try bank.house.ledger.read { try $0.transactions(limit: 1)[0].id }
    try await bank.house.append(.delete(posted))
    let march = SeriesLink(termsOf: bank.deposit, due: day("2026-03-01"))
    try await bank.house.append(.skipOccurrence(march))
    #expect(try await bank.post("2026-04-01") == ["2026-04-01 1019.18"])
    try await bank.house.append(.unskipOccurrence(march))
    #expect(try await bank.post("2026-04-01") == ["2026-03-01 920.55"])
    try await bank.house.ends { snapshot throws in
      #expect(try snapshot.isSkipped(SeriesLink(termsOf: bank.deposit, due: day("2026-02-01"))))
      #expect(try !snapshot.isSkipped(march))
    }
  }

  @Test func undoingTakesPostingsBack() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    #expect(try await bank.post("2026-03-01").count == 2)
    _ = try await bank.house.ledger.undoNewest()
    #expect(try bank.accrued("2026-03-01").due.count == 2)
    // Terms that transactions are linked to can't be undone.
    #expect(try await bank.post("2026-03-01").count == 2)
    try await bank.house.end()
  }

  @Test func closedDaysAreLeftOut() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    try await bank.house.append(.closePeriod(through: day("2026-02-10")))
    #expect(try await bank.post("2026-03-01") == ["2026-03-01 920.55"])
    try await bank.house.end()
  }

  // MARK: Terms

  @Test func dueDaysThatArePostedStay() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    #expect(try await bank.post("2026-02-01").count == 1)
    await #expect(throws: DaybookError.self) {
      try await bank.set("12", from: "2026-01-01", on: 15)
    }
    // A new rate changes nothing that is posted, and new days begin where the old ones end.
    var terms = try bank.terms("12", from: "2026-01-01")
    terms.rates.append(RateStep(from: day("2026-02-02"), rate: try #require(InterestRate("6"))))
    try await bank.house.append(.setTerms(terms))
    #expect(try bank.accrued("2026-02-03").total.text() == "32.876712")
    try await bank.set("12", from: "2026-02-01", on: 15)
    #expect(try await bank.post("2026-02-15") == ["2026-02-15 464.96"])
    try await bank.house.end()
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func impossibleTermsAreRefused(which: Int) async throws {
    let bank = try await Bank()
    var terms = try bank.terms("12", from: "2026-01-01")
    switch which {
    case 0: terms.rates = []
    case 1: terms.dueDay = 32
    case 2: terms.firstDue = terms.from
    case 3: terms.category = .uncategorizedExpense
    case 4: terms.loan = LoanTerms(principal: money("5"), paymentCount: 3)
    default: terms.rates.append(terms.rates[0])
    }
    let error = await #expect(throws: DaybookError.self) {
      try await bank.house.append(.setTerms(terms))
    }
    #expect(error?.message.isEmpty == false)
    try await bank.house.end()
  }

  @Test func removingTermsKeepsWhatIsPosted() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    #expect(try await bank.post("2026-02-01").count == 1)
    try await bank.house.append(.removeTerms(bank.deposit))
    try await bank.house.ends { snapshot throws in
      #expect(try snapshot.terms() == [])
      #expect(try snapshot.transactions(limit: 5).map(\.series) == [nil])
      #expect(try snapshot.accruedInterest(of: bank.deposit, on: today) == nil)
    }
  }

  @Test func anAccountThatGoesTakesItsTermsAlong() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01")
    let other = try await bank.house.account("Other")
    try await bank.house.append(.mergeAccounts(bank.deposit, into: other))
    #expect(try bank.house.ledger.read { try $0.terms() } == [])
    try await bank.house.end()
  }

  @Test func forecastsKnowWhatFallsDue() async throws {
    let bank = try await Bank()
    try await bank.set("12", from: "2026-01-01", capitalised: true)
    try bank.house.ledger.read { snapshot throws in
      let plain = try snapshot.forecast(
        of: bank.deposit, through: day("2026-04-01"), today: today)
      #expect(plain.balances.last?.total == total("100000"))
      let known = try snapshot.forecast(
        of: bank.deposit, through: day("2026-04-01"), today: today, includesInterest: true)
      #expect(known.balances.last?.total == total("102988.15"))
      // What is overdue counts tomorrow.
      #expect(known.balances[1].total == total("101019.18"))
    }
    try await bank.house.end()
  }
}
