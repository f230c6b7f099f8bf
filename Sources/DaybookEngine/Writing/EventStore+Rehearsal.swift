package import DaybookEntities
package import DaybookJournal
internal import DaybookLMDB

extension EventStore {
  /// Runs a decision without recording it, and calls `body` with the views before and after it.
  ///
  /// The decision's changes are written to the views like those of a commit, in a transaction that
  /// is then rolled back. The same queries therefore work on both views, and the changes never
  /// reach a file or become visible to other readers. The journal is not written.
  ///
  /// The method runs on the thread of the journal's stage with `WRITER` locked: appends wait, but
  /// reads do not.
  ///
  /// - Parameters:
  ///   - token: The token of the newest commit; if another commit is the newest, the call is
  ///     refused, like an append.
  ///   - decide: The same as for ``append(_:_:)``.
  ///   - body: Queries a view. It is called with the current view first, and then with the
  ///     resulting one.
  /// - Returns: The decision, its changes, and both results of `body`.
  /// - Throws: The errors of `decide` and `body`; ``ProjectingError`` with `quarantined` if a
  ///   projection could not process the changes.
  /// - Complexity: The cost of deciding and projecting the changes and of running `body` twice,
  ///   independent of the ledger's size.
  package func rehearse<Decision: Sendable, Answer: Sendable>(
    expecting token: Token? = nil,
    _ decide: @escaping @Sendable (DecisionContext) throws -> Decision,
    reading body: @escaping @Sendable (consuming View, [Change]) throws -> Answer
  ) async throws -> Rehearsed<Decision, Answer> {
    try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        return try writer.rehearse(expecting: token, decide, reading: body)
      }
    }
  }
}

/// The result of a rehearsal.
package struct Rehearsed<Decision: Sendable, Answer: Sendable>: Sendable {
  /// The newest commit.
  package let token: Token
  /// The return value of the decision.
  package let decision: Decision
  /// The changes that would be recorded.
  package let changes: [Change]
  /// The result of `body` for the current views.
  package let before: Answer
  /// The result of `body` for the views with the changes.
  package let after: Answer
}

extension Writer {
  /// Rehearses a decision; the views must contain all commits.
  fileprivate func rehearse<Decision, Answer>(
    expecting token: Token?, _ decide: (DecisionContext) throws -> Decision,
    reading body: (consuming View, [Change]) throws -> Answer
  ) throws -> Rehearsed<Decision, Answer> {
    let (decision, changes) = try decideAndDrop(expecting: token, decide)
    let present = try View(open)
    let of = present.token
    let before = try body(present, changes)
    let batch = try views.newBatch()
    defer { views.drop(batch) }
    let head = try batch.head().checkpoint
    for change in changes { try batch.apply(change) }
    try batch.prepare(
      at: Checkpoint(sequence: head.sequence + 1, link: head.link), after: head)
    if let fault = views.projectors.first(where: \.isNewlySetAside) {
      throw ProjectingError(
        .quarantined,
        "The projection “\(fault.name)” could not process the changes: \(fault.fault ?? ""). "
          + "Nothing was recorded.")
    }
    let after = try batch.withView(of: open) { try body($0, changes) }
    return Rehearsed(
      token: of, decision: decision, changes: changes, before: before, after: after)
  }

  /// Runs a decision, and discards its changes from the journal and the context.
  private func decideAndDrop<Decision>(
    expecting token: Token?, _ decide: (DecisionContext) throws -> Decision
  ) throws -> (Decision, [Change]) {
    let journal = try open.journal.beginWrite()
    defer { journal.abort() }
    if let token { try check(token, isNewestOf: journal) }
    let context = DecisionContext(host: state, clusterTags: clusterTags)
    context.begin(try DecisionSnapshot(open.views), on: journal)
    defer { context.end() }
    context.beginLayer()
    defer { context.dropLayer() }
    let decision = try decide(context)
    return (decision, context.layerChanges)
  }
}

extension ViewsBatch {
  /// Calls `body` with a view of the batch's uncommitted data.
  fileprivate func withView<Result>(
    of open: OpenStore, _ body: (consuming View) throws -> Result
  ) throws -> Result {
    let head = try head()
    return try withTransaction { transaction in
      try transaction.lendReading { reading in
        try body(View(open, lent: reading, head: head))
      }
    }
  }
}
