public import Daybook

/// Counts everything anew that a ledger answers, and says where it differs.
///
/// All entities are read as the ledger keeps them. From these, lists, counts, balances, totals by month and
/// category, budgets, payments to come, insights and texts found are worked out naively, by rules written down a
/// second time and sharing nothing with the engine's, and compared with what the ledger answers. Then
/// ``Ledger/verify(progress:)`` proves entities and views against history.
///
/// ```swift
/// #expect(try await LedgerChecker().differences(in: ledger) == [])
/// ```
///
/// It takes its time: seconds for a few thousand transactions, in a debug build, and it keeps them all in memory.
public struct LedgerChecker: Sendable {
  /// Draws what is asked about: days, filters, pages.
  ///
  /// Another seed asks about others.
  public var seed: UInt64
  /// The day that most questions take for today; without it that of the newest row.
  public var today: Day?
  /// So many differences are enough.
  public var differenceCountMax: Int

  /// A checker.
  public init(seed: UInt64 = 1, today: Day? = nil, differenceCountMax: Int = 20) {
    self.seed = seed
    self.today = today
    self.differenceCountMax = differenceCountMax
  }

  /// What a ledger answers otherwise than it should, one in each text; none where all is right.
  ///
  /// Everything is asked as of one commit; other tasks may go on appending.
  ///
  /// - Throws: ``DaybookError`` where the ledger cannot be read at all.
  /// - Complexity: O(transactions · questions), several hundred questions.
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

  /// What questions to a snapshot answer otherwise than they should.
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
