import DaybookProjections

/// Reads the envelopes of some months, starting with the first month that has any figures.
struct EnvelopeReader {
  private let months: Range<Month>
  private let today: Day
  private let base: Currency
  private let tree: CategoryTree
  private let places: [CategoryID: Int]
  private let accounts: [Account]
  private let exclusions: Exclusions
  private let outside: OutsideSpending
  /// The excluded spending of accounts, by day, with the sign reversed.
  private let excluded: [Day: [CategoryTotals.Figures]]
  private var cards: Cards
  /// The balance of each card at the end of each requested month, and the day it is of.
  private var balances: [AccountID: [Int128]] = [:]
  private var converter: Converter
  /// The figures of each month that has any.
  private var found: [Month: [Int: Figures]] = [:]
  /// The amounts of each month that have no rate.
  private var left: [Month: [Unconverted]] = [:]

  private struct Figures {
    var assigned: Int128 = 0
    var moved: Int128 = 0
    var spent: Int128 = 0
  }

  init(
    _ months: Range<Month>, today: Day, base: Currency, in snapshot: borrowing Snapshot
  ) throws {
    self.months = months
    self.today = today
    self.base = base
    tree = try snapshot.chartOfAccounts().tree
    exclusions = try snapshot.chartOfAccounts().exclusions
    places = Dictionary(
      tree.list.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    accounts = try snapshot.worthAccounts().filter { !$0.isOutsideBudget }
    outside = try OutsideSpending(
      paidBy: try snapshot.accounts(includingDeleted: true), through: today, base: base, tree,
      exclusions, in: snapshot)
    // Transactions without an account are part of the spending outside the budget.
    excluded = try snapshot.subtracted(
      on: Day.min..<today.adding(days: 1), settledIn: base
    ) { row in row.parts.contains(where: \.isOnAccount) }
    converter = Converter(to: base)
    cards = try Cards(
      accounts, before: months.upperBound, today: today, base: base, tree, places, exclusions,
      in: snapshot)
  }

  mutating func read(in snapshot: borrowing Snapshot) throws -> [EnvelopeMonth] {
    let assigned = try readAllocations(in: snapshot)
    try readSpending(in: snapshot)
    let money = try readMoney(in: snapshot)
    var carried: [Int: Int128] = [:]
    var unconverted: [Currency: Unconverted] = [:]
    var answer: [EnvelopeMonth] = []
    let earlier = Set(found.keys).union(left.keys).union(cards.months)
      .filter { $0 < months.lowerBound }
    for month in earlier.sorted() + Array(months) {
      let figures = found[month] ?? [:]
      var envelopes: [Int: Envelope] = [:]
      var overspent: [Int: Int128] = [:]
      for place in Set(carried.keys).union(figures.keys) {
        let envelope = try self.envelope(
          of: place, carried[place] ?? 0, figures[place] ?? Figures(), month, in: snapshot)
        carried[place] = envelope.available.units
        envelopes[place] = envelope
        if envelope.available.units < 0, !envelope.category.carriesOverspending {
          overspent[place] = -envelope.available.units
        }
      }
      let payments = try self.payments(in: month, overspent, in: snapshot)
      for part in left[month] ?? [] {
        let units = part.total.units + (unconverted[part.total.currency]?.total.units ?? 0)
        unconverted[part.total.currency] = Unconverted(
          total: Total(units: units, currency: part.total.currency),
          count: part.count + (unconverted[part.total.currency]?.count ?? 0))
      }
      guard month >= months.lowerBound else { continue }
      // What is assigned after a past month was funded by later income.
      let later = month < today.monthOf ? 0 : assigned.filter { $0.key > month }.values.reduce(0, +)
      answer.append(
        EnvelopeMonth(
          month: month, envelopes: try listed(envelopes, month, in: snapshot),
          payments: payments, money: money[answer.count],
          assignedLater: Total(units: later, currency: base),
          unconverted: unconverted.sorted { $0.key < $1.key }.map(\.value)))
    }
    return answer
  }

  private mutating func envelope(
    of place: Int, _ carried: Int128, _ figures: Figures, _ month: Month,
    in snapshot: borrowing Snapshot
  ) throws -> Envelope {
    let category = tree.list[place]
    func total(_ units: Int128) -> Total { Total(units: units, currency: base) }
    let carried = category.carriesOverspending ? carried : max(0, carried)
    var envelope = Envelope(
      category: category, carriedOver: total(carried), assigned: total(figures.assigned),
      moved: total(figures.moved), spent: total(figures.spent))
    guard let goal = category.goal, !category.isDeleted else { return envelope }
    let units = try converter.convert(
      Int128(goal.amount.minorUnits), goal.amount.currency, on: month.first, in: snapshot)
    envelope.needed = units.map {
      total(
        goal.needed(
          in: month, of: $0, given: figures.assigned + figures.moved,
          rest: carried - figures.spent))
    }
    return envelope
  }

  // Returns the payments of a month in order; nothing for a month before the requested ones.
  private mutating func payments(
    in month: Month, _ overspent: [Int: Int128], in snapshot: borrowing Snapshot
  ) throws -> [CardPayment] {
    guard !balances.isEmpty else { return [] }
    let (balances, months, day) = (self.balances, months, min(month.last, today))
    var converter = converter
    let payments = try cards.payments(in: month, overspent: overspent, snapshot) { card in
      guard month >= months.lowerBound, let units = balances[card.id] else { return nil }
      let index = Int(month.rawValue) - Int(months.lowerBound.rawValue)
      return try converter.convert(-units[index], card.currency, on: day, in: snapshot)
    }
    return payments.filter { payment in
      let card = payment.account
      return !payment.isEmpty || !card.isHidden && !card.isClosed && !card.isDeleted
    }.sorted { ($0.account.order, $0.account.number) < ($1.account.order, $1.account.number) }
  }

  // Returns the envelopes of a month in order.
  private mutating func listed(
    _ envelopes: [Int: Envelope], _ month: Month, in snapshot: borrowing Snapshot
  ) throws -> [Envelope] {
    var list: [Envelope] = []
    for place in tree.list.indices {
      let category = tree.list[place]
      guard category.kind == .expense else { continue }
      if let envelope = envelopes[place], !envelope.isEmpty {
        list.append(envelope)
      } else if !category.isDeleted, !category.isHidden, !category.id.isBuiltin,
        !exclusions.categories.contains(category.id.rawValue)
      {
        list.append(try envelope(of: place, 0, Figures(), month, in: snapshot))
      }
    }
    return list.sorted { $0.category.number < $1.category.number }
  }

  // MARK: Reading

  // Reads the assigned and moved amounts, and returns the assigned amount of each month.
  private mutating func readAllocations(
    in snapshot: borrowing Snapshot
  ) throws -> [Month: Int128] {
    var rows: [Envelopes.Figures] = []
    try Envelopes.forEachAllocation(in: snapshot.view) { rows.append($0) }
    var assigned: [Month: Int128] = [:]
    for row in rows {
      let card = AccountID(row.owner)
      let place = places[CategoryID(row.owner)]
      guard place != nil || cards.contains(card) else { continue }
      let day = row.month.first
      guard
        let set = try converter.convert(row.assigned, row.currency, on: day, in: snapshot),
        let moved = try converter.convert(row.moved, row.currency, on: day, in: snapshot)
      else {
        let total = Total(units: row.assigned + row.moved, currency: row.currency)
        left[row.month, default: []].append(Unconverted(total: total, count: 1))
        continue
      }
      assigned[row.month, default: 0] += set + moved
      guard let place else {
        cards.assign(set, to: card, in: row.month)
        continue
      }
      found[row.month, default: [:]][place, default: Figures()].assigned += set
      found[row.month, default: [:]][place, default: Figures()].moved += moved
    }
    return assigned
  }

  // Reads the spending of all months up to today and up to the last requested month.
  private mutating func readSpending(in snapshot: borrowing Snapshot) throws {
    let current = today.monthOf
    var foreign = outside.months.union(excluded.keys.map(\.monthOf))
    try CategoryTotals.forEachMonth(
      before: min(months.upperBound, current), in: snapshot.view
    ) { month, row in
      if !add(row, in: month) { foreign.insert(month) }
    }
    if current < months.upperBound {
      try CategoryTotals.forEachCategory(in: current.days, today: today, in: snapshot.view) { row in
        if !add(row, in: current) { foreign.insert(current) }
      }
    }
    for month in foreign where month < months.upperBound && month <= current {
      try readDays(of: month, in: snapshot)
    }
  }

  // Adds a category's figures in a month, or returns `false` if they are in another currency.
  private mutating func add(_ row: CategoryTotals.Figures, in month: Month) -> Bool {
    guard let place = tree.place(of: row.key.category), tree.list[place].kind == .expense else {
      return true
    }
    guard row.key.currency == base else { return false }
    let net = row.moneyIn - row.moneyOut
    found[month, default: [:]][place, default: Figures()].spent += net
    return true
  }

  // Reads the spending of a month day by day, at each day's rates.
  private mutating func readDays(of month: Month, in snapshot: borrowing Snapshot) throws {
    for place in (found[month] ?? [:]).keys { found[month]?[place]?.spent = 0 }
    let key = FigureCache.Key(
      subject: .envelopes, days: month.days.through(today), base: base)
    let sums = try snapshot.categoryFigure(key) {
      var summing = CategorySumming(kind: .expense, tree: tree, grouping: .each, base: base)
      var last: Day?
      try CategoryTotals.forEachDay(
        in: month.days, today: today, settledIn: base, in: snapshot.view
      ) { day, figures in
        if day != last {
          for other in outside.figures(on: day) + (excluded[day] ?? []) {
            try summing.add(other, on: day, in: snapshot)
          }
          last = day
        }
        try summing.add(figures, on: day, in: snapshot)
      }
      return try summing.finish(in: snapshot)
    }
    for sum in sums {
      guard let place = places[sum.category.id] else { continue }
      found[month, default: [:]][place, default: Figures()].spent = sum.amount.total.units
      left[month, default: []] += sum.amount.unconverted
    }
  }

  // Returns the money on the accounts in the budget at the end of each requested month.
  private mutating func readMoney(in snapshot: borrowing Snapshot) throws -> [Converted] {
    let points = months.map { min($0.last, today) }
    let days = points.reduce(into: [Day]()) { if $0.last != $1 { $0.append($1) } }
    var series: [[Int128]] = []
    for account in accounts {
      let units = try Balances.series(of: keyNumber(account), on: days, in: snapshot.view)
      if account.kind == .liability {
        balances[account.id] = points.map { units[days.firstIndex(of: $0) ?? 0] }
      }
      series.append(units)
    }
    var money: [Day: Converted] = [:]
    for (position, day) in days.enumerated() {
      money[day] = try snapshot.worth(
        series.lazy.map { $0[position] }, on: day, of: accounts, &converter)
    }
    let nothing = Converted(total: Total(units: 0, currency: base))
    return points.map { money[$0] ?? nothing }
  }
}

extension CardPayment {
  fileprivate var isEmpty: Bool {
    [debt, carriedOver, assigned, setAside, overspent].allSatisfy { $0.units == 0 }
  }
}

extension Envelope {
  fileprivate var isEmpty: Bool {
    [carriedOver, assigned, moved, spent, available].allSatisfy { $0.units == 0 }
  }
}
