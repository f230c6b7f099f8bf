package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Balances {
  /// The money that moved in and out of an account.
  package struct Flow: Hashable, Sendable {
    /// The amount that came in, in minor units of the account's currency.
    package var moneyIn: Int128 = 0
    /// The amount that went out, without its sign.
    package var moneyOut: Int128 = 0
    /// The number of transactions.
    package var count = 0

    /// The amount that came in minus the amount that went out.
    package var net: Int128 { moneyIn - moneyOut }
  }

  /// Returns the balance of an account at the end of a day, including its opening balance.
  ///
  /// - Complexity: O(years + 11 months + 16 days) rows in at most three scans.
  package static func balance(
    of account: UInt32, on day: Day, in view: borrowing View
  ) throws -> Int128 {
    try balance(of: account, on: day, in: try view.tables(of: Balances.self)[flows], view)
  }

  /// Returns the balances of accounts at the end of a day, in the order of `accounts`.
  package static func balances(
    of accounts: [UInt32], on day: Day, in view: borrowing View
  ) throws -> [Int128] {
    let table = try view.tables(of: Balances.self)[flows]
    var balances: [Int128] = []
    balances.reserveCapacity(accounts.count)
    for account in accounts {
      balances.append(try balance(of: account, on: day, in: table, view))
    }
    return balances
  }

  /// Returns the flow of an account in a range of days, without opening balances.
  package static func flow(
    of account: UInt32, in range: Range<Day>, in view: borrowing View
  ) throws -> Flow {
    try flow(of: account, in: range, in: try view.tables(of: Balances.self)[flows], view)
  }

  /// Returns the balances of an account at the end of each of some days.
  ///
  /// - Parameter days: The days in ascending order.
  /// - Complexity: One scan of the days between the first and the last if they are close together,
  ///   otherwise a few rows for each day.
  package static func series(
    of account: UInt32, on days: [Day], in view: borrowing View
  ) throws -> [Int128] {
    guard let first = days.first, let last = days.last else { return [] }
    let table = try view.tables(of: Balances.self)[flows]
    var balance = try balance(of: account, on: first, in: table, view)
    // The flows don't include an opening balance within the range of days.
    let opening = try datedOpening(of: account, in: table, view)
    func openingUnits(after earlier: Day, through later: Day) -> Int128 {
      guard let opening, opening.day > earlier, opening.day <= later else { return 0 }
      return opening.units
    }
    var balances = [balance]
    balances.reserveCapacity(days.count)
    guard first.distance(to: last) <= 20 * days.count else {
      for position in days.indices.dropFirst() {
        let earlier = days[position - 1]
        let range = earlier.adding(days: 1)..<days[position].adding(days: 1)
        balance += try flow(of: account, in: range, in: table, view).net
        balance += openingUnits(after: earlier, through: days[position])
        balances.append(balance)
      }
      return balances
    }
    var next = 1
    // Appends the balance of each remaining day in the list that is before `day`.
    func close(before day: Int32) {
      while next < days.count, days[next].rawValue < day {
        balances.append(balance + openingUnits(after: first, through: days[next]))
        next += 1
      }
    }
    let span = PeriodSpan(.day, first.adding(days: 1).rawValue, last.adding(days: 1).rawValue)
    try forEachFlow(of: account, in: span, in: view) { index, flow in
      close(before: index)
      balance += flow.net
      return true
    }
    close(before: .max)
    return balances
  }

  /// Calls `body` with the flow of each period in a span, in order, until it returns `false`.
  ///
  /// Periods without transactions are skipped. Opening balances aren't included.
  package static func forEachFlow(
    of account: UInt32, in span: PeriodSpan, reversed: Bool = false, in view: borrowing View,
    _ body: (_ index: Int32, Flow) throws -> Bool
  ) throws {
    let table = try view.tables(of: Balances.self)[flows]
    var prefix = TableKey()
    prefix.append(number: account)
    try view.forEachSum(in: table, prefix: prefix, span, reversed: reversed) { key, sums in
      let (_, index) = try place(key)
      let count = try checkedCount(sums[2], in: name, "account \(account)")
      return try body(index, Flow(moneyIn: sums[0], moneyOut: sums[1], count: count))
    }
  }

  /// Calls `body` with each account that has flows or an opening balance, and with its total flow.
  ///
  /// The totals are sums of the rows of years.
  package static func forEachAccount(
    in view: borrowing View, _ body: (_ account: UInt32, Flow) throws -> Void
  ) throws {
    let table = try view.tables(of: Balances.self)[flows]
    var account: UInt32 = 0
    while true {
      var from = TableKey()
      from.append(number: account)
      var to = TableKey()
      to.append(u64: .max)
      var found: UInt32?
      try view.forEachSum(in: table, from: from, to: to) { key, _ in
        var reader = ByteReader(key)
        found = try reader.keyNumber()
        return false
      }
      guard let found else { return }
      try body(found, try flow(of: found, in: Day.min..<Day.max.adding(days: 1), in: table, view))
      if found == .max { return }
      account = found + 1
    }
  }

  // MARK: Rows

  static func flow(
    of account: UInt32, in range: Range<Day>, in table: Table, _ view: borrowing View
  ) throws -> Flow {
    var prefix = TableKey()
    prefix.append(number: account)
    var totals = Sums()
    for span in PeriodSpan.spans(of: range) {
      try view.forEachSum(in: table, prefix: prefix, span) { _, sums in
        totals += span.isSubtracted ? -sums : sums
        return true
      }
    }
    let count = try checkedCount(totals[2], in: name, "account \(account) in \(range)")
    return Flow(moneyIn: totals[0], moneyOut: totals[1], count: count)
  }

  static func balance(
    of account: UInt32, on day: Day, in table: Table, _ view: borrowing View
  ) throws -> Int128 {
    try balance(of: account, on: day) { from, to, body in
      try view.forEachSum(in: table, from: from, to: to, body)
    }
  }

  /// Returns the balance as of before the current batch, for use by decisions.
  package static func balance(
    of account: UInt32, on day: Day, in tables: CommittedTables, _ handle: ProjectionHandle
  ) throws -> Int128 {
    try balance(of: account, on: day) { from, to, body in
      try tables.forEachSum(in: handle[flows], from: from, to: to, body)
    }
  }

  private static func balance(
    of account: UInt32, on day: Day,
    _ forEachSum: (
      _ from: TableKey, _ to: TableKey, _ body: (RawSpan, Sums) throws -> Bool
    ) throws -> Void
  ) throws -> Int128 {
    // An opening balance without a day counts on every day, so the day must be at least its index.
    let day = max(day, Day(rawValue: timeless))
    var prefix = TableKey()
    prefix.append(number: account)
    var balance: Int128 = 0
    var needsOpening = true
    for span in PeriodSpan.spans(of: Day.min..<max(Day.min, day.adding(days: 1))) {
      var from = prefix
      if span.level == .year, !span.isSubtracted, needsOpening {
        // Level 0, which contains opening balances, sorts just before the years, so one scan reads
        // both levels.
        needsOpening = false
        from.append(.all, timeless)
      } else {
        from.append(span.level, span.lower)
      }
      var to = prefix
      to.append(span.level, span.upper)
      try forEachSum(from, to) { key, sums in
        let (level, index) = try place(key)
        guard sums[2] >= 0 else {
          throw ProjectionFault.negativeCount(sums[2], in: name, "account \(account)")
        }
        if level == Period.Level.all.rawValue, index > day.rawValue { return true }
        balance += span.isSubtracted ? sums[1] - sums[0] : sums[0] - sums[1]
        return true
      }
    }
    if needsOpening {
      var from = prefix
      from.append(.all, timeless)
      var to = prefix
      to.append(.all, day.adding(days: 1).rawValue)
      try forEachSum(from, to) { _, sums in
        balance += sums[0] - sums[1]
        return true
      }
    }
    return balance
  }

  private static func datedOpening(
    of account: UInt32, in table: Table, _ view: borrowing View
  ) throws -> (day: Day, units: Int128)? {
    var prefix = TableKey()
    prefix.append(number: account)
    var opening: (day: Day, units: Int128)?
    let span = PeriodSpan(.all, timeless + 1, Int32.max)
    try view.forEachSum(in: table, prefix: prefix, span) { key, sums in
      opening = (Day(rawValue: try place(key).index), sums[0] - sums[1])
      return true
    }
    return opening
  }

  // Reads the level and the index of a period from a key.
  private static func place(_ key: RawSpan) throws -> (level: UInt8, index: Int32) {
    var reader = ByteReader(key)
    _ = try reader.keyNumber()
    return try reader.keyPeriod()
  }
}
