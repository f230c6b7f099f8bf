/// Goal: reimplement balance forecasts. Method: sum each day's balance from all transactions and
/// all payments that are due by then.
import Daybook

extension Oracle {
  func forecast(of id: AccountID, through last: Day, today: Day) throws -> CashFlowForecast {
    guard last >= today, let account = accounts.first(where: { $0.id == id }) else {
      throw Unanswerable()
    }
    // Payments without a transaction count from tomorrow on.
    var flows: [(day: Day, units: Int128)] = []
    var left: [Currency: Int128] = [:]
    for payment in upcoming(through: last, today: today) where payment.transaction == nil {
      let day = payment.day > today ? payment.day : today.adding(days: 1)
      for amount in amounts(of: payment.series.template, on: account) {
        if let units = converted(amount.units, amount.currency, account.currency, day) {
          flows.append((day, units))
        } else {
          left[amount.currency, default: 0] += amount.units
        }
      }
    }
    var balances: [DatedTotal] = []
    var day = today
    while day <= last {
      var total = try balance(id, on: day)
      for flow in flows where flow.day <= day { total.units += flow.units }
      balances.append(DatedTotal(day: day, total: total))
      day = day.adding(days: 1)
    }
    return CashFlowForecast(
      account: account, balances: balances,
      unconverted: left.map { Total(units: $0.value, currency: $0.key) }
        .sorted { $0.currency.code < $1.currency.code })
  }

  /// Returns the amounts that a payment adds to an account, which may be outgoing, incoming or
  /// both.
  private func amounts(of template: SeriesTemplate, on account: Account) -> [Total] {
    let own = Int128(template.amount.minorUnits)
    let given = Total(units: own, currency: template.amount.currency)
    var foreign = given
    if template.amount.currency != account.currency, let moved = template.accountAmount {
      foreign = Total(moved)
    }
    var found: [Total] = []
    for part in template.parts where part.account == account.id {
      let units = Int128(part.amount.minorUnits)
      found.append(Total(units: part.isReversed ? -units : units, currency: part.amount.currency))
    }
    switch template.type {
    case .income where template.account == account.id: found.append(foreign)
    case .expense where template.account == account.id:
      found.append(Total(units: -foreign.units, currency: foreign.currency))
    case .transfer:
      if template.account == account.id {
        found.append(Total(units: -given.units, currency: given.currency))
      }
      if template.otherAccount == account.id { found.append(foreign) }
    default: break
    }
    return found
  }
}
