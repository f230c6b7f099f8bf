import DaybookProjections

/// Sums daily figures in a base currency, converting each day at its own rates.
struct TotalsSumming {
  private let base: Currency
  private var converter: Converter
  private var counter = RowCounter()
  private var income = ConvertedSum()
  private var expense = ConvertedSum()
  private var transfers = ConvertedSum()

  init(base: Currency) {
    self.base = base
    converter = Converter(to: base)
  }

  /// Adds the figures of a day.
  mutating func add(
    _ figures: MonthlyTotals.Figures, on day: Day, in snapshot: borrowing Snapshot
  ) throws {
    let currency = figures.currency
    try add(figures.income, currency, .income, on: day, \.income, in: snapshot)
    try add(figures.expense, currency, .expense, on: day, \.expense, in: snapshot)
    try add(figures.transfers, currency, .transfers, on: day, \.transfers, in: snapshot)
  }

  /// Returns the sums since the last call, and starts from zero.
  mutating func finish() -> ConvertedTotals {
    defer { (income, expense, transfers) = (ConvertedSum(), ConvertedSum(), ConvertedSum()) }
    return ConvertedTotals(
      base: base, income: income.converted(to: base), expense: expense.converted(to: base),
      transfers: transfers.converted(to: base))
  }

  private mutating func add(
    _ units: Int128, _ currency: Currency, _ figure: RowCounter.Figure, on day: Day,
    _ sum: WritableKeyPath<TotalsSumming, ConvertedSum>, in snapshot: borrowing Snapshot
  ) throws {
    if units == 0 { return }
    if let converted = try converter.convert(units, currency, on: day, in: snapshot) {
      self[keyPath: sum].add(converted)
    } else {
      let count = try counter.count(
        figure, currency, unlessSettledIn: base, on: day, in: snapshot)
      self[keyPath: sum].leaveOut(units, currency, count: count)
    }
  }
}
