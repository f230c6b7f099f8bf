extension ImportReport {
  /// The report of an import that was done before: what it recorded, read back from its commit.
  public init(recordedBefore recorded: [TransactionID]) { self.init(recorded: recorded) }
}
