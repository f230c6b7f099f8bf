public import Entities
internal import Journal

/// What an erasure did.
public struct ErasureReceipt: Hashable, Sendable {
  /// The kind of the entity.
  public let kind: EntityKind
  /// The entity whose personal text is gone.
  public let entity: EntityID
  /// The commit that says so; everything up to it is without the text.
  public let sequence: UInt64
  /// How many commits were written anew.
  public let commitCount: Int
  /// How many changes had personal text of the entity.
  public let changeCount: Int

  /// What an erasure did.
  package init(
    kind: EntityKind, entity: EntityID, sequence: UInt64, commitCount: Int, changeCount: Int
  ) {
    self.kind = kind
    self.entity = entity
    self.sequence = sequence
    self.commitCount = commitCount
    self.changeCount = changeCount
  }
}

extension EventStore {
  /// Does the erasures that were asked for and are not done.
  ///
  /// - Throws: as ``erase(_:_:_:clear:settle:)``.
  /// - Complexity: O(journal + entities · log entities) where there is one.
  package func completeErasures() async throws {
    _ = try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        return try writer.completeErasures()
      }
    }
  }

  /// Takes an entity's personal text out of everything: journal, baseline, views, and free pages.
  ///
  /// What `clear` decides, usually other values for the entity's texts, is appended together with a
  /// record of the erasure. Then a journal without the text is written, views are built from it, both go
  /// live in one step, and the old ones are removed: when this returns, the text is in no file of the
  /// store. Authors and idempotency keys of the commits that named the entity go too. Digests stand in
  /// its place, so the chain still verifies. Appends wait meanwhile, reads do not.
  ///
  /// An erasure that was interrupted is completed at the next open.
  ///
  /// - Throws: What `clear` throws; `JournalError` or ``ProjectingError`` where the new generations could
  ///   not be made: the erasure is then still to be done, and the next open, or another call, does it.
  /// - Complexity: O(journal + entities · log entities).
  public func erase(
    _ kind: EntityKind, _ entity: EntityID, _ options: AppendOptions = AppendOptions(),
    clear: @escaping @Sendable (DecisionContext) throws -> Void,
    settle: (@Sendable (DecisionContext) throws -> Void)? = nil
  ) async throws -> ErasureReceipt {
    let intent = try await append(options) { context in
      try clear(context)
      try context.apply(
        Change(
          kind: PurgeRecord.kind, id: context.newID(),
          number: context.nextNumber(PurgeRecord.kind), before: nil,
          after: ErasureRecord(kind: kind, entity: entity).record))
    }
    if let settle { try await append(options, settle) }
    let count = try await exclusively { writer in
      try writer.withLock {
        // Where another process has died meanwhile, the views lack its commits.
        try writer.bringUp()
        return try writer.completeErasures()
      }
    }
    return ErasureReceipt(
      kind: kind, entity: entity, sequence: intent.sequence, commitCount: count.commits,
      changeCount: count.changes + count.rows)
  }
}
