/// Goal: what happens to envelopes. Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func envelopeCommand() -> Command {
    let base = oracle.settings?.baseCurrency
    let currency = rare.chance(95) ? base ?? Self.currencies[0] : Self.currencies[1]
    let month = Month(year: 2026, month: 1).adding(rare.chance(5) ? 500_000 : rare.number(-4...4))
    switch rare.number(0...15) {
    case 0..<5:
      let amount = Money(Int64(rare.number(-900...9_000)), currency)
      return .assign(rare.chance(10) ? Money(0, currency) : amount, to: envelope(), in: month)
    case 5..<9:
      let known = rare.some(oracle.allocations.map(\.id))
      return .moveMoney(
        Money(Int64(rare.number(0...3_000)), currency),
        from: rare.chance(80) ? envelope() : nil, to: rare.chance(80) ? envelope() : nil,
        in: month, note: rare.chance(20) ? "moved" : "",
        id: rare.chance(20) ? known ?? fresh() : fresh())
    case 9: return .removeMove(rare.some(oracle.allocations.map(\.id)) ?? fresh())
    case 10:
      var change = CategoryChange()
      change.carriesOverspending = rare.chance(60)
      return .amendCategory(envelope(), change)
    case 11:
      var change = CategoryChange()
      change.isExcludedFromTotals = rare.chance(50)
      return .amendCategory(rare.some(oracle.categories.map(\.id)) ?? fresh(), change)
    case 12:
      var change = AccountChange()
      change.isExcludedFromTotals = rare.chance(50)
      return .amendAccount(rare.some(oracle.accounts.map(\.id)) ?? fresh(), change)
    case 13:
      let cards = oracle.accounts.filter { $0.kind == .liability || rare.chance(10) }.map(\.id)
      let amount = Money(Int64(rare.number(-900...4_000)), currency)
      return .assignPayment(amount, to: rare.some(cards) ?? fresh(), in: month)
    case 14:
      if rare.chance(10) { return .removeGoal(of: envelope()) }
      let day = month.first.adding(days: rare.number(0...400))
      let kind = rare.some([EnvelopeGoal.Kind.monthly, .balance, .byDay(day)]) ?? .monthly
      let amount = Money(Int64(rare.number(-50...40_000)), currency)
      return .setGoal(EnvelopeGoal(kind, amount), for: envelope())
    default:
      var change = AccountChange()
      change.isOutsideBudget = rare.chance(60)
      return .amendAccount(rare.some(oracle.accounts.map(\.id)) ?? fresh(), change)
    }
  }

  private mutating func envelope() -> CategoryID {
    let known = oracle.categories.filter { $0.kind == .expense || rare.chance(5) }.map(\.id)
    return rare.chance(3) ? .uncategorizedExpense : rare.some(known) ?? fresh()
  }
}
