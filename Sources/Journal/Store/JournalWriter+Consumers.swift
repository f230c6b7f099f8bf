import LMDB

extension JournalWriter {
  /// Notes up to where a consumer has come and what it remembers, together with the commits of this
  /// transaction.
  ///
  /// - Parameter values: by key; `nil` removes one.
  /// - Throws: `JournalError` with `refused` where there is no such consumer.
  package func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?], now: Int64
  ) throws {
    leaveRedoLog()
    try using { transaction throws in
      try store.acknowledge(token, by: name, putting: values, now: now, in: &transaction)
    }
  }
}
