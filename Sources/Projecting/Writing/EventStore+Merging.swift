internal import Entities
internal import Journal

extension EventStore {
  /// Appends what other replicas have committed: any number of commits, durable together with what a consumer
  /// remembers of it.
  ///
  /// Runs alone: appends wait, reads do not. So a merge is to be a short slice.
  ///
  /// - Parameters:
  ///   - consumer: whose memory it is; it was registered.
  ///   - body: decides on everything committed. Where it throws, nothing is recorded.
  /// - Throws: what `body` throws; `JournalError` and ``ProjectingError`` as ``append(_:_:)``.
  package func merge<Result: Sendable>(
    by consumer: String, _ body: @escaping @Sendable (MergeContext) throws -> Result
  ) async throws -> Result {
    try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        return try writer.merge(by: consumer, body)
      }
    }
  }

  /// Gives the store another name among its replicas: what is appended from now on has it.
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
  /// Merges; the views hold everything committed.
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
      pipeline.tell(head.sequence)
      mendViews { try self.catchUp(to: head) }
      return result
    } catch {
      journal.abort()
      throw error
    }
  }
}
