package import Daybook

/// What takes its turn at `WRITER`, each process in its own way: the pairs of `PairTests`.
package enum PairWork: String, CaseIterable, Sendable {
  case commit
  case purge
  case compaction
  case rebuild
  case close

  /// Before it takes `WRITER`, with everything decided or prepared.
  package static let outside = "before WRITER"

  /// The last moment at which it holds `WRITER` and nothing has happened yet.
  package var inside: String {
    switch self {
    case .commit: "before journal commit"
    case .purge, .close: "after WRITER"
    case .compaction: "before journal flip"
    case .rebuild: "before flip"
    }
  }

  /// When it is prepared and has only to take `WRITER`, for what prepares itself aside.
  package var prepared: String? {
    switch self {
    case .compaction: "compaction caught up"
    case .rebuild: "rebuild caught up"
    case .commit, .purge, .close: nil
    }
  }

  /// Does it.
  ///
  /// - Parameter text: The description of the row that a commit records.
  package func perform(on ledger: Ledger, _ text: String) async throws {
    switch self {
    case .commit: try await Self.record(text, in: ledger)
    case .purge:
      var options = PurgeOptions()
      options.policy = .count(2)
      try await ledger.purge(options)
    case .compaction: try await ledger.compact()
    case .rebuild: try await ledger.rebuild()
    case .close: try await ledger.close()
    }
  }

  /// Records a row, so that there are views to be flushed at the end, and reads it.
  package static func record(_ text: String, in ledger: Ledger) async throws {
    guard let euro = Currency.iso("EUR"), let day = Day(year: 2026, month: 1, day: 1) else {
      return
    }
    try await ledger.append(
      .record(
        .expense(
          Money(100, euro), from: AccountID(EntityID(high: 77, low: 1)), on: day,
          description: text)))
    // Who reads it waits until the views hold it, and with that the process has let go of `WRITER`.
    _ = try ledger.read { try $0.count() }
  }
}
