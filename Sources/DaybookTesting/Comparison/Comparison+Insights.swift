/// Goal: compare insights. Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func insights(_ snapshot: borrowing Snapshot) {
    for _ in 0..<(isFull ? 2 : 1) {
      months(snapshot)
      shares(snapshot)
    }
  }

  private mutating func currency() -> Currency {
    random.chance(60) ? currencies[0] : random.pick(currencies)
  }

  private mutating func months(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    let (today, currency, month, months) = (today(), currency(), day().monthOf, months())
    let (limit, count) = (random.number(0...12), random.number(1...4))
    expect(
      "\(month) over the month before in \(currency), today \(today)",
      { try snapshot.monthOverMonth(month, in: currency, today: today).summary },
      { oracle.monthOverMonth(month, currency, today: today) })
    expect(
      "growth through \(month) in \(currency), at most \(limit), today \(today)",
      {
        try snapshot.growthStreak(through: month, currency: currency, limit: limit, today: today)
      }, { oracle.growthStreak(month, currency, limit: limit, today: today) })
    expect(
      "best and worst of \(months) in \(currency), today \(today)",
      {
        let found = try snapshot.bestAndWorstMonth(in: months, currency: currency, today: today)
        return found.map { [$0.best, $0.worst] } ?? []
      }, { oracle.bestAndWorst(months, currency, today: today) })
    expect(
      "runway in \(currency) over \(count) months, today \(today)",
      {
        try snapshot.runway(in: currency, averagedOver: count, today: today).map {
          RunwayFigures(worth: $0.worth, expense: $0.expense, tenthsOfMonths: $0.tenthsOfMonths)
        }
      }, { try oracle.runway(currency, months: count, today: today) })
  }

  private mutating func shares(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    let (today, currency, month, days) = (today(), currency(), day().monthOf, days())
    let (limit, rollUp) = (random.number(0...5), random.chance(60))
    var times = random.pick([0, 400, 1_000, 1_500, 3_000])
    // Sometimes use the exact threshold of an existing spike.
    let all = try? oracle.spikes(month, currency, timesPerMille: 0, today: today)
    if let share = random.some(all ?? [])?.share, share.part * 1_000 % share.whole == 0 {
      times = Int(clamping: share.part * 1_000 / share.whole)
    }
    expect(
      "average of a day of \(days) in \(currency), today \(today)",
      { try snapshot.averagePerDay(in: days, currency: currency, today: today) },
      { oracle.averagePerDay(days, currency, today: today) })
    for kind in CategoryKind.allCases {
      expect(
        "top \(limit) of \(kind) in \(days) in \(currency), rolled up \(rollUp), today \(today)",
        {
          try snapshot.topCategories(
            in: days, kind: kind, currency: currency, rollUp: rollUp, limit: limit, today: today
          ).map {
            CategoryFigures(
              category: $0.category, total: $0.total, share: $0.share.map { Share($0) })
          }
        },
        {
          try oracle.topCategories(kind, rollUp: rollUp, currency, limit: limit) {
            days.contains($0) && $0 <= today
          }
        })
    }
    expect(
      "spikes of \(times) in \(month) in \(currency), today \(today)",
      {
        try snapshot.spikes(in: month, currency: currency, timesPerMille: times, today: today).map {
          CategoryFigures(
            category: $0.category, total: $0.total, usual: $0.usual, share: Share($0.times))
        }
      }, { try oracle.spikes(month, currency, timesPerMille: times, today: today) })
    expect(
      "savings in \(days) in \(currency), today \(today)",
      {
        try snapshot.savingsRate(in: days, currency: currency, today: today).map { Share($0) }
      }, { oracle.savingsRate(days, currency, today: today) })
  }
}

extension MonthChange {
  fileprivate var summary: MonthFigures {
    MonthFigures(month: month, totals: totals, before: before, more: [income, expense, net])
  }
}
