import DaybookLMDB

extension JournalWriter {
  /// Records a consumer's progress and values together with the commits of this transaction.
  ///
  /// - Parameter values: The values by key; `nil` deletes a value.
  /// - Throws: `JournalError` with `refused` if there is no such consumer.
  package func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?], now: Int64
  ) throws {
    leaveRedoLog()
    try using { transaction throws in
      try store.acknowledge(token, by: name, putting: values, now: now, in: &transaction)
    }
  }
}
