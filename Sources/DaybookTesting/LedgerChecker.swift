public import Daybook

/// A checker that recomputes a ledger's answers from its entities and reports the differences.
///
/// The checker reads all stored entities, and computes from them lists, counts, balances, totals by
/// month and category, budgets, upcoming payments, insights and search results. It uses a naive
/// implementation that shares no rules with the engine, and compares the results with the ledger's
/// answers. Finally, it calls ``Ledger/verify(progress:)``, which compares the entities and views
/// with the history.
///
/// ```swift
/// #expect(try await LedgerChecker().differences(in: ledger) == [])
/// ```
///
/// A check takes seconds for a few thousand transactions in a debug build, and keeps all of them in
/// memory.
public struct LedgerChecker: Sendable {
  /// The seed that determines the days, filters and pages of the queries.
  ///
  /// Different seeds produce different queries.
  public var seed: UInt64
  /// The day that most queries use as the current day; `nil` for the day of the newest transaction.
  public var today: Day?
  /// The number of differences after which the check stops.
  public var differenceCountMax: Int

  /// Creates a checker.
  public init(seed: UInt64 = 1, today: Day? = nil, differenceCountMax: Int = 20) {
    self.seed = seed
    self.today = today
    self.differenceCountMax = differenceCountMax
  }

  /// Returns the differences between the ledger's answers and the expected answers, one per
  /// element.
  ///
  /// The result is empty if all answers are correct. All queries use a single snapshot, so other
  /// tasks may append concurrently.
  ///
  /// - Throws: ``DaybookError`` if the ledger can't be read.
  /// - Complexity: O(*n* × *q*), where *n* is the number of transactions and *q* is several hundred
  ///   queries.
  @concurrent
  public func differences(in ledger: Ledger) async throws(DaybookError) -> [String] {
    do {
      return try countedAnew(ledger) + (await ledger.verify().findings)
    } catch let error as DaybookError {
      throw error
    } catch {
      throw DaybookError(
        code: .system, message: "The check failed: \(error).", remedy: "Report it.", cause: error)
    }
  }

  /// Returns the differences in the answers of a snapshot.
  func countedAnew(_ ledger: Ledger) throws -> [String] {
    try ledger.read { snapshot throws in
      let oracle = try Oracle(of: snapshot)
      let newest = oracle.transactions.map(\.day).max()
      var comparison = Comparison(
        oracle, around: today ?? newest ?? .min.adding(days: 1_000),
        in: oracle.usedCurrencies, seed: seed, isFull: true,
        differenceCountMax: differenceCountMax)
      comparison.run(snapshot)
      return comparison.differences
    }
  }
}
