public import Daybook

/// A row of an import and another row, or a transaction, that are likely to be one transfer.
public struct ProposedTransfer: Hashable, Sendable, Codable {
  /// The amount.
  public var amount: Money
  /// The name of the account that pays.
  public var source: String
  /// The day on which it pays.
  public var day: Day
  /// The name of the account that receives.
  public var target: String
  /// The day on which it receives.
  public var arrivalDay: Day
}

extension ImportBatch {
  /// The maximum number of days between the halves of a proposed transfer.
  private static let transferDayCountMax = 5
  /// The maximum number of proposed transfers.
  private static let transferCountMax = 1_000

  /// Returns the rows that are likely to be halves of transfers.
  ///
  /// - Parameter left: The rows that were or would be left out.
  func proposedTransfers(
    _ report: ImportReport, _ left: Set<Int>, in snapshot: borrowing Snapshot
  ) throws -> [ProposedTransfer] {
    func name(_ id: AccountID) throws -> String {
      try snapshot.account(id)?.name ?? "a new account"
    }
    guard settings.isDryRun else {
      guard let first = rows.lazy.map(\.draft.day).min(),
        let last = rows.lazy.map(\.draft.day).max(), !report.recorded.isEmpty
      else { return [] }
      let recorded = Set(report.recorded)
      let days = first..<last.adding(days: Self.transferDayCountMax + 1)
      return try snapshot.transferPairs(
        in: days, distance: Self.transferDayCountMax, limit: Self.transferCountMax
      ).filter { recorded.contains($0.paying.id) || recorded.contains($0.receiving.id) }
        .compactMap { pair in
          guard let source = pair.paying.account, let target = pair.receiving.account,
            let amount = pair.receiving.amount
          else { return nil }
          return ProposedTransfer(
            amount: amount, source: try name(source), day: pair.paying.day,
            target: try name(target), arrivalDay: pair.receiving.day)
        }
    }
    let new = rows.indices.filter { !left.contains($0) && !report.settled.contains($0) }
      .filter { index in !report.joined.contains { $0.index == index } }
    let halves = new.compactMap { index -> TransferRow? in
      let draft = rows[index].draft
      guard case .entry(let entry) = draft.shape, entry.category?.isBuiltin ?? true,
        draft.status == .cleared, let movement = draft.accountMovements.first
      else { return nil }
      return TransferRow(day: draft.day, account: movement.account, amount: movement.amount)
    }
    return try snapshot.transferPairs(of: halves, distance: Self.transferDayCountMax)
      .prefix(Self.transferCountMax).map { paying, receiving in
        ProposedTransfer(
          amount: receiving.amount, source: try name(paying.account), day: paying.day,
          target: try name(receiving.account), arrivalDay: receiving.day)
      }
  }
}
