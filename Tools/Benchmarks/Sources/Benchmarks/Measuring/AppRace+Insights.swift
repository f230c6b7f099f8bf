import Daybook

/// Insights, payees and tags, whose reads don't grow with the number of rows.
extension AppRace {
  func insights() async throws -> [Row] {
    note("asking for insights")
    let ledger = try await Ledger.open(at: path)
    let today = Day(rawValue: Int32(WorkGenerator.lastDay))
    guard let euro = Currency.iso("EUR") else { throw BenchmarkError("no euro") }
    let month = today.monthOf
    let year = month.adding(-11).first..<today.adding(days: 1)
    let lastMonth = month.adding(-1).days
    func row(_ name: String, _ body: (borrowing Snapshot) throws -> Int) throws -> Row {
      // Adds 1, because an empty result is also an answer.
      let time = try microsecondsPerCall { try ledger.read { try body($0) } + 1 }
      return Row(measure: "insight, \(name), µs", value: Report.number(time))
    }
    let rows = [
      try row("month over month") {
        Int(clamping: try $0.monthOverMonth(month, in: euro, today: today).net.units)
      },
      try row("average per day of a year") {
        Int(clamping: try $0.averagePerDay(in: year, currency: euro, today: today).units)
      },
      try row("top categories of a year") {
        try $0.topCategories(in: year, currency: euro, today: today).count
      },
      try row("spikes of a month") {
        try $0.spikes(in: month, currency: euro, today: today).count
      },
      try row("streak of growth in ten years") {
        try $0.growthStreak(through: month, currency: euro, today: today)
      },
      try row("savings rate of a year") {
        try $0.savingsRate(in: year, currency: euro, today: today)?.perMille ?? 0
      },
      try row("best and worst of 120 months") {
        let range = month.adding(-119)..<month.adding(1)
        return try $0.bestAndWorstMonth(in: range, currency: euro, today: today) == nil ? 0 : 1
      },
      try row("runway") { try $0.runway(in: euro, today: today) == nil ? 0 : 1 },
      try row("accounts dormant for 90 days") {
        try $0.dormantAccounts(days: 90, today: today).count
      },
      try row("rows of a month that may be one twice") { try $0.duplicates(in: lastMonth).count },
    ]
    try await ledger.close()
    return rows
  }
}
