/// Goal: what is spent on cards is set aside for their payment as users of YNAB expect (actual #1995).
/// Method: small households with figures by hand; each ends as the scenarios do. Cash is always what is
/// ready to assign, in envelopes, in payments, assigned later, or overspent on cards.
import Daybook
import Testing

@Suite struct EnvelopeCardTests {
  typealias Home = EnvelopeTests.Home

  /// The figures of a month in whole units.
  private struct Shown: Equatable {
    var food: Int128
    var ready: Int128
    /// What each card owes, and what is set aside to pay it.
    var cards: [[Int128]]

    init(food: Int128, ready: Int128, _ cards: [Int128]...) {
      self.food = food
      self.ready = ready
      self.cards = cards
    }

    init(_ month: EnvelopeMonth, _ category: CategoryID) {
      let envelope = month.envelopes.first { $0.category.id == category }
      food = (envelope?.available.units ?? 0) / 100
      ready = month.readyToAssign.units / 100
      cards = month.payments.map { [$0.debt.units / 100, $0.available.units / 100] }
    }
  }

  /// A household with 1,000 in cash and a card.
  private struct Wallet {
    let home: Home
    let card: AccountID

    init(owing: String? = nil) async throws {
      home = try await Home()
      card = try await home.house.account("Card", kind: .liability)
      guard let owing else { return }
      let debt = Money(-money(owing).minorUnits, kzt)
      try await home.house.append(.setOpening(card, debt))
    }

    func buy(_ amount: String, _ on: String, with account: AccountID? = nil) async throws {
      try await home.house.expense(money(amount), from: account ?? card, home.food, on: on)
    }

    func pay(_ amount: String, _ on: String) async throws {
      try await home.house.append(
        .record(.transfer(money(amount), from: home.checking, to: card, on: day(on))))
    }

    func setAside(_ amount: String, _ text: String) async throws {
      try await home.house.append(.assignPayment(money(amount), to: card, in: month(text)))
    }

    func shown(_ text: String) throws -> Shown {
      try home.house.ledger.read { try check($0, text) }
    }

    /// The figures, if no money is lost or made.
    func check(_ snapshot: borrowing Snapshot, _ text: String) throws -> Shown {
      let only = month(text)..<month(text).adding(1)
      let found = try snapshot.envelopes(over: only, today: today)[0]
      let cash = try snapshot.balances(on: min(month(text).last, today))
        .filter { $0.account.kind == .asset && !$0.account.isOutsideBudget }
        .reduce(0) { $0 + $1.balance.units }
      let parts =
        [found.readyToAssign.units, found.assignedLater.units]
        + found.envelopes.map(\.available.units)
        + found.payments.flatMap { [$0.available.units, $0.overspent.units] }
      #expect(parts.reduce(0, +) == cash, "\(text)")
      return Shown(found, home.food)
    }
  }

