extension WriteTransaction {
  /// Lends the uncommitted state to a function that reads, as if it were committed.
  ///
  /// - Parameter body: Reads, and ends the transaction before it returns; nothing may be written in
  ///   the meantime.
  package borrowing func lendReading<R: ~Copyable>(
    _ body: (consuming ReadTransaction) throws -> R
  ) rethrows -> R {
    guard let raw else { preconditionFailure("A transaction that has ended was to be read.") }
    return try body(ReadTransaction(environment, raw, isLent: true))
  }
}
