internal import DaybookEntities
internal import DaybookJournal

extension EventStore {
  /// Appends commits of other replicas in one durable transaction.
  ///
  /// The transaction also stores the consumer's progress and values. The merge runs exclusively:
  /// appends wait for it, but reads do not, so keep it short.
  ///
  /// - Parameters:
  ///   - consumer: The name of a registered consumer.
  ///   - body: Decides the merge, based on all committed data. If it throws, nothing is recorded.
  /// - Throws: The errors of `body`; `JournalError` and ``ProjectingError``, like ``append(_:_:)``.
  package func merge<Result: Sendable>(
    by consumer: String, _ body: @escaping @Sendable (MergeContext) throws -> Result
  ) async throws -> Result {
    try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        try writer.checkIsComplete()
        return try writer.merge(by: consumer, body)
      }
    }
  }

  /// Gives the store a new replica number, which is recorded in all later commits.
  ///
  /// - Throws: `JournalError`; ``ProjectingError``.
  package func renewReplica() async throws {
    try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        try writer.open.journal.renewReplica()
      }
    }
  }
}

extension Writer {
  /// Runs a merge; the views must contain all commits.
  fileprivate func merge<Result>(
    by consumer: String, _ body: (MergeContext) throws -> Result
  ) throws -> Result {
    let journal = try open.journal.beginWrite()
    let previous = Checkpoint(journal.head)
    do {
      let context = try MergeContext(open, journal, consumer: consumer, clock: options.clock)
      let result = try body(context)
      guard !context.commits.isEmpty else {
        journal.abort()
        try context.finishAlone()
        return result
      }
      try context.finish()
      options.trace?("before journal commit")
      try commitDurably(journal, CommitBatch(context.commits, after: previous))
      options.trace?("after journal commit")
      forgetWhatWasRead()
      let head = context.commits.last?.checkpoint ?? previous
      lastSeen = head
      pipeline.announce(head.sequence)
      mendViews { try self.catchUp(to: head) }
      return result
    } catch {
      journal.abort()
      throw error
    }
  }
}
