/// Goal: compare balances, totals, breakdowns and conversions. Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func balances(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    for on in [today(), day(), .min, .max] {
      expect(
        "balances on \(on)", { try snapshot.balances(on: on, includingDeleted: true) },
        {
          try oracle.accounts.map {
            AccountBalance(account: $0, balance: try oracle.balance($0.id, on: on))
          }
        })
      expect(
        "assets on \(on)", { try snapshot.netWorth(on: on, includesLiabilities: false) },
        { try oracle.netWorth(on: on, includesLiabilities: false) })
      expect(
        "net worth on \(on)", { try snapshot.netWorth(on: on) }, { try oracle.netWorth(on: on) })
    }
    let (closed, deleted, on) = (random.chance(50), random.chance(50), day())
    expect(
      "balances on \(on) (closed \(closed), deleted \(deleted))",
      { try snapshot.balances(on: on, includingClosed: closed, includingDeleted: deleted) },
      {
        try oracle.accounts(includingClosed: closed, includingDeleted: deleted).map {
          AccountBalance(account: $0, balance: try oracle.balance($0.id, on: on))
        }
      })
    let account = account()
    expect(
      "balance of \(account) on \(on)", { try snapshot.balance(of: account, on: on) },
      { try oracle.balance(account, on: on) })
    for (step, length) in [(Daybook.Step.day, 20), (.week, 60), (.month, 200), (.year, 900)] {
      let first = min(day(), Day.max.adding(days: -length))
      let days = first..<first.adding(days: random.number(0...length))
      expect(
        "balances of \(account), every \(step) of \(days)",
        { try snapshot.balanceSeries(of: account, over: days, every: step) },
        {
          try oracle.points(days, step).map {
            DatedTotal(day: $0, total: try oracle.balance(account, on: $0))
          }
        }, isRefusedEarly: !oracle.accounts.contains { $0.id == account })
    }
    let months = months()
    expect(
      "net worth over \(months)", { try snapshot.netWorthSeries(over: months) },
      {
        try months.map { DatedTotals(day: $0.last, totals: try oracle.netWorth(on: $0.last)) }
      })
  }

  /// Compares two answers like the other `expect`, but if `isRefusedEarly` is set, the ledger must
  /// refuse the query even if its result would have no points.
  mutating func expect<Value: Equatable>(
    _ what: @autoclosure () -> String, _ actual: () throws -> Value, _ known: () throws -> Value,
    isRefusedEarly: Bool
  ) {
    expect(what(), actual) {
      if isRefusedEarly { throw Unanswerable() }
      return try known()
    }
  }

  mutating func totals(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    for _ in 0..<(isFull ? 4 : 2) {
      let (days, today, months) = (days(), today(), months())
      expect(
        "totals in \(days), today \(today)", { try snapshot.totals(in: days, today: today) },
        { oracle.figures { days.contains($0) && $0 <= today } })
      expect(
        "planned in \(days), today \(today)", { try snapshot.planned(in: days, today: today) },
        { oracle.figures { days.contains($0) && $0 > today } })
      expect(
        "months \(months), today \(today)", { try snapshot.months(months, today: today) },
        {
          months.map { month in
            MonthTotals(
              month: month, totals: oracle.figures { $0.monthOf == month && $0 <= today })
          }
        })
    }
  }

  mutating func categories(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    for kind in CategoryKind.allCases {
      for rollUp in [true, false] {
        let (days, today) = (days(), today())
        expect(
          "breakdown of \(kind) in \(days), today \(today), rolled up \(rollUp)",
          { try snapshot.breakdown(in: days, kind: kind, rollUp: rollUp, today: today) },
          { try oracle.breakdown(kind, rollUp: rollUp) { days.contains($0) && $0 <= today } })
      }
    }
    for _ in 0..<(isFull ? 4 : 1) {
      let (id, days, today, months) = (category(), days(), today(), months())
      let below = random.chance(60)
      expect(
        "total of \(id) (\(below)) in \(days), today \(today)",
        {
          try snapshot.total(
            of: id, in: days, includingSubcategories: below, today: today)
        }, { try oracle.total(id, below) { days.contains($0) && $0 <= today } })
      expect(
        "trend of \(id) (\(below)) over \(months), today \(today)",
        {
          try snapshot.trend(
            of: id, over: months, includingSubcategories: below, today: today)
        },
        {
          _ = try oracle.family(id, withSubcategories: below)
          return try months.map { month in
            CategoryMonth(
              month: month,
              total: try oracle.total(id, below) { $0.monthOf == month && $0 <= today })
          }
        })
    }
  }

  mutating func converted(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    for _ in 0..<(isFull ? 3 : 1) {
      let (days, today, on) = (days(), today(), day())
      let base = random.chance(50) ? nil : random.pick(currencies)
      let name = base.map { "\($0)" } ?? "the base currency"
      expect(
        "totals in \(name) in \(days), today \(today)",
        { try snapshot.baseTotals(in: days, base: base, today: today) },
        { try oracle.baseTotals(base) { days.contains($0) && $0 <= today } })
      let around = min(on, today)..<max(on, today).adding(days: 1)
      expect(
        "change of the net worth in \(name) in \(around)",
        { try snapshot.worthChange(in: around, base: base) },
        { try oracle.worthChange(around, base) })
      for kind in CategoryKind.allCases {
        let rollUp = random.chance(50)
        expect(
          "breakdown of \(kind) in \(name) in \(days), today \(today), rolled up \(rollUp)",
          {
            try snapshot.baseBreakdown(
              in: days, kind: kind, rollUp: rollUp, base: base, today: today)
          },
          {
            try oracle.baseBreakdown(kind, rollUp: rollUp, base) {
              days.contains($0) && $0 <= today
            }
          })
      }
      expect(
        "net worth in \(name) on \(on)", { try snapshot.baseNetWorth(on: on, base: base) },
        { try oracle.baseNetWorth(on: on, base) })
      let from = random.pick(currencies)
      let to = random.pick(currencies)
      let units = Int64(random.number(-99_999...99_999))
      expect(
        "\(units) of \(from) in \(to) on \(on)",
        { try snapshot.convert(Money(units, from), to: to, on: on)?.minorUnits },
        {
          guard let exact = oracle.converted(Int128(units), from, to, on) else { return nil }
          guard let fitting = Int64(exactly: exact) else { throw Unanswerable() }
          return fitting
        })
    }
  }
}

extension Oracle {
  func total(_ id: CategoryID, _ below: Bool, _ isCounted: (Day) -> Bool) throws -> CategoryTotal {
    let members = try family(id, withSubcategories: below)
    return CategoryTotal(category: try known(id), amounts: amounts(members, queried: id, isCounted))
  }

  /// Returns the days of a range that are a whole number of steps before its last day.
  func points(_ days: Range<Day>, _ step: Daybook.Step) -> [Day] {
    guard let last = days.last else { return [] }
    return days.filter { day in
      let months = day.monthOf.distance(to: last.monthOf)
      let isLike = day.day == min(last.day, day.monthOf.last.day)
      return switch step {
      case .day: true
      case .week: day.distance(to: last) % 7 == 0
      case .month: isLike
      case .year: isLike && months % 12 == 0
      }
    }
  }
}
