import Daybook
import DaybookTerminal

/// The result of recording commands.
struct Recorded {
  var receipt: Receipt
  /// The names in the ledger after the commit, or `nil` if they aren't needed.
  var names: Names?
}

extension LedgerOptions {
  /// Records commands as one commit.
  ///
  /// - Parameters:
  ///   - new: New categories that the commands refer to, created in the same commit.
  ///   - key: An idempotency key. If set, new categories are created in a separate, earlier commit.
  ///   - commands: Returns the commands, given the current snapshot.
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

  /// Records one command on an account.
  ///
  /// - Parameters:
  ///   - account: The account's name or id, as typed.
  ///   - command: Returns the command on the account.
  /// - Returns: The commit, and the account's name before it.
  func record(
    on account: String, _ command: (AccountID) -> Command
  ) async throws -> (Recorded, name: String) {
    var name = account
    let recorded = try await record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      return [command(found.id)]
    }
    return (recorded, name)
  }

  /// The names for an answer in JSON, or `nil` without `--json`.
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
      // When a request with this key is repeated, the categories exist, so its commands don't
      // create them. Creating them separately makes both requests equal.
      try await ledger.append(creation)
      creation = []
    }
    let receipt = try await ledger.append(creation + commands, key: key)
    if let remark = new?.remark, !json { try Output.remark(remark) }
    return receipt
  }

  /// Records commands, then prints the transactions that they changed.
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
      let exchanged = summary.exchanged.map { " (\(Figures.withCode($0)))" } ?? ""
      let amount = (summary.amount.map(Figures.withCode) ?? "") + exchanged
      let parts = [summary.account, amount, category]
      let again = receipt.isRepeat ? " (already recorded with the same key)" : ""
      try Output.line(
        "\(verb) \(row.place): "
          + parts.filter { !$0.isEmpty }.joined(separator: ", ").printable + again)
    }
  }

  /// Prints the receipt as JSON, or a sentence.
  func answer(_ recorded: Recorded, _ sentence: String) throws {
    try answer(JSONAnswer(recorded.receipt, recorded.names), sentence)
  }

  /// Prints the receipt as JSON with further members, or a sentence.
  func answer(
    _ recorded: Recorded, with more: some Encodable & Sendable, _ sentence: String
  ) throws {
    try answer(JSONAnswer(Joined(recorded.receipt, more), recorded.names), sentence)
  }

  /// Prints the content as JSON, or a sentence.
  func answer(_ content: JSONAnswer, _ sentence: String) throws {
    if json { return try Output.json(content) }
    try Output.line(sentence.printable)
  }
}
