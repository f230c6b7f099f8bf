/// Goal: what follows from how a budget stands, a second time. Method: the documented formulas, over days
/// that are counted one by one.
import Daybook

/// What is said of a budget's status beside what it holds.
struct BudgetFigures: Equatable {
  var available: Int128
  var remaining: Int128
  var isOverspent: Bool
  var share: Share?
  var dayCount: Int
  var elapsedDayCount: Int
  var pace: Share?
  var projected: Int128
  var projectedOverspend: Int128
  /// In what all of them are.
  var currencies: Set<Currency>
}

extension Oracle {
  func figures(of status: BudgetStatus) -> BudgetFigures {
    let days = Int128(status.days.count { _ in true })
    let elapsed = Int128(status.days.count { $0 <= status.today })
    let available = status.amount.units + status.carriedOver.total.units
    let (spent, planned) = (status.spent.total.units, status.planned.total.units)
    let even = elapsed > 0 ? quotient(spent * days, elapsed) : spent + planned
    let projected = max(spent + planned, even)
    return BudgetFigures(
      available: available, remaining: available - spent, isOverspent: spent > available,
      share: Share(spent, of: available), dayCount: Int(days), elapsedDayCount: Int(elapsed),
      pace: Share(spent * days, of: available * elapsed), projected: projected,
      projectedOverspend: max(0, projected - available),
      currencies: [status.budget.amount.currency])
  }
}

extension BudgetStatus {
  /// What the ledger's own type says.
  var told: BudgetFigures {
    BudgetFigures(
      available: available.units, remaining: remaining.units, isOverspent: isOverspent,
      share: share.map { Share($0) }, dayCount: dayCount, elapsedDayCount: elapsedDayCount,
      pace: pace.map { Share($0) }, projected: projected.units,
      projectedOverspend: projectedOverspend.units,
      currencies: Set([available, remaining, projected, projectedOverspend].map(\.currency)))
  }
}
