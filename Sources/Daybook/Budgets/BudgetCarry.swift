/// The amount carried from one period of a budget into the next.
struct BudgetCarry {
  private var units: Int128 = 0
  private var left: [Currency: Unconverted] = [:]

  /// Carries *amount + carried − spent* over from a period, as far as the rollover allows.
  mutating func pass(_ amount: Int128, _ spent: Converted, _ rollover: Rollover) {
    let rest = amount + units - spent.total.units
    switch rollover {
    case .none:
      self = BudgetCarry()
      return
    case .surplus: units = max(0, rest)
    case .deficit: units = min(0, rest)
    case .both: units = rest
    }
    for part in spent.unconverted {
      let nothing = Unconverted(total: Total(units: 0, currency: part.total.currency), count: 0)
      left[part.total.currency, default: nothing].total.units += part.total.units
      left[part.total.currency, default: nothing].count += part.count
    }
  }

  func converted(to currency: Currency) -> Converted {
    Converted(
      total: Total(units: units, currency: currency),
      unconverted: left.sorted { $0.key < $1.key }.map(\.value))
  }
}
