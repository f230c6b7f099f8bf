import Daybook

/// What rates that were recorded change in the closed period.
struct ClosedChange {
  private let days: [Day]
  private let worth: ClosedWorth?

  /// Does something with the ledger, and compares what the closed days are worth before and after.
  ///
  /// - Parameter day: the first day that may be worth something else.
  static func made<Result>(
    in ledger: Ledger, from day: Day, _ body: () async throws -> Result
  ) async throws -> (Result, ClosedChange) {
    let before = try ledger.read { try $0.closedWorth(from: day) }
    let result = try await body()
    let after = try ledger.read { try $0.closedWorth(from: day) }
    guard let before, let after else { return (result, ClosedChange(days: [], worth: nil)) }
    return (result, ClosedChange(days: after.days(differingFrom: before), worth: after))
  }

  /// Warns people on standard error, where a closed day is worth something else now; scripts read it in
  /// the answer.
  func warn(json: Bool) throws {
    guard !json, let first = days.first, let last = days.last, let worth else { return }
    let span =
      days.count == 1 ? "\(first)" : "\(Figures.count(days.count)) days from \(first) to \(last)"
    try Output.remark(
      "Warning: the books are closed through \(worth.through), and totals in \(worth.base) changed "
        + "for \(span). Recorded amounts didn't change. To undo the change of rates, run `daybook "
        + "undo`.")
  }
}

extension ClosedChange: Encodable, Sendable {
  private enum Key: String, CodingKey { case closedChanged }
  private enum DayKey: String, CodingKey { case start, end, count }

  /// Writes under `closedChanged` from and up to which closed day, and how many are worth something else
  /// now; nothing where none is.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    guard let first = days.first, let last = days.last else { return }
    var span = container.nestedContainer(keyedBy: DayKey.self, forKey: .closedChanged)
    try span.encode(first, forKey: .start)
    try span.encode(last.adding(days: 1), forKey: .end)
    try span.encode(days.count, forKey: .count)
  }
}

extension LedgerOptions {
  /// Records what is said of rates, and answers; warns where it changes what closed days are worth.
  func recordRates(
    from day: Day, _ sentence: String, _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws {
    let (receipt, change) = try await withLedger { ledger in
      let commands = try ledger.read { snapshot in try commands(snapshot) }
      return try await ClosedChange.made(in: ledger, from: day) {
        try await ledger.append(commands)
      }
    }
    try answer(Recorded(receipt: receipt), with: change, sentence)
    try change.warn(json: json)
  }
}
