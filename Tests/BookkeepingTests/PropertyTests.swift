// Goal: whatever is recorded, amended, merged or refused, the ledger's laws hold.
// Method: seeded random drafts and amendments over several currencies; after each accepted command every
// currency of every transaction sums to zero, account postings are in the account's currency, the
// type follows from the categories, and amending an unrelated property keeps all amounts.

import DaybookBookkeeping
import DaybookEntities
import DaybookRandom
import Testing

@Suite struct PropertyTests {
  static func draft(_ ledger: Fixture, _ random: inout SeededGenerator) throws -> Draft {
    let currencies = [ledger.kzt, ledger.usd, ledger.eur]
    func amount(_ currency: Currency? = nil) -> Money {
      let units = Int64(bitPattern: random.next()) >> Int64.random(in: 20...63, using: &random)
      return Money(units, currency ?? currencies[Int.random(in: 0..<3, using: &random)])
    }
    let accounts: [AccountID?] = [ledger.cash, ledger.bank, ledger.dollars, nil, .outside]
    let categories: [CategoryID?] = [ledger.food, ledger.travel, ledger.salary, nil]
    func account() -> AccountID? { accounts[Int.random(in: 0..<5, using: &random)] }
    func category() -> CategoryID? { categories[Int.random(in: 0..<4, using: &random)] }
    let day = ledger.today.adding(days: Int.random(in: -30...30, using: &random))
    switch Int.random(in: 0...5, using: &random) {
    case 0: return .expense(amount(), from: account(), category: category(), on: day)
    case 1: return .income(amount(), into: account(), category: category(), on: day)
    case 2: return .refund(amount(), into: account(), category: category(), on: day)
    case 3:
      let source = account()
      let own: Currency? =
        source == ledger.dollars ? ledger.usd : source.map { _ in ledger.kzt }
      return .transfer(amount(own), from: source, to: account(), on: day)
    default:
      let parts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Draft.Part(
          amount(), category(), note: "part", isReversed: Bool.random(using: &random))
      }
      return .split(from: account(), parts: parts, on: day)
    }
  }

  static func amendment(_ ledger: Fixture, _ random: inout SeededGenerator) throws -> Amendment {
    var amendment = Amendment()
    if Bool.random(using: &random) {
      amendment.amount = Money(
        Int64.random(in: 0...1_000_000, using: &random),
        [ledger.kzt, ledger.usd, ledger.eur][
          Int.random(in: 0..<3, using: &random)])
    }
    if Bool.random(using: &random) {
      amendment.account = [ledger.cash, ledger.bank, ledger.dollars, .outside].randomElement(
        using: &random)
    }
    if Bool.random(using: &random) {
      amendment.category = [ledger.food, ledger.travel, ledger.salary].randomElement(using: &random)
    }
    if Bool.random(using: &random) {
      amendment.day = ledger.today.adding(days: Int.random(in: -5...5, using: &random))
    }
    return amendment
  }

  func checkLaws(_ ledger: Fixture, _ id: TransactionID, _ comment: Comment) throws {
    let transaction = try ledger.stored(id)
    var sums: [Currency: Int128] = [:]
    var kinds: Set<CategoryKind> = []
    for posting in transaction.postings {
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
      switch posting.account {
      case .account(let id):
        if let account = try ledger.state.account(id) {
          #expect(account.currency == posting.amount.currency, comment)
        }
      case .category(let id):
        kinds.insert(
          try #require(try ledger.state.category(id) ?? DaybookBookkeeping.Category.builtin(id))
            .kind)
      }
    }
    #expect(sums.values.allSatisfy { $0 == 0 }, comment)
    let type: TransactionType =
      kinds.contains(.income) ? .income : kinds.isEmpty ? .transfer : .expense
    #expect(transaction.type == type, comment)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func whatIsAcceptedBalances(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var ledger = try Fixture()
    var accepted = 0
    for _ in 0..<80 {
      let draft = try Self.draft(ledger, &random)
      do throws(Refusal) {
        let outcome = try ledger.state.run(.record(draft))
        guard let id = outcome.transaction else { continue }
        accepted += 1
        do {
          try checkLaws(ledger, id, "seed \(seed): \(draft)")
          try amendAtRandom(&ledger, id, &random, "seed \(seed): \(draft)")
        } catch {
          Issue.record("seed \(seed): \(error)")
        }
      } catch {
        #expect(error.code != .state && error.code != .unbalanced, "seed \(seed): \(error)")
        #expect(error.message.count > 30)
      }
    }
    #expect(accepted > 10, "seed \(seed)")
  }

  private func amendAtRandom(
    _ ledger: inout Fixture, _ id: TransactionID, _ random: inout SeededGenerator,
    _ comment: Comment
  ) throws {
    let before = try ledger.stored(id)
    try ledger.state.run(.amend(id, Amendment(note: "n", tags: ["t"])))
    #expect(try ledger.stored(id).postings == before.postings, comment)
    let amendment = try Self.amendment(ledger, &random)
    guard ledger.state.refusal(.amend(id, amendment)) == nil else { return }
    try ledger.state.run(.amend(id, amendment))
    try checkLaws(ledger, id, comment)
    let after = try ledger.stored(id)
    #expect(after.day == amendment.day ?? before.day, comment)
    if let account = amendment.account {
      #expect(after.postings.contains { $0.account == .account(account) }, comment)
    }
    if let category = amendment.category {
      #expect(after.postings.contains { $0.account == .category(category) }, comment)
    }
  }

  @Test func sameStateAndCommandSameChanges() throws {
    var random = SeededGenerator(seed: 99)
    for _ in 0..<50 {
      var ledger = try Fixture()
      let draft = try Self.draft(ledger, &random)
      var other = ledger
      _ = try? ledger.state.run(.record(draft))
      _ = try? other.state.run(.record(draft))
      #expect(ledger.state.changes == other.state.changes)
    }
  }
}

