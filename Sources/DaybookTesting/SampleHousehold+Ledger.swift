public import Daybook
@_exported public import DaybookSampleData

extension SampleHousehold {
  /// Creates an in-memory ledger that contains the household, for tests and previews.
  ///
  /// Close the ledger when you are done; its data is then lost.
  ///
  /// - Throws: ``DaybookError`` with code `full` or `system`.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  @concurrent
  public func ledger(options: Ledger.Options = Ledger.Options()) async throws(DaybookError)
    -> Ledger
  {
    let ledger = try await Ledger.inMemory(options: options)
    try await record(in: ledger)
    return ledger
  }

  /// Records the household in an existing ledger, with a thousand rows per commit.
  ///
  /// - Throws: ``DaybookError``, as for `Ledger.append`. The code is `refused` if the ledger has an
  ///   account or category with the same name, or already contains the household.
  /// - Complexity: O(*n* log *n*) in the number of rows.
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
