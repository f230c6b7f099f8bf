import Daybook
import Terminal

/// What was recorded.
struct Recorded {
  var receipt: Receipt
  /// The names of what is there since, where they are wanted.
  var names: Names?
}

extension LedgerOptions {
  /// Records commands that are made from what the ledger holds now, as one commit.
  ///
  /// - Parameter new: What the paths of the commands name and is not there yet; it is created before them.
  @discardableResult
  func record(
    creating new: NewCategories? = nil, key: String? = nil,
    _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws -> Recorded {
    try await withLedger { ledger in
      let receipt = try await append(to: ledger, creating: new, key: key, commands)
      return Recorded(receipt: receipt, names: try names(in: ledger))
    }
  }

  /// The names that an answer for scripts has beside its content.
  func names(in ledger: Ledger) throws -> Names? {
    json ? try ledger.read { snapshot in try Names(snapshot) } : nil
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
      return try Output.json(JSONAnswer(Joined(receipt, ["transactions": rows]), names))
    }
    for row in rows {
      let summary = RowSummary(row, names)
      let chooser = names.chooser(of: row)
      let category = summary.category + (chooser.isEmpty ? "" : " (by \(chooser))")
      let parts = [summary.account, summary.amount.map(Figures.withCode) ?? "", category]
      let again = receipt.isRepeat ? " (already recorded with the same key)" : ""
      try Output.line(
        "\(verb) \(row.place): "
          + parts.filter { !$0.isEmpty }.joined(separator: ", ").printable + again)
    }
  }

  /// Says what was recorded: the receipt as JSON, or a sentence.
  func answer(_ recorded: Recorded, _ sentence: String) throws {
    try answer(JSONAnswer(recorded.receipt, recorded.names), sentence)
  }

  /// Says what was recorded: the receipt as JSON with further members, or a sentence.
  func answer(
    _ recorded: Recorded, with more: some Encodable & Sendable, _ sentence: String
  ) throws {
    try answer(JSONAnswer(Joined(recorded.receipt, more), recorded.names), sentence)
  }

  /// Says what was done, as JSON or in a sentence.
  func answer(_ content: JSONAnswer, _ sentence: String) throws {
    if json { return try Output.json(content) }
    try Output.line(sentence.printable)
  }
}