  /// The example of Docs/Notes/Envelopes.md.
  @Test func overspendingOnACardBecomesDebt() async throws {
    let wallet = try await Wallet()
    try await wallet.home.assign("100", wallet.home.food, "2025-12")
    try await wallet.buy("120", "2025-12-10")
    #expect(try wallet.shown("2025-12") == Shown(food: -20, ready: 900, [120, 100]))
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 900, [120, 100]))
    try await wallet.setAside("20", "2026-01")
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 880, [120, 120]))
    try await wallet.pay("120", "2026-01-20")
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 880, [0, 0]))
    try await wallet.home.house.ends { snapshot throws in
      #expect(try wallet.check(snapshot, "2025-12") == Shown(food: -20, ready: 900, [120, 100]))
      #expect(try wallet.check(snapshot, "2026-02") == Shown(food: 0, ready: 880, [0, 0]))
    }
  }

  /// Overspending that is covered in its month leaves no debt.
  @Test func coveredOverspendingIsSetAside() async throws {
    let wallet = try await Wallet()
    try await wallet.home.assign("100", wallet.home.food, "2026-01")
    try await wallet.buy("120", "2026-01-10")
    try await wallet.home.house.append(
      .moveMoney(money("20"), from: nil, to: wallet.home.food, in: month("2026-01")))
    try await wallet.home.house.ends { snapshot throws in
      #expect(try wallet.check(snapshot, "2026-01") == Shown(food: 0, ready: 880, [120, 120]))
      #expect(try wallet.check(snapshot, "2026-02") == Shown(food: 0, ready: 880, [120, 120]))
    }
  }

  /// What cash paid too much is taken from the money to assign; what the card paid becomes debt.
  @Test func cashAndCardsOverspendTogether() async throws {
    let wallet = try await Wallet()
    try await wallet.home.assign("100", wallet.home.food, "2025-12")
    try await wallet.buy("130", "2025-12-10", with: wallet.home.checking)
    try await wallet.buy("40", "2025-12-11")
    #expect(try wallet.shown("2025-12") == Shown(food: -70, ready: 900, [40, 0]))
    // Of 70, the card paid 40; cash paid 30.
    try await wallet.home.house.ends { snapshot throws in
      #expect(try wallet.check(snapshot, "2026-01") == Shown(food: 0, ready: 870, [40, 0]))
    }
  }

  /// An envelope that carries overspending owes it itself; the card's whole debt is set aside.
  @Test func carriedOverspendingIsNoDebt() async throws {
    let wallet = try await Wallet()
    try await wallet.home.carry(wallet.home.food)
    try await wallet.buy("120", "2025-12-10")
    try await wallet.home.house.ends { snapshot throws in
      for text in ["2025-12", "2026-01"] {
        #expect(
          try wallet.check(snapshot, text) == Shown(food: -120, ready: 1_000, [120, 120]), "\(text)"
        )
      }
    }
  }

  /// Debt that was there before takes nothing from what is ready to assign, until it is paid.
  @Test func olderDebtIsPaidByAssigning() async throws {
    let wallet = try await Wallet(owing: "500")
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 1_000, [500, 0]))
    try await wallet.setAside("200", "2026-01")
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 800, [500, 200]))
    try await wallet.pay("200", "2026-01-20")
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 800, [300, 0]))
    // More is paid than is set aside: it is missing next month.
    try await wallet.pay("50", "2026-01-21")
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 800, [250, -50]))
    try await wallet.home.house.ends { snapshot throws in
      #expect(try wallet.check(snapshot, "2026-02") == Shown(food: 0, ready: 750, [250, 0]))
    }
  }

  /// A refund returns to the envelope and takes less to pay.
  @Test func aRefundOnACard() async throws {
    let wallet = try await Wallet()
    try await wallet.home.assign("100", wallet.home.food, "2026-01")
    try await wallet.buy("80", "2026-01-10")
    try await wallet.home.house.append(
      .record(
        .refund(
          money("30"), into: wallet.card, category: wallet.home.food, on: day("2026-01-20"))))
    try await wallet.home.house.ends { snapshot throws in
      #expect(try wallet.check(snapshot, "2026-01") == Shown(food: 50, ready: 900, [50, 50]))
    }
  }

  /// Two cards take their part of the overspending in the order of their ids; a transaction that cash
  /// paid too is cash.
  @Test func twoCardsAndASharedPayment() async throws {
    let wallet = try await Wallet()
    let (home, card) = (wallet.home, wallet.card)
    let other = try await home.house.account("Other", kind: .liability)
    #expect(card < other)
    try await wallet.buy("30", "2025-12-10", with: other)
    try await wallet.buy("20", "2025-12-11")
    try await home.assign("10", home.food, "2025-12")
    try await home.house.append(
      .record(
        Draft(
          .postings([
            Posting(.account(card), money("5").negative), Posting(.category(home.food), money("9")),
            Posting(.account(home.checking), money("4").negative),
          ]), on: day("2025-12-12"))))
    // Of 49 that are overspent, 20 were spent on the card and 29 of 30 on the other one.
    #expect(
      try wallet.shown("2025-12") == Shown(food: -49, ready: 990, [25, 5], [30, 1]))
    try await home.house.ends { snapshot throws in
      #expect(
        try wallet.check(snapshot, "2026-01") == Shown(food: 0, ready: 990, [25, 5], [30, 1]))
    }
  }

  /// A card in another currency is converted at the end of each month; a change of the rate is debt that
  /// isn't set aside.
  @Test func aCardInAnotherCurrency() async throws {
    let home = try await Home()
    let card = try await home.house.account("Dollars", in: usd, kind: .liability)
    try await home.assign("900", home.food, "2025-12")
    try await home.house.expense(money("2", usd), from: card, home.food, on: "2025-12-10")
    func payment(_ text: String) throws -> [Int128] {
      let months = try home.house.ledger.read {
        try $0.envelopes(over: month(text)..<month(text).adding(1), today: today)
      }
      return [months[0].readyToAssign.units / 100]
        + months[0].payments.flatMap { [$0.debt.units / 100, $0.available.units / 100] }
    }
    #expect(try payment("2025-12") == [100, 900, 900])
    try await home.house.append(try home.house.rate(usd, kzt, "500", "2026-01-05"))
    #expect(try payment("2026-01") == [100, 1_000, 900])
    try await home.house.end()
  }

  // MARK: Commands

  @Test func mergedAndDeletedCards() async throws {
    let wallet = try await Wallet(owing: "500")
    let (home, card) = (wallet.home, wallet.card)
    let other = try await home.house.account("Other", kind: .liability)
    try await wallet.setAside("200", "2026-01")
    try await home.house.append(.assignPayment(money("50"), to: other, in: month("2026-01")))
    let before = Shown(food: 0, ready: 750, [500, 200], [0, 50])
    #expect(try wallet.shown("2026-01") == before)
    let merged = try await home.house.append(.mergeAccounts(card, into: other))
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 750, [500, 250]))
    try await home.house.ledger.undo(commit: merged.token.sequence)
    #expect(try wallet.shown("2026-01") == before)
    try await home.house.append(.deleteAccount(other, .withRows))
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 800, [500, 200]))
    // Outside the budget, a liability is no card, and its money is ready to assign.
    var change = AccountChange()
    change.isOutsideBudget = true
    try await home.house.append(.amendAccount(card, change))
    #expect(try wallet.shown("2026-01") == Shown(food: 0, ready: 1_000))
    change.isOutsideBudget = false
    try await home.house.append(.amendAccount(card, change))
    try await home.house.ends { snapshot throws in
      #expect(try wallet.check(snapshot, "2026-01") == Shown(food: 0, ready: 800, [500, 200]))
    }
  }

  @Test func whatIsRefused() async throws {
    let home = try await Home()
    let opened = try await home.house.append(
      .openAccount(NewAccount(name: "Card", kind: .liability, currency: kzt)))
    let card = try #require(opened.accounts.first)
    let march = month("2026-03")
    let cases: [(Command, Refusal.Code)] = [
      (.assignPayment(money("1"), to: home.checking, in: march), .kind),
      (.assignPayment(money("1", usd), to: card, in: march), .currencyMismatch),
      (.assignPayment(money("1"), to: card, in: Month(year: 10_000, month: 1)), .day),
      (.assignPayment(money("1"), to: .outside, in: march), .builtin),
      (.assignPayment(money("1"), to: AccountID(EntityID(high: 9, low: 9)), in: march), .missing),
    ]
    for (command, code) in cases {
      let error = await #expect(throws: DaybookError.self) {
        try await home.house.append(command)
      }
      #expect(error?.refusal?.code == code, "\(command)")
    }
    let assigned = try await home.house.append(.assignPayment(money("1"), to: card, in: march))
    let error = await #expect(throws: DaybookError.self) {
      try await home.house.ledger.undo(commit: opened.token.sequence)
    }
    #expect(error?.refusal?.code == .inUse)
    try await home.house.ledger.undo(commit: assigned.token.sequence)
    try await home.house.ledger.undo(commit: opened.token.sequence)
    try await home.house.end()
  }
}

extension Money {
  fileprivate var negative: Money { Money(-minorUnits, currency) }
}
