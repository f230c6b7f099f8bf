/// The change of the net worth over a range of days, in a base currency, and its causes.
///
/// Always, ``end`` = ``start`` + ``income`` − ``expense`` + ``other`` + ``excluded`` + ``gain``, to the
/// last minor unit.
public struct WorthChange: Hashable, Sendable, Codable {
  /// The first day.
  public var first: Day
  /// The last day.
  public var last: Day
  /// The net worth at the end of the day before ``first``, at that day's rates.
  public var start: Converted
  /// The net worth at the end of ``last``, at that day's rates.
  public var end: Converted
  /// The income, as in ``Snapshot/baseTotals(in:base:today:)``.
  public var income: Converted
  /// The expenses less refunds, as in ``Snapshot/baseTotals(in:base:today:)``.
  public var expense: Converted
  /// The money from sources that are neither income nor expense, at each day's rates.
  ///
  /// These are opening balances dated within the days, amounts from and to equity accounts
  /// (including the built-in Outside), and money that was on the way at the beginning, less money
  /// that is on the way at the end.
  public var other: Converted
  /// The money that came in, less the money that went out, without being income or expense, because
  /// it is excluded from totals; see ``TransactionDetails/isExcludedFromTotals``.
  ///
  /// It contains transfers from and to excluded accounts.
  public var excluded: Converted

  /// Creates a change of the net worth.
  public init(
    first: Day, last: Day, start: Converted, end: Converted, income: Converted, expense: Converted,
    other: Converted, excluded: Converted
  ) {
    self.first = first
    self.last = last
    self.start = start
    self.end = end
    self.income = income
    self.expense = expense
    self.other = other
    self.excluded = excluded
  }

  /// The gain or loss by exchange rates: the change that no other figure explains.
  ///
  /// Balances in other currencies gain or lose with the rates, and so does an exchange at another
  /// rate than the recorded one. Without other currencies it is 0. It can contain a few minor units
  /// from rounding.
  public var gain: Total {
    let explained =
      start.total.units + income.total.units - expense.total.units + other.total.units
      + excluded.total.units
    return Total(units: end.total.units - explained, currency: end.total.currency)
  }

  /// The change of the net worth.
  public var change: Total {
    Total(units: end.total.units - start.total.units, currency: end.total.currency)
  }

  /// Whether every amount was converted; otherwise ``gain`` contains the value of the others.
  public var isComplete: Bool {
    [start, end, income, expense, other, excluded].allSatisfy(\.isComplete)
  }
}
