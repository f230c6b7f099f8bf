package import Entities
package import Journal
internal import LMDB

extension EventStore {
  /// What a decision would come to: what `body` makes of the views as they are, and as they would be.
  ///
  /// The decision's changes are written into the views as those of a commit are, in a transaction that is
  /// dropped once it has been read. So every question is answered by what answers it otherwise, and no
  /// other reader, and no file, ever sees anything of it. The journal is not touched.
  ///
  /// Runs on the thread of the journal's stage with `WRITER` held: appends wait meanwhile, reads do not.
  ///
  /// - Parameters:
  ///   - token: Refuses where this is not the newest commit, as an append does.
  ///   - decide: As for ``append(_:_:)``.
  ///   - body: Asks a view, of the present or of what would be.
  /// - Returns: What was decided, the changes, and both answers.
  /// - Throws: What `decide` and `body` throw; ``ProjectingError`` with `quarantined` where a projection could
  ///   not take the changes.
  /// - Complexity: That of deciding and projecting the changes, and of `body` twice; independent of the
  ///   ledger's size.
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

/// What a rehearsal has come to.
package struct Rehearsed<Decision: Sendable, Answer: Sendable>: Sendable {
  /// The newest commit.
  package let token: Token
  /// What was decided.
  package let decision: Decision
  /// The changes that would be recorded.
  package let changes: [Change]
  /// What is so now.
  package let before: Answer
  /// What would be so afterwards.
  package let after: Answer
}

extension Writer {
  /// Decides, writes the changes into the views, asks, and drops everything; the views hold all commits.
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
        "The projection “\(fault.name)” could not take what was decided: \(fault.fault ?? ""). Nothing was "
          + "recorded.")
    }
    let after = try batch.withView(of: open) { try body($0, changes) }
    return Rehearsed(
      token: of, decision: decision, changes: changes, before: before, after: after)
  }

  /// What a decision comes to; neither journal nor context keep anything of it.
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
  /// Gives a view of what the batch has written to `body`.
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
