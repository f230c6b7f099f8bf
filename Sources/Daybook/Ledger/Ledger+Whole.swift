import Bookkeeping
import Entities
import Projecting

extension Ledger {
  /// What `append` would do with commands, without recording anything.
  ///
  /// The commands are decided on the ledger as it is, in the writer's turn, and then dropped. New
  /// ids in the outcomes are not those that `append` would give. Where the ledger's files may not be written to, a
  /// copy of it in a temporary folder is asked.
  ///
  /// - Throws: ``DaybookError`` as `append` does; `refused` where a command would be refused.
  /// - Complexity: That of deciding the commands; nothing is flushed.
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

  /// Records commands as one commit, however many they are.
  ///
  /// For imports, which land whole or not at all: the limit on the commands of one `append` keeps
  /// apps from holding up the writer, and does not apply.
  ///
  /// Where the task is cancelled before the commands are decided, nothing is recorded. A key makes it repeatable, as
  /// for `append`.
  /// - Throws: ``DaybookError`` as `append` does, and with the code `cancelled`.
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

  /// Records entities as they are, ids and recording numbers included, in a ledger that has never
  /// recorded anything.
  ///
  /// No rule of bookkeeping is applied: whoever calls has checked them.
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

  /// Appends what `decide` applies, unless the task has been cancelled by the time that is done.
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
          code: .refused, message: "The ledger is not empty.",
          remedy: "Restore an export into a new ledger.")
      }
      // Whatever is recorded next in the same batch must come after.
      while try context.nextNumber(kind) <= number {}
    }
    let state = try LedgerState(context)
    // Insertions stand in the journal in the order of their numbers: rebuilding relies on it.
    let ordered = changes.sorted {
      ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number)
    }
    for change in ordered { try state.apply(change) }
  }
}

/// Carries outcomes out of the decision, which its being thrown undoes.
private struct DroppedOutcomes: Error {
  let outcomes: [Outcome]
}
