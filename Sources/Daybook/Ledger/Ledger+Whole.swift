import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

extension Ledger {
  /// Returns the outcomes that `append` would return, without recording anything.
  ///
  /// The writer applies the commands to the current ledger and then discards the changes. The ids
  /// of new entities differ from the ids that `append` would generate. If the ledger's files aren't
  /// writable, the commands are applied to a copy in a temporary folder.
  ///
  /// - Throws: ``DaybookError``, as for `append`; `refused` if a command would be refused.
  /// - Complexity: The cost of applying the commands; nothing is flushed.
  public func rehearse(_ commands: [Command]) async throws(DaybookError) -> [Outcome] {
    do {
      guard readOnlyReason?.code == .readOnly else {
        return try await rehearse(commands, in: store)
      }
      let copy = try await store.scratchCopy()
      let outcomes = try await rehearse(commands, in: copy)
      try await copy.close()
      return outcomes
    } catch {
      throw .wrapping(error)
    }
  }

  private func rehearse(_ commands: [Command], in store: EventStore) async throws -> [Outcome] {
    do {
      _ = try await store.append(AppendOptions(author: author)) { context -> [Outcome] in
        throw DroppedOutcomes(outcomes: try Ledger.decide(commands, on: context))
      }
      return []
    } catch let error as DroppedOutcomes {
      return error.outcomes
    }
  }

  /// Records any number of commands as one commit.
  ///
  /// Imports use this method, because they are recorded completely or not at all. The limit on the
  /// number of commands in one `append`, which keeps apps from blocking the writer, doesn't apply.
  ///
  /// If the task is cancelled before the commands have been applied, nothing is recorded. A key
  /// makes the call idempotent, as for `append`.
  ///
  /// - Throws: ``DaybookError``, as for `append`, and with the code `cancelled`.
  @discardableResult
  package func append(
    whole commands: [Command], author: String? = nil, key: RequestKey? = nil
  ) async throws(DaybookError) -> Receipt {
    do {
      let appended = try await cancellable(author, key) { context in
        try Ledger.decide(commands, on: context)
      }
      guard let outcomes = appended.result else { return try repeated(commands, appended.token) }
      return Receipt(token: appended.token, outcomes: outcomes, isRepeat: false)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Records entities unchanged, including their ids and recording numbers, in a ledger without
  /// history.
  ///
  /// The rules of bookkeeping are not checked; the caller must have checked them.
  package func restore(
    _ changes: [Change], author: String? = nil, key: RequestKey? = nil
  ) async throws(DaybookError) -> Receipt {
    do {
      let appended = try await cancellable(author, key) { context in
        try Ledger.restore(changes, on: context)
        return []
      }
      return Receipt(token: appended.token, outcomes: [], isRepeat: appended.result == nil)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Appends the changes that `decide` applies, unless the task is cancelled before `decide`
  /// returns.
  private func cancellable(
    _ author: String?, _ key: RequestKey?,
    _ decide: @escaping @Sendable (DecisionContext) throws -> [Outcome]
  ) async throws -> Appended<[Outcome]> {
    if let key { try check(key: key.text) }
    let options = AppendOptions(
      author: author ?? self.author, idempotencyKey: key.map { Array($0.text.utf8) },
      requestDigest: key?.digest)
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await store.append(options) { context in
        try cancellation.check()
        let outcomes = try decide(context)
        try cancellation.check()
        return outcomes
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  static func restore(_ changes: [Change], on context: DecisionContext) throws {
    var last: [EntityKind: UInt64] = [:]
    for change in changes {
      last[change.kind] = max(last[change.kind] ?? 0, change.number)
    }
    for (kind, number) in last {
      guard try context.nextNumber(kind) == (schema[kind]?.firstNumber ?? 1) else {
        throw DaybookError(
          code: .refused, message: "Couldn't restore the export: the ledger isn't empty.",
          remedy: "Restore it into a new ledger.")
      }
      // Advance the next numbers, so that later commits in the same batch get higher numbers.
      while try context.nextNumber(kind) <= number {}
    }
    let state = try LedgerState(context)
    // A rebuild requires insertions in the order of their numbers.
    let ordered = changes.sorted {
      ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number)
    }
    for change in ordered { try state.apply(change) }
  }
}

/// Carries the outcomes out of a decision; throwing this error rolls the decision back.
private struct DroppedOutcomes: Error {
  let outcomes: [Outcome]
}
