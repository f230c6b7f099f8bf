package import DaybookBookkeeping
package import DaybookEngine

extension View {
  /// Calls `body` with the totals of a span of periods, until it returns `false`.
  ///
  /// - Parameter prefix: The part of the keys before the level and index of the period.
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
  /// Returns the days of the range up to and including `today`, or the whole range if `today` is
  /// `nil`.
  package func through(_ today: Day?) -> Range<Day> {
    guard let today else { return self }
    return clamped(to: Day(rawValue: .min)..<today.adding(days: 1))
  }
}
