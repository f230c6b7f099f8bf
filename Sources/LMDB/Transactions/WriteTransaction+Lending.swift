extension WriteTransaction {
  /// Lends what was written so far to a function that reads, as if it were committed.
  ///
  /// - Parameter body: reads, and lets go of the transaction before it returns; nothing is written meanwhile.
  package borrowing func lendReading<R: ~Copyable>(
    _ body: (consuming ReadTransaction) throws -> R
  ) rethrows -> R {
    guard let raw else { preconditionFailure("A transaction that has ended was to be read.") }
    return try body(ReadTransaction(environment, raw, isLent: true))
  }
}
