import Daybook

/// The effect of recorded exchange rates on the closed period.
struct ClosedChange {
  private let days: [Day]
  private let worth: ClosedWorth?

  /// Runs `body`, and compares the net worth on closed days before and after.
  ///
  /// - Parameter day: The first day whose net worth can change.
  static func made<Result>(
    in ledger: Ledger, from day: Day, _ body: () async throws -> Result
  ) async throws -> (Result, ClosedChange) {
    let before = try ledger.read { try $0.closedWorth(from: day) }
    let result = try await body()
    let after = try ledger.read { try $0.closedWorth(from: day) }
    guard let before, let after else { return (result, ClosedChange(days: [], worth: nil)) }
    return (result, ClosedChange(days: after.days(differingFrom: before), worth: after))
  }

  /// Warns people on standard error if the net worth on a closed day changed.
  ///
  /// In the answer for scripts, the change is included.
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

  /// Encodes the range and number of changed closed days as `closedChanged`, or nothing if there
  /// are none.
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
  /// Records commands about exchange rates and warns if they change the net worth on closed days.
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
