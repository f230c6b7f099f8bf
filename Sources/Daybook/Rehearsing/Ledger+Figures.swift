package import Entities
internal import Journal
internal import Projecting

extension Ledger {
  /// What commands would do, and the figures that they would change, old and new; nothing is recorded.
  ///
  /// The commands are decided and projected as `append` would, in a transaction that is dropped. So the figures
  /// are exactly those that reads would answer afterwards, for as long as the token's commit is the newest.
  ///
  /// - Parameters:
  ///   - commands: As for `append`.
  ///   - token: Rehearses only where this is the newest commit.
  ///   - today: The day that figures are of.
  /// - Throws: ``DaybookError`` as `append` does; `refused` where a command would be refused.
  /// - Complexity: That of deciding and projecting the commands, and O(accounts + categories × months that have
  ///   changed rows); independent of the number of rows. Appends wait meanwhile, reads do not.
  public func figures(
    changedBy commands: [Command], expecting token: Token? = nil, today: Day
  ) async throws(DaybookError) -> Rehearsal {
    try await rehearsal(expecting: token, today: today) { context in
      try Ledger.decide(commands, on: context)
    }
  }

  /// What taking back a commit would change; nothing is recorded.
  ///
  /// - Throws: ``DaybookError`` as `undo` does; see also ``figures(changedBy:expecting:today:)``.
  public func figures(
    changedByUndoing sequence: UInt64, expecting token: Token? = nil, today: Day
  ) async throws(DaybookError) -> Rehearsal {
    let commit: Commit
    do {
      guard sequence > 0 else { throw Ledger.noCommit }
      _ = try store.token(at: sequence)
      commit = try store.commit(at: sequence)
    } catch {
      throw .wrapping(error)
    }
    return try await rehearsal(expecting: token, today: today) { context in
      var state = try LedgerState(context)
      _ = try Bookkeeping.revert(commit.changes, changedWith: [], on: &state)
      return []
    }
  }

  /// What bringing back an entity would change; nothing is recorded.
  ///
  /// - Throws: ``DaybookError`` as `restore(entity:)` does; see also ``figures(changedBy:expecting:today:)``.
  public func figures(
    changedByRestoring entity: EntityID, expecting token: Token? = nil, today: Day
  ) async throws(DaybookError) -> Rehearsal {
    let deletion = try deletion(of: entity)
    return try await rehearsal(expecting: token, today: today) { context in
      var state = try LedgerState(context)
      _ = try Bookkeeping.revert([deletion.change], changedWith: deletion.others, on: &state)
      return []
    }
  }

  /// What taking entities as they are, into a ledger that has never recorded anything, would change; nothing is
  /// recorded.
  ///
  /// - Throws: ``DaybookError``, `refused` where the ledger is not empty; see also
  ///   ``figures(changedBy:expecting:today:)``.
  package func figures(
    changedByTaking entities: [Change], today: Day
  ) async throws(DaybookError) -> Rehearsal {
    try await rehearsal(expecting: nil, today: today) { context in
      try Ledger.restore(entities, on: context)
      return []
    }
  }

  static var noCommit: DaybookError {
    DaybookError(
      code: .invalidToken, message: "There is no commit 0: the first is 1.",
      remedy: "Look for it in the history.")
  }

  private func rehearsal(
    expecting token: Token?, today: Day,
    _ decide: @escaping @Sendable (DecisionContext) throws -> [Outcome]
  ) async throws(DaybookError) -> Rehearsal {
    do {
      guard readOnlyReason?.code == .readOnly else {
        return try await Ledger.rehearsal(in: store, expecting: token, today: today, decide)
      }
      let copy = try await store.scratchCopy()
      let rehearsal = try await Ledger.rehearsal(
        in: copy, expecting: nil, today: today, decide)
      try await copy.close()
      var told = rehearsal
      told.token = try self.token
      return told
    } catch {
      throw .wrapping(error)
    }
  }

  private static func rehearsal(
    in store: EventStore, expecting token: Token?, today: Day,
    _ decide: @escaping @Sendable (DecisionContext) throws -> [Outcome]
  ) async throws -> Rehearsal {
    let rehearsed = try await store.rehearse(expecting: token, decide) { view, changes in
      try FigureSet(
        Snapshot(view, cache: SnapshotCache()),
        months: FigureSet.months(of: changes), today: today)
    }
    let figures = rehearsed.before.changes(to: rehearsed.after)
    return Rehearsal(
      token: rehearsed.token, outcomes: rehearsed.decision,
      changeCount: rehearsed.changes.count,
      figures: Array(figures.prefix(Rehearsal.figureCountMax)),
      isCutShort: figures.count > Rehearsal.figureCountMax)
  }
}
