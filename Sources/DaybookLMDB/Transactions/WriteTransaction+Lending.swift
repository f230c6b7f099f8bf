extension WriteTransaction {
  /// Lends the uncommitted state to a function as a read transaction.
  ///
  /// - Parameter body: Reads the state, and ends the read transaction before it returns. Nothing
  ///   may be written during the call.
  package borrowing func lendReading<R: ~Copyable>(
    _ body: (consuming ReadTransaction) throws -> R
  ) rethrows -> R {
    guard let raw else { preconditionFailure("The transaction has ended.") }
    return try body(ReadTransaction(environment, raw, isLent: true))
  }
}
