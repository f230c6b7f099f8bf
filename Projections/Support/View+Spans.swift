package import Bookkeeping
package import Projecting

extension View {
  /// Gives the totals of a span of periods to `body`.
  ///
  /// - Parameter prefix: what the keys hold before the level and the index of the period.
  package func forEachSum(
    in table: Table, prefix: TableKey, _ span: PeriodSpan, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    var lower = prefix
    lower.append(span.level, span.lower)
    var upper = prefix
    upper.append(span.level, span.upper)
    try forEachSum(in: table, from: lower, to: upper, reversed: reversed, body)
  }
}

extension Range<Day> {
  /// The days of the range up to and with `today`; all of them where there is none.
  package func through(_ today: Day?) -> Range<Day> {
    guard let today else { return self }
    return clamped(to: Day(rawValue: .min)..<today.adding(days: 1))
  }
}
