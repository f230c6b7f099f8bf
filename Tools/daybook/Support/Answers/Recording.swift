import Daybook
import Terminal

extension LedgerOptions {
  /// Records commands that are made from what the ledger holds now, as one commit.
  ///
  /// - Parameter new: What the paths of the commands name and is not there yet; it is created before them.
  @discardableResult
  func record(
    creating new: NewCategories? = nil, key: String? = nil,
    _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws -> Receipt {
    try await withLedger { ledger in
      try await append(to: ledger, creating: new, key: key, commands)
    }
  }

  private func append(
    to ledger: Ledger, creating new: NewCategories?, key: String?,
    _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws -> Receipt {
    let commands = try ledger.read { snapshot in try commands(snapshot) }
    var creation = new?.commands ?? []
    if key != nil, !creation.isEmpty {
      // The same request under the same key finds the categories there: they are no part of it.
      try await ledger.append(creation)
      creation = []
    }
    let receipt = try await ledger.append(creation + commands, key: key)
    if let remark = new?.remark, !json { try Output.remark(remark) }
    return receipt
  }

  /// Records commands, then shows the transactions they touched.
  func recordAndShow(
    _ verb: String, creating new: NewCategories? = nil, key: String? = nil,
    _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws {
    let (rows, names, receipt) = try await withLedger { ledger in
      let receipt = try await append(to: ledger, creating: new, key: key, commands)
      let ids = receipt.outcomes.compactMap(\.transaction)
      return try ledger.read { snapshot in
        (try ids.compactMap { try snapshot.transaction($0) }, try Names(snapshot), receipt)
      }
    }
    if json {
      return try Output.json(
        .object(of: [
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
    if json { return try Output.json(.object(of: members)) }
    try Output.line(sentence.printable)
  }
}
