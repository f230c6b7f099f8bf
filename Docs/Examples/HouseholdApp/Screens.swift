public import Daybook
public import Observation

/// A value that is computed from the ledger and stays current while a view shows it.
@MainActor @Observable public final class Live<Value: Sendable & Equatable> {
  /// The newest value, or `nil` before the first.
  public private(set) var value: Value?
  /// The error that ended the observation.
  public private(set) var problem: DaybookError?
  private let query: @Sendable (borrowing Snapshot) throws -> Value

  /// A value that is not computed before ``run(on:)``.
  public init(_ query: @escaping @Sendable (borrowing Snapshot) throws -> Value) {
    self.query = query
  }

  /// Keeps the value current until the task is cancelled; call it in `.task`.
  public func run(on ledger: Ledger) async {
    problem = nil
    do {
      for try await next in ledger.observe(query) { value = next }
    } catch {
      problem = error as? DaybookError
    }
  }
}

extension Live<[BudgetStatus]> {
  /// The budgets of the current periods.
  public static func budgets(today: Day) -> Live {
    Live { try $0.budgetStatuses(today: today) }
  }
}

/// A bar of the chart: what a month brought in and cost, in minor units of one currency.
public struct MonthBar: Hashable, Sendable, Identifiable {
  /// The month.
  public let id: Month
  /// Income.
  public let income: Int
  /// Expenses.
  public let expense: Int
}

extension Live<[MonthBar]> {
  /// The last twelve months, converted to the base currency.
  public static func year(today: Day) -> Live {
    Live { snapshot in
      let months = today.monthOf.adding(-11)..<today.monthOf.adding(1)
      return try snapshot.baseMonths(months, today: today).map { month in
        MonthBar(
          id: month.month, income: Int(clamping: month.totals.income.total.units),
          expense: Int(clamping: month.totals.expense.total.units))
      }
    }
  }
}
