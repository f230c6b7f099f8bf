// Goal: every query of the projections gives what a look at every transaction gives.
// Method: seeded random changes go through a real event store in batches; after each batch random
// questions are put to the projections and to the naive model, and once more after a rebuild.

import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookProjections
import Testing

@Test(arguments: 0..<6 as Range<UInt64>)
func listsAndCounts(seed: UInt64) async throws {
  try await withStore(seed: seed, batches: 4, size: 90) { world, view in
    for _ in 0..<40 {
      let question = world.question()
      let place = "seed \(seed), \(question)"
      let selection = try question.selection(view)
      let expected = world.list(question)
      #expect(try Transactions.count(selection, in: view) == expected.count, "\(place)")
      var pages: [Transaction] = []
      let limit = Int.random(in: 1...60, using: &world.random)
      while true {
        let after = pages.last.map { world.place(of: $0, question.account) }
        let page = try Transactions.page(selection, after: after, limit: limit, in: view)
        pages += page
        if page.count < limit { break }
      }
      #expect(pages == expected, "\(place)")
      try checkUpwards(selection, expected, limit, view, place) {
        world.place(of: $0, question.account)
      }
      for _ in 0..<4 {
        let offset = Int.random(in: 0...expected.count + 2, using: &world.random)
        let page = try Transactions.page(selection, offset: offset, limit: limit, in: view)
        #expect(page == Array(expected.dropFirst(offset).prefix(limit)), "\(place) from \(offset)")
      }
    }
  }
}

@Test(arguments: 10..<14 as Range<UInt64>)
func daySections(seed: UInt64) async throws {
  try await withStore(seed: seed, batches: 3, size: 90) { world, view in
    for _ in 0..<40 {
      let question = world.question()
      let selection = try question.selection(view)
      let expected = world.sections(question)
      var sections: [DaySums] = []
      let limit = Int.random(in: 1...40, using: &world.random)
      while true {
        let page = try Transactions.sections(
          selection, after: sections.last?.day, limit: limit, in: view)
        sections += page
        if page.count < limit { break }
      }
      let found = sections.map { section in
        NaiveSection(
          day: section.day, count: section.count,
          sums: Dictionary(uniqueKeysWithValues: section.sums.map { ($0.currency, $0.units) }))
      }
      #expect(found == expected, "seed \(seed), \(question)")
    }
  }
}

@Test(arguments: 20..<24 as Range<UInt64>)
func balancesAndFlows(seed: UInt64) async throws {
  try await withStore(seed: seed, batches: 3, size: 90) { world, view in
    for account in world.accounts {
      let number = UInt32(account.number)
      for day in [world.day(), world.day(), Day.min, Day.max] {
        #expect(
          try Balances.balance(of: number, on: day, in: view)
            == world.balance(of: account, on: day),
          "seed \(seed), \(account.name) on \(day)")
      }
      for _ in 0..<4 {
        let range = world.range()
        let flow = try Balances.flow(of: number, in: range, in: view)
        let expected = world.flow(of: account, in: range)
        #expect((flow.moneyIn, flow.moneyOut, flow.count) == expected, "seed \(seed), \(range)")
      }
      let reach = [1, 7, 31, 400][Int.random(in: 0..<4, using: &world.random)]
      let start = world.day()
      let days = (0..<30).map { start.adding(days: $0 * reach) }
      #expect(
        try Balances.series(of: number, on: days, in: view)
          == days.map { world.balance(of: account, on: $0) }, "seed \(seed), \(start) by \(reach)")
    }
    let numbers = world.accounts.map { UInt32($0.number) }
    #expect(
      try Balances.balances(of: numbers, on: .max, in: view)
        == world.accounts.map { world.balance(of: $0, on: .max) })
    var seen: [UInt32] = []
    try Balances.forEachAccount(in: view) { account, _ in seen.append(account) }
    #expect(seen.allSatisfy(numbers.contains) && seen == seen.sorted())
  }
}

