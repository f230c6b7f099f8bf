public import Daybook
@_exported public import SampleData

extension SampleHousehold {
  /// A ledger in memory that holds the household: for tests and previews.
  ///
  /// Close it when done; nothing is left of it then.
  ///
  /// - Throws: ``DaybookError`` with the codes `full` or `system`.
  /// - Complexity: O(rows · log rows).
  @concurrent
  public func ledger(options: Ledger.Options = Ledger.Options()) async throws(DaybookError)
    -> Ledger
  {
    let ledger = try await Ledger.inMemory(options: options)
    try await record(in: ledger)
    return ledger
  }

  /// Records the household in a ledger that is there, a thousand rows to a commit.
  ///
  /// - Throws: ``DaybookError`` as `Ledger.append` does; `refused` where the ledger has an account or category of
  ///   the same name, or the same household.
  /// - Complexity: O(rows · log rows).
  @concurrent
  public func record(in ledger: Ledger) async throws(DaybookError) {
    for commands in [setUp, recordings] {
      var start = 0
      while start < commands.count {
        let end = min(start + 1_000, commands.count)
        try await ledger.append(Array(commands[start..<end]))
        start = end
      }
    }
  }
}
