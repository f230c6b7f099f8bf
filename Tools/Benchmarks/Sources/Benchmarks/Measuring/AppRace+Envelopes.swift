import Daybook

/// Envelopes of ten years, compared with the expenses of the same months by category.
extension AppRace {
  /// Sets the base currency, and assigns an amount to every category in every month.
  func envelopes(_ ledger: Ledger) async throws -> [Row] {
    note("filling envelopes")
    let today = Day(rawValue: Int32(WorkGenerator.lastDay))
    guard let euro = Currency.iso("EUR") else { throw BenchmarkError("no euro") }
    let months = today.monthOf.adding(-119)..<today.monthOf.adding(1)
    let categories = try ledger.read { try $0.categories(.expense) }
    try await ledger.append(.setSettings(SettingsChange(baseCurrency: .some(euro))))
    for month in months {
      try await ledger.append(
        categories.map { .assign(Money(50_000, euro), to: $0.id, in: month) })
    }
    let table = try microsecondsPerCall {
      try ledger.read { snapshot in
        try months.reduce(0) { count, month in
          let found = try snapshot.baseBreakdown(in: month.days, kind: .expense, today: today)
          return count + found.count
        }
      }
    }
    let envelopes = try microsecondsPerCall {
      try ledger.read { try $0.envelopes(over: months, today: today).count }
    }
    let ratio = envelopes / table
    return [
      Row(
        measure: "expenses of 120 months by category, in the base currency, µs",
        value: Report.number(table)),
      Row(
        measure: "envelopes of 120 months, times that", value: Report.number(ratio), bar: "≤ 3",
        isMet: ratio <= 3),
    ]
  }
}
