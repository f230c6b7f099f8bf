import Daybook

/// `/v1/reports`: figures over several months or days.
enum OverTimeAPI {
  static let endpoints: [Endpoint] = [
    .read("/reports/months", "reportMonths", query: ["count", "through", "base", "currency"]) {
      call, snapshot in
      let today = try call.today()
      let range = try call.months()
      if let code = call.query.text("currency") {
        let currency = try snapshot.known(code, "currency")
        let months = try snapshot.months(range, today: today)
        return [
          "months": months.map { MonthTotals(month: $0.month, totals: [$0.totals(in: currency)]) }
        ]
      }
      guard let base = try call.base(in: snapshot) else {
        return ["months": try snapshot.months(range, today: today)]
      }
      return ["months": try snapshot.baseMonths(range, base: base, today: today)]
    },
    .read(
      "/reports/trend", "reportTrend",
      query: ["category", "count", "through", "base", "subcategories"]
    ) { call, snapshot in
      let today = try call.today()
      guard let category = try call.query.id("category", CategoryID.self) else {
        throw Problem.query(
          "category", "The category is missing.", remedy: "Send its id as “category”.")
      }
      let below = try call.query.flag("subcategories") ?? true
      guard let base = try call.base(in: snapshot) else {
        return [
          "months": try snapshot.trend(
            of: category, over: call.months(), includingSubcategories: below, today: today)
        ]
      }
      return [
        "months": try snapshot.baseTrend(
          of: category, over: call.months(), includingSubcategories: below, base: base,
          today: today)
      ]
    },
    .read("/reports/tags", "reportTags", query: ["count", "through", "base"]) { call, snapshot in
      [
        "tags": try snapshot.tagMonths(
          call.months(), base: call.base(in: snapshot), today: call.today())
      ]
    },
    .read(
      "/reports/payees", "reportPayees", query: ["prefix", "count", "through", "base", "limit"]
    ) { call, snapshot in
      let payees = try snapshot.payeeMonths(
        call.months(), startingWith: call.query.text("prefix") ?? "",
        base: call.base(in: snapshot), today: call.today())
      return ["payees": Array(payees.prefix(try call.query.limit()))]
    },
    .read(
      "/reports/net-worth", "reportNetWorth",
      query: ["count", "through", "base", "liabilities", "accrued"]
    ) { call, snapshot in
      let today = try call.today()
      let owed = try call.query.flag("liabilities") ?? true
      let accrued = try call.query.flag("accrued") ?? false
      let base = try call.base(in: snapshot)
      // For the current month, use today's figure.
      let days = try call.months().map { $0 == today.monthOf ? today : $0.last }
      guard let base else {
        return [
          "days": try days.map {
            DatedTotals(
              day: $0,
              totals: try snapshot.netWorth(
                on: $0, includesLiabilities: owed, includesAccruedInterest: accrued))
          }
        ]
      }
      return NetWorthSeries(
        days: try days.map {
          DatedConverted(
            day: $0,
            amount: try snapshot.baseNetWorth(
              on: $0, base: base, includesLiabilities: owed, includesAccruedInterest: accrued))
        },
        rates: try days.last.map {
          try snapshot.netWorthRates(on: $0, base: base, includesLiabilities: owed)
            .flatMap(\.rates)
        } ?? [])
    },
    .read("/reports/worth-changes", "reportWorthChanges", query: ["count", "through", "base"]) {
      call, snapshot in
      let (today, base, months) = (try call.today(), try call.base(in: snapshot), try call.months())
      return [
        "changes": try months.map { month in
          // Only the last month is cut short, so that every month begins where the one before ends.
          let isCut = month == today.monthOf && month == months.last
          let end = isCut ? today : month.last
          return try snapshot.worthChange(in: month.first..<end.adding(days: 1), base: base)
        }
      ]
    },
    .read(
      "/reports/balance-series", "reportBalanceSeries",
      query: ["account", "from", "through", "every"]
    ) { call, snapshot in
      let today = try call.today()
      let days = try call.query.days(or: today.adding(months: -12)..<today.adding(days: 1))
      try call.check(days)
      return [
        "balances": try snapshot.balanceSeries(
          of: call.account(), over: days, every: call.query.choice("every") ?? .month)
      ]
    },
    .read("/reports/forecast", "reportForecast", query: ["account", "through", "every"]) {
      call, snapshot in
      let today = try call.today()
      let last = try call.query.day("through") ?? today.adding(months: 3)
      if last >= today { try call.check(today..<last) }
      return try snapshot.forecast(
        of: call.account(), through: last, today: today, every: call.query.choice("every") ?? .day)
    },
  ]
}

extension Call {
  /// Returns the `count` months (12 by default) that end with `through`.
  func months() throws -> Range<Month> {
    let last = try query.month("through") ?? today().monthOf
    let count = try query.number("count", 1...1_200) ?? 12
    let first = last.adding(1 - count)
    guard first <= last else {
      throw Problem.query(
        "count", "The months begin before the first supported date.",
        remedy: "Request fewer months.")
    }
    return first..<last.adding(1)
  }

  /// Returns the account named in the query.
  ///
  /// - Throws: ``Problem`` if the parameter is missing.
  func account() throws -> AccountID {
    guard let account = try query.id("account", AccountID.self) else {
      throw Problem.query(
        "account", "The account is missing.", remedy: "Send its id as “account”.")
    }
    return account
  }

  /// Throws a ``Problem`` if a range is longer than 3,700 days, about ten years.
  func check(_ days: Range<Day>) throws {
    guard days.lowerBound.distance(to: days.upperBound) > 3_700 else { return }
    throw Problem.query(
      "through", "The range is longer than 3,700 days.", remedy: "Request a shorter range.")
  }
}

/// The net worth in a base currency, and the rates of the last day.
private struct NetWorthSeries: Encodable, Sendable {
  var days: [DatedConverted]
  var rates: [ExchangeRate]
}
