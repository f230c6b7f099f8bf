internal import DaybookEntities
internal import DaybookJournal

extension Writer {
  /// Runs a request's decision and appends its changes, to be committed with the batch.
  ///
  /// - Parameter commits: The array to which the appended commit is added.
  func decide(
    _ request: AppendRequest, _ context: DecisionContext, _ journal: JournalWriter,
    _ commits: inout [DecidedCommit]
  ) throws -> Answer {
    if let loss = open.loss, !request.options.acceptsLoss {
      return .refused(ProjectingError(loss))
    }
    if let key = request.options.idempotencyKey, let found = try journal.lookUp(key: key) {
      if found.requestDigest != request.options.requestDigest {
        return .refused(
          JournalError(
            .idempotencyConflict,
            "The idempotency key was used for another request at commit \(found.sequence). Use a "
              + "new key for a new request; nothing was written."))
      }
      if let token = journal.token(ofUncommitted: found.sequence) {
        return .committed(token, isRepeated: true)
      }
      return .repeated(try open.journal.token(ofKept: found.sequence))
    }
    if let expected = request.options.expecting {
      do { try check(expected, isNewestOf: journal) } catch { return .refused(error) }
    }
    context.beginLayer()
    do {
      try request.decide(context)
    } catch {
      context.dropLayer()
      return .refused(error)
    }
    // A decision without changes is committed only if its idempotency key must be recorded.
    if context.layer.isEmpty, request.options.idempotencyKey == nil {
      return .unchanged(open.journal.token(after: journal.head))
    }
    let changes = context.layerChanges
    let draft = CommitDraft(
      changes: changes, author: request.options.author, source: options.source,
      idempotencyKey: request.options.idempotencyKey,
      requestDigest: request.options.requestDigest, wallMicroseconds: options.clock())
    do {
      try checkCanBeShared(changes)
      _ = try journal.append(draft)
    } catch let error as JournalError where error.code == .refused {
      context.dropLayer()
      return .refused(error)
    }
    context.didAppend(journal.head.sequence)
    commits.append(DecidedCommit(changes: changes, checkpoint: Checkpoint(journal.head)))
    return .committed(open.journal.token(after: journal.head))
  }

  /// Checks that a token is that of the newest commit.
  ///
  /// - Throws: ``ProjectingError`` with `conflict` if there are newer commits; `JournalError` if
  ///   the journal does not contain the token's commit.
  func check(_ expected: Token, isNewestOf journal: JournalWriter) throws {
    try journal.check(expected)
    guard expected.sequence != journal.head.sequence else { return }
    throw ProjectingError(
      .conflict,
      "Commit \(expected.sequence) was expected to be the newest, but the newest is "
        + "\(journal.head.sequence). Read again, decide again, append again.")
  }
}
