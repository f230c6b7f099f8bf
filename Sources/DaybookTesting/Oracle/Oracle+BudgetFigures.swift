/// Goal: reimplement the figures derived from a budget's status. Method: apply the documented
/// formulas, and count days one by one.
import Daybook

/// The derived figures of a budget's status.
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
  /// The currencies of all figures.
  var currencies: Set<Currency>
}

extension Oracle {
  func figures(of status: BudgetStatus) -> BudgetFigures {
    let days = Int128(status.days.count { _ in true })
    let elapsed = Int128(status.days.count { $0 <= status.today })
    let available = status.amount.units + status.carriedOver.total.units
    let (spent, planned) = (status.spent.total.units, status.planned.total.units)
    let isEarly = elapsed == 0 || elapsed * 4 < days
    let even = isEarly ? spent + planned : quotient(spent * days, elapsed)
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
  /// The same figures, computed by the ledger's type.
  var summary: BudgetFigures {
    BudgetFigures(
      available: available.units, remaining: remaining.units, isOverspent: isOverspent,
      share: share.map { Share($0) }, dayCount: dayCount, elapsedDayCount: elapsedDayCount,
      pace: pace.map { Share($0) }, projected: projected.units,
      projectedOverspend: projectedOverspend.units,
      currencies: Set([available, remaining, projected, projectedOverspend].map(\.currency)))
  }
}
