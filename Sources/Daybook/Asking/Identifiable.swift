// Query results that apps show in lists. A row keeps its identity as long as it shows the same
// entity, day or currency.

extension AccountBalance: Identifiable {
  /// The account's id.
  public var id: AccountID { account.id }
}
extension DaySection: Identifiable {
  /// The day.
  public var id: Day { day }
}
extension DatedTotal: Identifiable {
  /// The day.
  public var id: Day { day }
}
extension DatedTotals: Identifiable {
  /// The day.
  public var id: Day { day }
}
extension DatedConverted: Identifiable {
  /// The day.
  public var id: Day { day }
}
extension CurrencyTotals: Identifiable {
  /// The currency.
  public var id: Currency { currency }
}
extension CategoryAmount: Identifiable {
  /// The currency.
  public var id: Currency { currency }
}
extension Unconverted: Identifiable {
  /// The currency.
  public var id: Currency { total.currency }
}
extension MonthTotals: Identifiable {
  /// The month.
  public var id: Month { month }
}
extension ConvertedMonth: Identifiable {
  /// The month.
  public var id: Month { month }
}
extension CategoryMonth: Identifiable {
  /// The month.
  public var id: Month { month }
}
extension ConvertedCategoryMonth: Identifiable {
  /// The month.
  public var id: Month { month }
}
extension CategoryTotal: Identifiable {
  /// The category's id.
  public var id: CategoryID { category.id }
}
extension ConvertedCategoryTotal: Identifiable {
  /// The category's id.
  public var id: CategoryID { category.id }
}
extension CategoryShare: Identifiable {
  /// The category's id.
  public var id: CategoryID { category.id }
}
extension Spike: Identifiable {
  /// The category's id.
  public var id: CategoryID { category.id }
}
extension BudgetStatus: Identifiable {
  /// Identifies a budget in one period, because a list may contain several periods of one budget.
  public struct ID: Hashable, Sendable {
    /// The budget.
    public let budget: BudgetID
    /// The first day of the period.
    public let start: Day
  }

  /// The budget and its period.
  public var id: ID { ID(budget: budget.id, start: days.lowerBound) }
}
extension UpcomingPayment: Identifiable {
  /// The series and the due date.
  public var id: SeriesLink { SeriesLink(series.id, due: due) }
}
extension CashFlowForecast: Identifiable {
  /// The account's id.
  public var id: AccountID { account.id }
}
extension AssertionCheck: Identifiable {
  /// The assertion's id.
  public var id: AssertionID { assertion.id }
}
extension TagUse: Identifiable {
  /// The tag.
  public var id: String { tag }
}
extension PayeeUse: Identifiable {
  /// The payee.
  public var id: String { payee }
}
extension DormantAccount: Identifiable {
  /// The account's id.
  public var id: AccountID { account.id }
}
extension DuplicatePair: Identifiable {
  /// The ids of both transactions.
  public var id: [TransactionID] { [original.id, duplicate.id] }
}
extension RulePreview: Identifiable {
  /// The transaction's id.
  public var id: TransactionID { transaction.id }
}
extension HistoryEntry: Identifiable {
  /// The commit's sequence.
  public var id: UInt64 { sequence }
}
