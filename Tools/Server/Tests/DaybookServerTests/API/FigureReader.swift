// What a dry run says of figures, held against what the ledger answers of them.
import Daybook
import Testing

@testable import DaybookServer

/// Asks a ledger for the figures that a dry run names.
struct FigureReader {
  let ledger: Ledger

  /// The figures of a dry run.
  func told(_ answer: Told) throws -> [FigureChange] {
    try (answer.json()["figures"]?.elements ?? []).map {
      try JSONText.decode(FigureChange.self, from: $0)
    }
  }

  /// What the ledger answers now.
  func value(of change: FigureChange) throws -> Total? {
    let currency = try #require(change.before ?? change.after).currency
    return try ledger.read { snapshot in
      switch change.figure {
      case .balance, .plannedBalance:
        return try snapshot.balances(on: change.figure == .balance ? today : .max)
          .first { $0.account.id.rawValue == change.subject }?.balance
      case .netWorth:
        return try snapshot.netWorth(on: today).first { $0.currency == currency }
          ?? Total(units: 0, currency: currency)
      case .worth: return try snapshot.baseNetWorth(on: today).total
      case .income, .expense, .transfers, .category:
        return try ofMonth(change, currency, snapshot) ?? Total(units: 0, currency: currency)
      case .budgetSpent, .budgetRemaining:
        let status = try snapshot.budgetStatuses(today: today)
          .first { $0.budget.id.rawValue == change.subject }
        return change.figure == .budgetSpent ? status?.spent.total : status?.remaining
      case .envelope, .needed, .payment, .readyToAssign:
        let month = try #require(change.month)
        let found = try snapshot.envelopes(over: month..<month.adding(1), today: today)[0]
        if change.figure == .readyToAssign { return found.readyToAssign }
        if change.figure == .payment {
          return found.payments.first { $0.account.id.rawValue == change.subject }?.available
            ?? Total(units: 0, currency: currency)
        }
        let envelope = found.envelopes.first { $0.category.id.rawValue == change.subject }
        if change.figure == .needed { return envelope?.needed }
        return envelope?.available ?? Total(units: 0, currency: currency)
      }
    }
  }

  private func ofMonth(
    _ change: FigureChange, _ currency: Currency, _ snapshot: borrowing Snapshot
  ) throws -> Total? {
    let month = try #require(change.month)
    let days = month.first..<month.last.adding(days: 1)
    let totals = try snapshot.totals(in: days, today: today).first { $0.currency == currency }
    switch change.figure {
    case .income: return totals?.income
    case .expense: return totals?.expense
    case .transfers: return totals?.transfers
    default:
      for kind in CategoryKind.allCases {
        let found = try snapshot.breakdown(in: days, kind: kind, today: today)
          .first { $0.category.id.rawValue == change.subject }
        if let total = found?.totals.first(where: { $0.currency == currency }) { return total }
      }
      return nil
    }
  }
}
