// Goal: lists are read upwards as they are downwards, and running balances add up.
// Method: as for the other queries; balances are compared with sums over every posting.

import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookProjections
import Testing

/// Pages upwards from the oldest row, and from anywhere, are the same list.
func checkUpwards(
  _ selection: Selection, _ expected: [Transaction], _ limit: Int, _ view: borrowing View,
  _ place: String, at key: (Transaction) -> RowKey
) throws {
  var pages: [Transaction] = []
  while true {
    let from = pages.first.map { key($0).successor }
    let page = try Transactions.page(
      selection, from: from ?? RowKey.first(of: Day(rawValue: .min)), limit: limit, in: view)
    pages = page + pages
    if page.count < limit { break }
  }
  #expect(pages == expected, "\(place) upwards")
  for row in expected.prefix(3) {
    // A place need not be that of a row.
    let from = key(row).successor
    let above = expected.prefix { key($0) >= from }
    let page = try Transactions.page(selection, from: from, limit: limit, in: view)
    #expect(page == Array(above.suffix(limit)), "\(place) above \(row.day)")
  }
}

/// What an account held after each row of its list, by adding up.
@Test(arguments: 60..<63 as Range<UInt64>)
func runningBalances(seed: UInt64) async throws {
  try await withStore(seed: seed, batches: 3, size: 90) { world, view in
    for account in world.accounts {
      var question = Question()
      question.account = account.id
      let rows = world.list(question)
      for day in Set(rows.map { world.day(of: $0, account.id) }) {
        let end = world.balance(of: account, on: day)
        let ofDay = rows.filter { world.day(of: $0, account.id) == day }
        var expected: [Int128] = []
        var balance = end
        for row in ofDay {
          expected.append(balance)
          for posting in row.postings where posting.account == .account(account.id) {
            balance -= Int128(posting.amount.minorUnits)
          }
        }
        let keys = ofDay.map { RowKey(day: day, number: $0.number) }
        let found = try Transactions.balances(of: account.id, after: keys, end: end, in: view)
        #expect(found == expected, "seed \(seed), \(account.name) on \(day)")
        // Below all rows of the day is what it held before.
        let below = [RowKey.first(of: day)]
        #expect(
          try Transactions.balances(of: account.id, after: below, end: end, in: view) == [balance])
      }
    }
  }
}

/// Where one list answers a page's conditions, no row is tested; where several do, hardly more than the
/// shortest of their lists has: which is the shortest is told by counts in which a split is there twice.
@Test(arguments: 70..<76 as Range<UInt64>)
func pagesLookAtNoMoreThanAList(seed: UInt64) async throws {
  try await withStore(seed: seed, batches: 2, size: 300) { world, view in
    for _ in 0..<60 {
      var question = world.question()
      question.text = nil
      question.days = nil
      var lists: [Question] = []
      if question.account != nil { lists.append(Question(account: question.account)) }
      if question.categories != nil { lists.append(Question(categories: question.categories)) }
      if question.type != nil || question.currency != nil {
        lists.append(Question(type: question.type, currency: question.currency))
      }
      guard let shortest = lists.map({ world.list($0).count }).min() else { continue }
      let testedCountMax = lists.count == 1 ? 0 : shortest + shortest / 4
      var testedCount = 0
      var selection = try question.selection(view)
      selection.isCancelled = {
        testedCount += 1
        return false
      }
      let page = try Transactions.page(selection, limit: 1_000, in: view)
      #expect(page == world.list(question), "seed \(seed), \(question)")
      #expect(testedCount <= testedCountMax, "seed \(seed), \(question)")
    }
  }
}
