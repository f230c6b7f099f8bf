import Daybook
import Terminal

extension LedgerOptions {
  /// Records commands that are made from what the ledger holds now, as one commit.
  @discardableResult
  func record(
    key: String? = nil, _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws -> Receipt {
    try await withLedger { ledger in
      let commands = try ledger.read { snapshot in try commands(snapshot) }
      return try await ledger.append(commands, key: key)
    }
  }

  /// Records commands, then shows the transactions they touched.
  func recordAndShow(
    _ verb: String, key: String? = nil,
    _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws {
    let (rows, names, receipt) = try await withLedger { ledger in
      let commands = try ledger.read { snapshot in try commands(snapshot) }
      let receipt = try await ledger.append(commands, key: key)
      let ids = receipt.outcomes.compactMap(\.transaction)
      return try ledger.read { snapshot in
        (try ids.compactMap { try snapshot.transaction($0) }, try Names(snapshot), receipt)
      }
    }
    if json {
      return try Output.json(
        .object([
          ("transactions", .array(rows.map { .transaction($0, names) })),
          ("token", .string("\(receipt.token)")), ("repeat", .bool(receipt.isRepeat)),
        ]))
    }
    for row in rows {
      let summary = RowSummary(row, names)
      let chooser = names.chooser(of: row)
      let category = summary.category + (chooser.isEmpty ? "" : " (by \(chooser))")
      let parts = [summary.account, summary.amount.map(Figures.withCode) ?? "", category]
      let again = receipt.isRepeat ? " (recorded before, under the same key)" : ""
      try Output.line(
        "\(verb) \(row.place): "
          + parts.filter { !$0.isEmpty }.joined(separator: ", ").printable + again)
    }
  }

  /// Says what was done, in a sentence or as JSON.
  func answer(_ members: [(String, JSON)], _ sentence: String) throws {
    if json { return try Output.json(.object(members)) }
    try Output.line(sentence.printable)
  }
}
