import Daybook

/// Monthly totals, trends and net worth over time in a base currency.
extension Comparison {
  mutating func convertedSeries(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    for _ in 0..<(isFull ? 3 : 1) {
      let (months, today, id) = (months(), today(), category())
      let below = random.chance(60)
      let base = random.chance(50) ? nil : random.pick(currencies)
      let name = base.map { "\($0)" } ?? "the base currency"
      expect(
        "months \(months) in \(name), today \(today)",
        { try snapshot.baseMonths(months, base: base, today: today) },
        {
          _ = try oracle.baseTotals(base) { _ in false }
          return try months.map { month in
            ConvertedMonth(
              month: month,
              totals: try oracle.baseTotals(base) { $0.monthOf == month && $0 <= today })
          }
        })
      expect(
        "trend of \(id) (\(below)) over \(months) in \(name), today \(today)",
        {
          try snapshot.baseTrend(
            of: id, over: months, includingSubcategories: below, base: base, today: today)
        },
        {
          _ = try oracle.baseTotal(id, below, base) { _ in false }
          return try months.map { month in
            ConvertedCategoryMonth(
              month: month,
              amount: try oracle.baseTotal(id, below, base) { $0.monthOf == month && $0 <= today })
          }
        })
      expect(
        "net worth over \(months) in \(name)",
        { try snapshot.baseNetWorthSeries(over: months, base: base) },
        {
          _ = try oracle.baseTotals(base) { _ in false }
          return try months.map { month in
            DatedConverted(day: month.last, amount: try oracle.baseNetWorth(on: month.last, base))
          }
        })
    }
  }
}
