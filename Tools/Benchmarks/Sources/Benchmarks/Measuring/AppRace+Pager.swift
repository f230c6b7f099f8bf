import Daybook
import Foundation

extension AppRace {
  // MARK: Pages under filters

  /// Compares a page of 50 under each filter, at the start and halfway down its list, with an
  /// unfiltered page.
  ///
  /// The target applies to filters that a single index answers. For filters that join several
  /// lists, only the ratio to an unfiltered page is reported.
  func filteredPages() async throws -> [Row] {
    let ledger = try await Ledger.open(at: path)
    var rows: [Row] = []
    for (name, filter, isServed) in try filters(of: ledger) {
      note("pages: \(name)")
      let places = try [nil, middle(of: filter, in: ledger)]
      for (place, key) in zip(["first", "deep"], places) {
        var times: [Double] = []
        var ratios: [Double] = []
        for _ in 0..<5 {
          let plain = try microseconds(
            .all, after: key == nil ? nil : middle(of: .all, in: ledger), ledger)
          let filtered = try microseconds(filter, after: key, ledger)
          times.append(filtered)
          ratios.append(filtered / plain)
        }
        let ratio = median(ratios)
        rows.append(
          Row(
            measure: "page of 50, \(place), \(name), µs", value: Report.number(median(times)),
            bar: (isServed ? "≤ 2x unfiltered " : "no index: ") + "(\(Report.number(ratio)))",
            isMet: isServed ? ratio <= 2 : nil))
      }
    }
    try await ledger.close()
    return rows
  }

  private func microseconds(
    _ filter: TransactionFilter, after key: TransactionPosition?, _ ledger: Ledger
  ) throws -> Double {
    try microsecondsPerCall {
      try ledger.read { try $0.transactions(filter, after: key, limit: 50).count }
    }
  }

  private func middle(of filter: TransactionFilter, in ledger: Ledger) throws
    -> TransactionPosition?
  {
    try ledger.read { snapshot throws in
      let count = try snapshot.count(filter)
      return try snapshot.transactions(filter, offset: max(count / 2 - 1, 0), limit: 1).first?.key
    }
  }

  private func filters(of ledger: Ledger) throws -> [(String, TransactionFilter, isServed: Bool)] {
    let (accounts, categories) = try ledger.read { snapshot throws in
      (try snapshot.accounts(), try snapshot.categories(.expense))
    }
    guard let account = accounts.first, let group = categories.first(where: { $0.parent == nil }),
      let leaf = categories.first(where: { $0.parent == group.id })
    else { throw BenchmarkError("the ledger has no accounts and categories") }
    let last = Day(rawValue: Int32(WorkGenerator.lastDay))
    let years = last.adding(months: -60)..<last
    return [
      ("account", TransactionFilter(account: account.id), true),
      ("category", TransactionFilter(category: leaf.id), true),
      ("category and 5 below it", TransactionFilter(category: group.id), true),
      ("type", TransactionFilter(type: .transfer), true),
      ("currency", TransactionFilter(currency: account.currency), true),
      ("type and currency", TransactionFilter(type: .expense, currency: account.currency), true),
      ("days", TransactionFilter(days: years), true),
      ("account and days", TransactionFilter(account: account.id, days: years), true),
      ("account and type", TransactionFilter(account: account.id, type: .transfer), false),
      ("account and category", TransactionFilter(account: account.id, category: group.id), false),
      (
        "account and currency", TransactionFilter(account: account.id, currency: account.currency),
        true
      ),
      (
        "category and currency", TransactionFilter(category: group.id, currency: account.currency),
        false
      ),
      (
        "account, category and type",
        TransactionFilter(account: account.id, category: group.id, type: .expense), false
      ),
    ]
  }

  // MARK: Pager

  /// Scrolls through all rows, down and up again, in a separate process.
  func pager() async throws -> [Row] {
    note("scrolling")
    let probe = try await Probe.run(.scroll, DaybookEngine.name, scratch + "/app")
    let ledger = try await Ledger.open(at: path)
    let count = try ledger.read { try $0.count() }
    try await ledger.close()
    let megabytes = Double(probe.kilobytes) / 1_024
    return [
      Row(
        measure: "scrolling \(count) rows down and up, anonymous MB at most",
        value: Report.number(megabytes), bar: "≤ 32", isMet: megabytes <= 32),
      Row(
        measure: "scrolling, µs a row",
        value: Report.number(probe.microseconds / Double(2 * count))),
    ]
  }
}

/// Scrolls through all rows of a pager from end to end.
@MainActor final class Scroller {
  private let pager: TransactionPager
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ ledger: Ledger) {
    pager = TransactionPager(ledger)
    pager.onChange = { [unowned self] _ in
      waiting?.resume()
      waiting = nil
    }
  }

  /// Scrolls down to the end and up to the start again.
  ///
  /// - Throws: ``BenchmarkError`` if a row was missed or repeated.
  func scroll() async throws {
    await pager.refresh()
    guard let count = pager.count else { throw BenchmarkError("the pager did not count") }
    for isDown in [true, false] {
      var seen = 0
      var last: TransactionPosition?
      while true {
        let rows = pager.sections.flatMap(\.rows)
        let fresh = rows.filter { row in last.map { isDown ? row.key < $0 : row.key > $0 } ?? true }
        seen += fresh.count
        guard let end = isDown ? rows.last : rows.first else { break }
        last = end.key
        guard isDown ? pager.hasMore : pager.hasNewer else { break }
        await withCheckedContinuation { continuation in
          waiting = continuation
          pager.reached(end)
        }
      }
      guard seen == count else { throw BenchmarkError("\(seen) rows were seen of \(count)") }
    }
  }
}
