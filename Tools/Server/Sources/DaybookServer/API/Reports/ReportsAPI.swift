import Daybook

/// `/v1/reports`: figures for a day or a range of days.
enum ReportsAPI {
  private struct Balances: Encodable, Sendable {
    var day: Day
    var balances: [AccountBalance]
    var netWorth: [Total]
    var worth: Converted?
  }

  private struct Breakdown<Row: Encodable & Sendable>: Encodable, Sendable {
    var days: Days
    var kind: CategoryKind
    var categories: [Row]
  }

  private struct Days: Encodable, Sendable {
    var start: Day
    var end: Day
  }

  static let endpoints: [Endpoint] = [
    .read("/reports/balances", "reportBalances", query: ["on", "all", "base"]) { call, snapshot in
      let day = try call.query.day("on") ?? call.today()
      let all = try call.query.flag("all") ?? false
      // List all accounts that the totals include, such as deleted accounts with a balance.
      let balances = try snapshot.balances(on: day, includingDeleted: true).filter {
        all || !$0.account.isClosed && !$0.account.isDeleted || $0.balance.units != 0
      }
      let base = try call.base(in: snapshot)
      return Balances(
        day: day, balances: balances, netWorth: try snapshot.netWorth(on: day),
        worth: try base.map { try snapshot.baseNetWorth(on: day, base: $0) })
    },
    .read(
      "/reports/breakdown", "reportBreakdown",
      query: ["from", "through", "kind", "rollUp", "base"]
    ) { call, snapshot in
      let today = try call.today()
      let month = today.monthOf
      let days = try call.query.days(or: month.first..<month.last.adding(days: 1))
      let kind = try call.query.choice("kind", CategoryKind.self) ?? .expense
      let rollUp = try call.query.flag("rollUp") ?? false
      let span = Days(start: days.lowerBound, end: days.upperBound)
      guard let base = try call.base(in: snapshot) else {
        return Breakdown(
          days: span, kind: kind,
          categories: try snapshot.breakdown(in: days, kind: kind, rollUp: rollUp, today: today))
      }
      return Breakdown(
        days: span, kind: kind,
        categories: try snapshot.baseBreakdown(
          in: days, kind: kind, rollUp: rollUp, base: base, today: today))
    },
    .read("/reports/totals", "reportTotals", query: ["from", "through", "base"]) { call, snapshot in
      let today = try call.today()
      let month = today.monthOf
      let days = try call.query.days(or: month.first..<month.last.adding(days: 1))
      guard let base = try call.base(in: snapshot) else {
        return ["totals": try snapshot.totals(in: days, today: today)]
      }
      return ["totals": [try snapshot.baseTotals(in: days, base: base, today: today)]]
    },
    .read("/reports/insights", "reportInsights", query: ["month", "base", "limit"]) {
      call, snapshot in
      let today = try call.today()
      return try snapshot.baseInsights(
        call.query.month("month") ?? today.monthOf, base: call.base(in: snapshot),
        topCategoryLimit: call.query.limit(or: 5), today: today)
    },
    .read("/reports/dormant", "reportDormant", query: ["days"]) { call, snapshot in
      [
        "accounts": try snapshot.dormantAccounts(
          days: call.query.number("days", 1...3_660) ?? 180, today: call.today())
      ]
    },
  ]
}

extension Call {
  /// Returns the currency to convert to: the requested currency, or the ledger's base currency.
  func base(in snapshot: borrowing Snapshot) throws -> Currency? {
    if let code = query.text("base") { return try snapshot.known(code, "base") }
    return try snapshot.settings().baseCurrency
  }
}