@Test(arguments: 30..<34 as Range<UInt64>)
func totalsOfMonthsAndRanges(seed: UInt64) async throws {
  func plain(_ figures: [MonthlyTotals.Figures]) -> [Currency: [Int128]] {
    Dictionary(
      uniqueKeysWithValues: figures.map {
        ($0.currency, [$0.income, $0.expense, $0.transfers, Int128($0.count)])
      })
  }
  try await withStore(seed: seed, batches: 3, size: 90) { world, view in
    for _ in 0..<12 {
      let range = world.range()
      let today = world.day()
      let place = "seed \(seed), \(range), today \(today)"
      let past = range.clamped(to: Day.min..<today.adding(days: 1))
      #expect(
        plain(try MonthlyTotals.totals(in: range, today: today, in: view))
          == world.totals(in: past), "\(place)")
      #expect(
        plain(try MonthlyTotals.totals(in: range, today: nil, in: view))
          == world.totals(in: range), "\(place)")
      let later = range.clamped(to: today.adding(days: 1)..<Day.max.adding(days: 1))
      #expect(
        plain(try MonthlyTotals.planned(in: range, today: today, in: view))
          == world.totals(in: later), "\(place)")
      let first = today.monthOf.adding(-Int.random(in: 0...8, using: &world.random))
      let months = first..<first.adding(10)
      var found: [Month: [MonthlyTotals.Figures]] = [:]
      var last: Month?
      try MonthlyTotals.forEachMonth(months, today: today, in: view) { month, figures in
        #expect(months.contains(month) && last.map { $0 <= month } ?? true)
        last = month
        found[month, default: []].append(figures)
      }
      for month in months {
        let days = month.days.clamped(to: Day.min..<today.adding(days: 1))
        #expect(plain(found[month] ?? []) == world.totals(in: days), "\(place), \(month)")
      }
      var daily: [Currency: [Int128]] = [:]
      try MonthlyTotals.forEachDay(in: range, today: today, in: view) { day, figures in
        #expect(past.contains(day))
        let fields = [figures.income, figures.expense, figures.transfers, Int128(figures.count)]
        let sums = daily[figures.currency] ?? [0, 0, 0, 0]
        daily[figures.currency] = zip(sums, fields).map { $0 + $1 }
      }
      #expect(daily == world.totals(in: past), "\(place)")
    }
  }
}

@Test(arguments: 40..<44 as Range<UInt64>)
func breakdownsAndTrends(seed: UInt64) async throws {
  func plain(_ figures: [CategoryTotals.Figures]) -> [UInt32: [Currency: [Int128]]] {
    var plain: [UInt32: [Currency: [Int128]]] = [:]
    for figure in figures {
      plain[figure.key.category, default: [:]][figure.key.currency] = [
        figure.moneyIn, figure.moneyOut, Int128(figure.count),
      ]
    }
    return plain
  }
  try await withStore(seed: seed, batches: 3, size: 90) { world, view in
    var parents: [UInt32: UInt32] = [:]
    for category in world.categories {
      if let parent = category.parent {
        parents[UInt32(category.number)] = world.number(of: parent)
      }
    }
    for turn in 0..<10 {
      let range = turn == 0 ? Day.min..<Day.max.adding(days: 1) : world.range()
      let today = world.day()
      let past = range.clamped(to: Day.min..<today.adding(days: 1))
      let place = "seed \(seed), \(range), today \(today)"
      #expect(
        plain(try CategoryTotals.breakdown(in: range, today: today, in: view))
          == world.breakdown(in: past, rollingUp: false), "\(place)")
      #expect(
        plain(
          try CategoryTotals.breakdown(in: range, today: today, rollingUp: parents, in: view))
          == world.breakdown(in: past, rollingUp: true), "\(place)")
      var daily: [UInt32: Int128] = [:]
      try CategoryTotals.forEachDay(in: range, today: today, in: view) { day, figures in
        #expect(past.contains(day))
        daily[figures.key.category, default: 0] += figures.moneyIn
      }
      let expected = world.breakdown(in: past, rollingUp: false).mapValues {
        $0.values.reduce(Int128(0)) { $0 + $1[0] }
      }
      #expect(daily == expected, "\(place)")
      // The first category with everything below it.
      let numbers = world.categories.prefix(4).map { UInt32($0.number) }
      let first = today.monthOf.adding(-6)
      let months = first..<first.adding(8)
      for (month, figures) in try CategoryTotals.trend(
        of: numbers, over: months, today: today, in: view)
      {
        let days = month.days.clamped(to: Day.min..<today.adding(days: 1))
        let rolled = world.breakdown(in: days, rollingUp: true)[numbers[0]]
        #expect(plain(figures)[numbers[0]] == rolled, "\(place), \(month)")
      }
    }
  }
}

@Test
func quotesOfTheDayOrEarlier() async throws {
  try await withStore(seed: 50, batches: 4, size: 120) { world, view in
    for _ in 0..<30 {
      let day = world.day()
      for base in Currency.all {
        for quoted in Currency.all where quoted != base {
          #expect(
            try Rates.quote(base, in: quoted, on: day, in: view)
              == world.quote(base, quoted, on: day))
        }
      }
    }
    let pairs = Set(try Rates.pairs(in: view).map { [$0.base, $0.quoted] })
    #expect(pairs == Set(world.rates.map { [$0.base, $0.quoted] }))
  }
}
