/// Goal: a category is suggested only where a rule or the payee's past indicates one, and nothing
/// changes until it is accepted.
/// Method: small ledgers after what users of other programs reported, with answers worked out by hand; and
/// seeded ledgers with few payees, which the reference model recomputes.
import Daybook
import DaybookRandom
import DaybookTesting
import Testing

@Suite struct SuggestionTests {
  private func record(
    _ house: House, _ payee: String, _ category: CategoryID?, _ count: Int = 1,
    on text: String = "2026-02-10", isIncome: Bool = false
  ) async throws {
    let accounts = try house.ledger.read { try $0.accounts() }
    let account = try #require(accounts.first).id
    let draft: Draft =
      isIncome
      ? .income(money("10"), into: account, category: category, on: day(text), payee: payee)
      : .expense(money("10"), from: account, category: category, on: day(text), payee: payee)
    _ = try await house.ledger.append(Array(repeating: .record(draft), count: count))
  }

  /// The suggestion for the newest uncategorised transaction of a payee.
  private func suggestion(_ house: House, _ payee: String) throws -> CategorySuggestion? {
    try house.ledger.read { snapshot throws in
      try snapshot.suggestions(limit: 100).first { $0.transaction.payee == payee }?.suggestion
    }
  }

  /// Dozens of visits to one restaurant, recorded with their category, still left the next one blank.
  ///
  /// A person's first entries count like corrections.
  @Test func everyCategorisedRowOfAPayeeCounts() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let dining = try await house.category("Dining out")
    try await record(house, "Soccer Taco", dining, 24)
    try await record(house, "Soccer Taco", nil)
    #expect(
      try suggestion(house, "Soccer Taco")
        == CategorySuggestion(category: dining, count: 24, total: 24))
    try await house.end()
  }

  /// A program that predicts something for every row hides the ones it doesn't know.
  @Test func anUnknownPayeeGetsNoSuggestion() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let food = try await house.category("Food")
    try await record(house, "Rewe", food, 9)
    try await record(house, "Rewa", nil)
    try await record(house, "", food, 9)
    try await record(house, "", nil)
    try await record(house, "Once", food)
    try await record(house, "Once", nil)
    for payee in ["Rewa", "", "Once"] { #expect(try suggestion(house, payee) == nil) }
    #expect(try house.ledger.read { try $0.suggestions(limit: 100) }.count == 3)
    try await house.end()
  }

  /// A department store sells everything, so its last category says nothing about the next one.
  @Test func aPayeeOfManyCategoriesGetsNoSuggestion() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let books = try await house.category("Books")
    let clothes = try await house.category("Clothes")
    try await record(house, "Amazon", books, 5)
    try await record(house, "Amazon", clothes, 4)
    try await record(house, "Amazon", nil)
    #expect(try suggestion(house, "Amazon") == nil)
    try await record(house, "Amazon", books)
    #expect(
      try suggestion(house, "Amazon") == CategorySuggestion(category: books, count: 6, total: 10))
    try await house.end()
  }

  /// Banks write a payee in capitals, a person doesn't.
  ///
  /// A refund recorded as income isn't spending.
  @Test func payeesAreFoldedAndKindsKeptApart() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let food = try await house.category("Café")
    let wages = try await house.category("Wages", .income)
    try await record(house, "CAFÉ ARU", food, 3)
    try await record(house, "Cafe Aru", wages, 2, isIncome: true)
    try await record(house, "café aru", nil)
    try await record(house, "cafe aru", nil, isIncome: true)
    #expect(
      try suggestion(house, "café aru") == CategorySuggestion(category: food, count: 3, total: 3))
    #expect(
      try suggestion(house, "cafe aru") == CategorySuggestion(category: wages, count: 2, total: 2))
    try await house.end()
  }

  /// A category that a person has put away is not suggested again.
  @Test func hiddenAndDeletedCategoriesDontCount() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let old = try await house.category("Old")
    let new = try await house.category("New")
    try await record(house, "Rewe", old, 20)
    try await record(house, "Rewe", new, 2)
    try await record(house, "Rewe", nil)
    #expect(try suggestion(house, "Rewe")?.category == old)
    let seen = try #require(try house.ledger.read { try $0.category(old) })
    var change = CategoryChange(seen: seen)
    change.isHidden = true
    try await house.append(.amendCategory(old, change))
    #expect(
      try suggestion(house, "Rewe") == CategorySuggestion(category: new, count: 2, total: 2))
    try await house.append(.deleteCategory(new, .keepRows))
    #expect(try suggestion(house, "Rewe") == nil)
    try await house.end()
  }

  /// A rule recorded after the rows comes first, and is named.
  @Test func aMatchingRuleComesFirst() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let food = try await house.category("Food")
    let home = try await house.category("Home")
    try await record(house, "Rewe", food, 5)
    try await record(house, "Rewe", nil)
    let rule = CategoryRule(
      name: "Household", conditions: [.text(.payee, .equals, "rewe")], category: home)
    try await house.append(.putRule(rule))
    #expect(
      try suggestion(house, "Rewe") == CategorySuggestion(category: home, rule: rule.id))
    // Only acceptance changes the row, and undo takes it back.
    let row = try #require(try house.ledger.read { try $0.suggestions(limit: 1) }.first)
    #expect(row.transaction.category == .uncategorizedExpense)
    try await house.append(try #require(row.command))
    try house.ledger.read { snapshot throws in
      #expect(try snapshot.transaction(row.transaction.id)?.category == home)
      #expect(try snapshot.suggestions(limit: 1) == [])
    }
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    #expect(try suggestion(house, "Rewe")?.rule == rule.id)
    try await house.end()
  }

  /// A payee with many rows costs no more than its newest ones.
  @Test func onlyTheNewestRowsOfAPayeeAreRead() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    let (old, new) = (try await house.category("Old"), try await house.category("New"))
    try await record(house, "Rewe", old, 300, on: "2025-06-01")
    try await record(house, "Rewe", new, 50, on: "2025-07-01")
    try await record(house, "Rewe", nil, 449, on: "2025-08-01")
    #expect(
      try suggestion(house, "Rewe") == CategorySuggestion(category: new, count: 50, total: 50))
    try await record(house, "Rewe", nil, 49, on: "2025-08-01")
    #expect(
      try suggestion(house, "Rewe") == CategorySuggestion(category: new, count: 2, total: 2))
    try await record(house, "Rewe", nil, on: "2025-08-01")
    #expect(try suggestion(house, "Rewe") == nil)
    try await house.end()
  }

  @Test func closedPeriodsAndPages() async throws {
    let house = try await House(rates: false)
    _ = try await house.account("A")
    try await record(house, "a", nil, on: "2026-01-31")
    try await record(house, "b", nil, 3, on: "2026-02-01")
    try await house.append(.closePeriod(through: day("2026-01-31")))
    try house.ledger.read { snapshot throws in
      let first = try snapshot.suggestions(limit: 2)
      let rest = try snapshot.suggestions(after: first.last?.transaction.key, limit: 2)
      #expect((first + rest).map(\.transaction.payee) == ["b", "b", "b"])
      #expect(try snapshot.uncategorizedCount(upTo: 10).count == 3)
      let closed = TransactionFilter(days: month("2026-01").days)
      #expect(try snapshot.suggestions(closed, limit: 2) == [])
      let all = try snapshot.transactions(limit: 10)
      #expect(try snapshot.suggestions(for: all.map(\.id)).count == 3)
    }
    try await house.end()
  }

  @Test(arguments: 1...6) func suggestionsAreThoseOfTheModel(seed: UInt64) async throws {
    let house = try await House(rates: false)
    var random = SeededGenerator(seed: seed)
    let account = try await house.account("A")
    var categories: [CategoryID?] = [nil, nil]
    for name in ["Food", "Home", "Fun"] { categories.append(try await house.category(name)) }
    let wages = try await house.category("Wages", .income)
    var drafts: [Command] = []
    for _ in 0..<140 {
      let payee = random.pick(["Rewe", "REWE", "Café Aru", "Amazon", "Once", ""])
      let on = day("2026-01-01").adding(days: random.number(0...50))
      let usual = payee.lowercased() == "rewe" && random.chance(70)
      let category = usual ? categories[2] : random.pick(categories)
      if random.chance(10), let category {
        drafts.append(
          .record(
            Draft(
              .split(
                Draft.Split(
                  account: account, kind: .expense,
                  parts: [Draft.Part(money("4"), category), Draft.Part(money("6"), nil)])),
              on: on, payee: payee)))
      } else if random.chance(15) {
        let category = random.chance(50) ? wages : nil
        drafts.append(
          .record(.income(money("9"), into: account, category: category, on: on, payee: payee)))
      } else {
        drafts.append(
          .record(.expense(money("9"), from: account, category: category, on: on, payee: payee)))
      }
    }
    _ = try await house.ledger.append(drafts)
    if seed % 2 == 0 {
      var rule = CategoryRule(
        name: "Cafés", conditions: [.text(.any, .contains, "cafe")], category: categories[4])
      rule.isEnabled = seed % 4 == 0
      try await house.append(.putRule(rule))
    }
    if seed % 3 == 0 {
      try await house.append(.closePeriod(through: day("2026-01-20")))
    }
    let found = try house.ledger.read { try $0.suggestions(limit: 1_000) }
    #expect(found.count > 20)
    #expect(found.contains { $0.suggestion?.total ?? 0 > 1 })
    if seed == 4 { #expect(found.contains { $0.suggestion?.rule != nil }) }
    // Before they are recorded, the same is suggested.
    let whole = found.filter { !$0.transaction.isSplit && $0.transaction.day > day("2026-01-20") }
    let unrecorded = whole.map { open in
      var draft = Draft(
        .entry(
          Draft.Entry(
            open.transaction.type == .income ? .income : .expense, money("9"), account: account,
            category: nil)),
        on: open.transaction.day, payee: open.transaction.payee)
      draft.details = open.transaction.details
      return draft
    }
    let before = try house.ledger.read { try $0.suggestions(for: unrecorded) }
    #expect(before == whole.map(\.suggestion))
    #expect(try await LedgerChecker(seed: seed).differences(in: house.ledger) == [])
    try await house.end()
  }
}