@Suite struct MergeTests {
  @Test(arguments: MergePolicy.allCases)
  func differentPropertiesBothWin(_ policy: MergePolicy) throws {
    var ledger = try Fixture()
    try ledger.state.run(.setSettings(SettingsChange(mergePolicy: policy)))
    let id = try ledger.lunch()
    let seen = try ledger.stored(id)
    try ledger.state.run(.amend(id, Amendment(note: "theirs", seen: seen)))
    try ledger.state.run(.amend(id, Amendment(amount: money("7", "KZT"), seen: seen)))
    try ledger.state.run(.amend(id, Amendment(account: ledger.bank, seen: seen)))
    let stored = try ledger.stored(id)
    #expect(stored.note == "theirs")
    #expect(
      try stored.postings == [
        Posting(.account(ledger.bank), money("-7", "KZT")),
        Posting(.category(ledger.food), money("7", "KZT")),
      ])
  }

  @Test func onTheSamePropertyThePolicyDecides() throws {
    for (policy, note, units) in [
      (MergePolicy.lastWriter, "mine", Int64(900)), (.firstWriter, "theirs", 800),
    ] {
      var ledger = try Fixture()
      try ledger.state.run(.setSettings(SettingsChange(mergePolicy: policy)))
      let id = try ledger.lunch()
      let seen = try ledger.stored(id)
      try ledger.state.run(.amend(id, Amendment(amount: money("8", "KZT"), note: "theirs")))
      try ledger.state.run(
        .amend(id, Amendment(amount: money("9", "KZT"), payee: "p", note: "mine", seen: seen)))
      let stored = try ledger.stored(id)
      #expect(stored.note == note && stored.payee == "p")
      #expect(stored.postings[1].amount.minorUnits == units)
    }
  }

  @Test func agreementIsNoConflict() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setSettings(SettingsChange(mergePolicy: .error)))
    let id = try ledger.lunch()
    let seen = try ledger.stored(id)
    try ledger.state.run(.amend(id, Amendment(note: "same")))
    try ledger.state.run(.amend(id, Amendment(note: "same", seen: seen)))
    let account = try #require(try ledger.state.account(ledger.cash))
    try ledger.state.run(.amendAccount(ledger.cash, AccountChange(name: "Purse")))
    let late = Command.amendAccount(ledger.cash, AccountChange(name: "Wallet", seen: account))
    #expect(ledger.state.refusal(late)?.code == .conflict)
  }
}
