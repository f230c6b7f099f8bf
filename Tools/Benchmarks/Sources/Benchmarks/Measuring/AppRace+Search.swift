import Daybook

extension AppRace {
  /// Measures the first page of searches for terms with many, few or no matches, as medians of
  /// five.
  func searches() async throws -> [Row] {
    let ledger = try await Ledger.open(at: path)
    note("searching")
    var rows: [Row] = []
    func add(
      _ measure: String, _ text: String, bar: Double?,
      _ change: (inout TransactionFilter) -> Void = { _ in }
    ) throws {
      var filter = TransactionFilter(text: text)
      change(&filter)
      let wanted = filter
      // Adds 1, because an empty result is also an answer.
      let times = try (0..<5).map { _ in
        try microsecondsPerCall {
          try ledger.read { try $0.transactions(wanted, limit: 50).count } + 1
        }
      }
      let time = median(times)
      rows.append(
        Row(
          measure: "search, \(measure), µs", value: Report.number(time),
          bar: bar.map { "≤ \(Report.number($0))" } ?? "", isMet: bar.map { time <= $0 }))
    }
    let known = try ledger.read { try $0.transactions(offset: events / 2, limit: 1) }.first
    let receipt = String(known?.description.suffix(6) ?? "123456")
    try add("in every row", "receipt", bar: 1_000)
    try add("in one of eight rows", "cinema", bar: 1_000)
    try add("in one of 256", "bakery salary", bar: 1_000)
    try add("in one of 1,000", "999", bar: 1_000)
    try add("two letters of one of 20", "99", bar: 1_000)
    try add("in one row or two", receipt, bar: 1_000)
    try add("in none, unlike all", "xylophone", bar: 5_000)
    try add("in none, like many", "cinema, salary", bar: 5_000)
    try add("in none, of digits", "000017", bar: 5_000)
    try add("in none, of one letter", "q", bar: 5_000)
    let account = try ledger.read { try $0.accounts().first }
    try add("in one of 256, under an account", "bakery salary", bar: 1_000) {
      $0.account = account?.id
    }
    try add("in one row or two, under an account", receipt, bar: 1_000) { $0.account = account?.id }
    try add("a category's name", "category 137", bar: 1_000)
    try await ledger.close()
    return rows
  }
}
