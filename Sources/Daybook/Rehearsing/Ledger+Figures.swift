internal import DaybookEngine
package import DaybookEntities
internal import DaybookJournal

extension Ledger {
  /// Returns the outcomes of commands and the figures that they would change, without recording
  /// anything.
  ///
  /// The commands are applied as by `append`, in a transaction that is then discarded. Unless there
  /// is another commit first, reads after recording the commands would return exactly these
  /// figures.
  ///
  /// - Parameters:
  ///   - commands: The commands, as for `append`.
  ///   - token: If given, rehearses only if this is the newest commit.
  ///   - today: The day of the figures.
  /// - Throws: ``DaybookError``, as for `append`; `refused` if a command would be refused.
  /// - Complexity: The cost of applying the commands, plus O(accounts + categories × months with
  ///   changed rows); independent of the number of transactions. Appends wait during the call;
  ///   reads don't.
  public func figures(
    changedBy commands: [Command], expecting token: Token? = nil, today: Day
  ) async throws(DaybookError) -> Rehearsal {
    try await rehearsal(expecting: token, today: today) { context in
      try Ledger.decide(commands, on: context)
    }
  }

  /// Returns the figures that undoing a commit would change, without recording anything.
  ///
  /// - Throws: ``DaybookError``, as for `undo`; see also ``figures(changedBy:expecting:today:)``.
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
      _ = try DaybookBookkeeping.revert(commit.changes, changedWith: [], on: &state)
      return []
    }
  }

  /// Returns the figures that restoring an entity would change, without recording anything.
  ///
  /// - Throws: ``DaybookError``, as for `restore(entity:)`; see also
  ///   ``figures(changedBy:expecting:today:)``.
  public func figures(
    changedByRestoring entity: EntityID, expecting token: Token? = nil, today: Day
  ) async throws(DaybookError) -> Rehearsal {
    let deletion = try deletion(of: entity)
    return try await rehearsal(expecting: token, today: today) { context in
      var state = try LedgerState(context)
      _ = try DaybookBookkeeping.revert([deletion.change], changedWith: deletion.others, on: &state)
      return []
    }
  }

  /// Returns the figures that restoring entities would change, without recording anything.
  ///
  /// The ledger must have no history.
  ///
  /// - Throws: ``DaybookError`` with the code `refused` if the ledger isn't empty; see also
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
      remedy: "Find the commit in the history.")
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
      var updated = rehearsal
      updated.token = try self.token
      return updated
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
