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

  /// For scripts: which closed days are worth something else now, or `null`.
  var member: (String, JSON) {
    guard let first = days.first, let last = days.last else { return ("closedChanged", .null) }
    return (
      "closedChanged",
      .object(of: [("days", .count(days.count)), ("from", .day(first)), ("through", .day(last))])
    )
  }

  /// Warns people on standard error, where a closed day is worth something else now; scripts have ``member``.
  func warn(json: Bool) throws {
    guard !json, let first = days.first, let last = days.last, let worth else { return }
    let span =
      days.count == 1 ? "\(first)" : "\(Figures.count(days.count)) days, \(first) to \(last),"
    try Output.remark(
      "Warning: the books are closed through \(worth.through), and \(span) "
        + "\(days.count == 1 ? "is" : "are") worth something else in \(worth.base) now. "
        + "Amounts are as they were; `daybook undo` takes the rates back.")
  }
}

extension LedgerOptions {
  /// Records what is said of rates, and answers; warns where it changes what closed days are worth.
  func recordRates(
    from day: Day, _ members: [(String, JSON)], _ sentence: String,
    _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws {
    let change = try await withLedger { ledger in
      let commands = try ledger.read { snapshot in try commands(snapshot) }
      return try await ClosedChange.made(in: ledger, from: day) {
        _ = try await ledger.append(commands)
      }.1
    }
    try answer(members + [change.member], sentence)
    try change.warn(json: json)
  }
}
