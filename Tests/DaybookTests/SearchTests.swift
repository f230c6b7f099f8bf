// Goal: a search finds exactly what reading every row finds, with and without the index, together with
// every other filter, and stays right when texts, days and names of categories change.
// Method: some thousand rows with seeded texts of several scripts; each answer is compared with a test
// of all rows. The index alone is asked by looking at no row first.

import DaybookProjections
import DaybookRandom
import Testing

@testable import Daybook

@Suite struct SearchTests {
  private static let words = [
    "Market", "Bäckerei", "Кофейня", "書店", "Straße", "Ticket", "Zażółć", "ISPARTA", "é", "👍🏽",
  ]

  /// A household of some thousand rows, by two accounts.
  private func filled(_ house: House, rows: Int) async throws -> (AccountID, AccountID, CategoryID)
  {
    let a = try await house.account("A")
    let b = try await house.account("B")
    let food = try await house.category("Food")
    let books = try await house.category("Books and more")
    var generator = SeededGenerator(seed: 41)
    func random(_ bound: Int) -> Int { generator.below(bound) }
    var commands: [Command] = []
    for index in 0..<rows {
      let words = Self.words
      let text = "\(words[random(words.count)]) \(words[random(words.count)]) \(random(9_000))"
      commands.append(
        .record(
          .expense(
            money(index % 400 == 7 ? "12.34" : "1"), from: random(50) == 0 ? b : a,
            category: random(3) == 0 ? books : food,
            on: day("2020-01-01").adding(days: random(2_000)), description: text,
            note: index % 700 == 3 ? "a rare remark" : "", tags: index % 900 == 5 ? ["tagged"] : [])
        ))
    }
    for start in stride(from: 0, to: commands.count, by: 2_000) {
      try await house.ledger.append(Array(commands[start..<min(start + 2_000, commands.count)]))
    }
    return (a, b, food)
  }

  private static let terms = [
    "market", "BACKEREI", "бäck", "кофе", "書", "書店", "strasse", "aß", "zazolc", "isparta", "ışpar",
    "e", "👍", "👍🏽", "rare remark", "tagged", "more", "12", "777", "8", "zebra", "q", "qq", "t 1",
    "%",
  ]

  private func check(_ house: House, _ filter: TransactionFilter) throws {
    try house.ledger.read { snapshot throws in
      let names = Dictionary(
        uniqueKeysWithValues: try snapshot.categories().map { ($0.id, $0.name) })
      var plain = filter
      plain.text = nil
      let rows = try snapshot.transactions(plain, limit: 10_000)
      for text in Self.terms {
        let term = SearchTerm(text)
        let expected = rows.filter { row in
          term.matches(row.description) || term.matches(row.note)
            || row.amount.map { size in filter.textAmounts.contains { $0.contains(size) } } == true
            || row.tags.contains { term.matches($0) }
            || row.postings.contains { posting in
              if case .category(let id) = posting.account {
                term.matches(names[id] ?? "")
              } else {
                false
              }
            }
        }.map(\.id)
        var wanted = filter
        wanted.text = text
        #expect(try snapshot.count(wanted) == expected.count, "\(text)")
        let found = try snapshot.transactions(wanted, limit: 10_000)
        #expect(found.map(\.id) == expected, "\(text)")
        // By pages, each from the last row of the one before.
        var paged: [TransactionID] = []
        var key: TransactionPosition?
        while paged.count < min(expected.count, 120) {
          let page = try snapshot.transactions(wanted, after: key, limit: 37)
          paged += page.map(\.id)
          key = page.last?.key
          if page.isEmpty { break }
        }
        #expect(paged == Array(expected.prefix(paged.count)), "\(text)")
        #expect(paged.count >= min(expected.count, 120), "\(text)")
        // And upwards from the oldest, as a list is scrolled back.
        let selection = try snapshot.selection(wanted)
        var upwards: [TransactionID] = []
        var from = RowKey.first(of: .min)
        while upwards.count < min(expected.count, 120) {
          let page = try Transactions.page(selection, from: from, limit: 37, in: snapshot.view)
          guard let newest = page.first else { break }
          upwards = page.map(\.id) + upwards
          from = RowKey(newest.key).successor
        }
        #expect(upwards == Array(expected.suffix(upwards.count)), "\(text)")
        #expect(upwards.count >= min(expected.count, 120), "\(text)")
      }
    }
  }

  @Test(arguments: [0, 10, 256]) func findsWhatReadingEveryRowFinds(newest: Int) async throws {
    let house = try await House()
    let (_, b, food) = try await filled(house, rows: 3_000)
    let span = day("2021-03-01")..<day("2022-08-15")
    try TextSearchLimits.$newestCount.withValue(newest) {
      try TextSearchLimits.$listCount.withValue(newest == 10 ? 0 : 4_096) {
        try check(house, .all)
        try check(house, TransactionFilter(account: b))
        try check(house, TransactionFilter(category: food, days: span))
        try check(house, TransactionFilter(days: span))
        try check(house, TransactionFilter(type: .transfer))
        let amounts = [AmountRange(12_34...12_34, decimals: 2), AmountRange(50...51, decimals: 0)]
        try check(house, TransactionFilter(textAmounts: amounts))
        try check(house, TransactionFilter(account: b, textAmounts: amounts))
      }
    }
    try await house.end()
  }

  @Test func followsChanges() async throws {
    let house = try await House()
    let (_, _, food) = try await filled(house, rows: 600)
    let rows = try house.ledger.read { try $0.transactions(limit: 600) }
    try await house.ledger.append([
      .amend(rows[10].id, Amendment(description: "an abacus")),
      .amend(rows[20].id, Amendment(day: day("2031-01-01"), note: "abacuses")),
      .amend(rows[500].id, Amendment(tags: ["ABACUS"])), .delete(rows[30].id),
    ])
    try TextSearchLimits.$newestCount.withValue(0) {
      try house.ledger.read { snapshot throws in
        let found = try snapshot.transactions(.init(text: "abacus"), limit: 9).map(\.id)
        #expect(found == [rows[20].id, rows[10].id, rows[500].id])
      }
      try check(house, .all)
    }
    try await house.ledger.append(.amendCategory(food, CategoryChange(name: "Groceries")))
    try TextSearchLimits.$newestCount.withValue(0) {
      let counts = try house.ledger.read { snapshot throws in
        (
          try snapshot.count(.init(text: "food")), try snapshot.count(.init(text: "grocer")),
          try snapshot.count(.init(category: food))
        )
      }
      #expect(counts.0 == 0)
      #expect(counts.1 == counts.2)
    }
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }

  @Test func withoutTheIndexRowsAreRead() async throws {
    let house = try await House()
    _ = try await filled(house, rows: 300)
    try await house.ledger.close()
    var options = House.options()
    options.indexesTexts = false
    house.ledger = try await Ledger.open(at: house.path, options: options)
    #expect(try await house.ledger.info().projections.allSatisfy { $0.name != "search" })
    try check(house, .all)
    // What is recorded meanwhile is found as well, then and once there is an index again.
    let row = try house.ledger.read { try $0.transactions(limit: 1)[0] }
    try await house.ledger.append(.amend(row.id, Amendment(description: "written unindexed")))
    for indexesTexts in [false, true] {
      try await house.ledger.close()
      options.indexesTexts = indexesTexts
      house.ledger = try await Ledger.open(at: house.path, options: options)
      try check(house, .all)
      #expect(try house.ledger.read { try $0.count(.init(text: "unindexed")) } == 1)
      #expect(try await house.ledger.verify().findings == [])
    }
    try await house.end()
  }
}
