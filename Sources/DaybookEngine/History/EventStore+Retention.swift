public import DaybookEntities
public import DaybookJournal

/// The result of a purge or of a dry run.
public struct PurgeReport: Hashable, Sendable, Codable {
  /// A consumer that still needs commits that the policy would purge.
  public struct Holder: Hashable, Sendable, Codable {
    /// The consumer's name.
    public let name: String
    /// The last commit that the consumer has acknowledged.
    public let sequence: UInt64
  }

  /// The floor before the purge; the retained history began after this commit.
  public let floorBefore: UInt64
  /// The floor after the purge; for a dry run, the floor that a purge would reach.
  public internal(set) var floor: UInt64
  /// The floor that the policy allows if consumers are ignored.
  public let policyFloor: UInt64
  /// The number of bytes freed by purging; new commits reuse this space.
  public internal(set) var byteCount: Int
  /// The consumers that still need commits that the policy would purge, beginning with the slowest.
  public let holders: [Holder]
  /// The number of deleted idempotency keys, which belong to purged commits and are older than 400
  /// days.
  public let keyCount: Int

  /// The number of purged commits.
  public var commitCount: UInt64 { floor - floorBefore }
}

/// Options for a purge.
public struct PurgeOptions: Sendable {
  /// The policy to apply instead of the store's own policy.
  public var policy: RetentionPolicy?
  /// Whether to report the result without purging.
  public var isDryRun = false
  /// Whether to purge even if, according to the clock, the newest commit is older than the policy's
  /// age.
  public var trustsClock = false

  /// Creates the default options, which use the store's policy.
  public init() {}
}

extension EventStore {
  /// Purges old commits according to the retention policy, except commits that consumers still
  /// need.
  ///
  /// The purged commits are folded into the baseline. Queries of the current ledger therefore give
  /// the same results, but history no longer contains these commits. Their idempotency keys are
  /// also deleted if they are older than 400 days.
  ///
  /// The purge runs in short slices, and other tasks and processes can append and read between
  /// slices. If it is interrupted, the next purge continues it. The file does not shrink: new
  /// commits reuse the space, and compaction returns it to the file system.
  ///
  /// - Parameter progress: Called repeatedly with the completed fraction, from 0 to 1.
  /// - Throws: ``ProjectingError`` with `conflict` if the clock seems to be wrong (see
  ///   ``PurgeOptions/trustsClock``); `JournalError` if the journal cannot be written.
  /// - Complexity: O(changes of the purged commits), in slices of bounded size.
  public func purge(
    _ options: PurgeOptions = PurgeOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> PurgeReport {
    var (report, forgettable) = try purgePlan(options)
    if options.isDryRun { return report }
    try await exclusively {
      try $0.checkIsComplete()
      $0.clearDeadReaders()
    }
    let total = Double(max(report.commitCount, 1))
    while true {
      try Task.checkCancellation()
      let now = self.options.clock()
      let slice = try await aside { [report] in
        try $0.purgeSlice(through: report.floor, now: now)
      }
      progress?(Double(slice.floor - min(report.floorBefore, slice.floor)) / total)
      if slice.isDone {
        try note(slice.floor, in: &report)
        break
      }
      // Give processes that wait for `WRITER` a turn.
      try await Task.sleep(nanoseconds: 500_000)
    }
    while !forgettable.isEmpty {
      try Task.checkCancellation()
      forgettable = try await aside { [forgettable] journal in
        var rest = forgettable
        try journal.forgetKeys(&rest)
        return rest
      }
    }
    if report.commitCount > 0 { try await recordPurge() }
    return report
  }

  // If a consumer was registered after the plan was made, fewer commits may have been purged.
  private func note(_ floor: UInt64, in report: inout PurgeReport) throws {
    let reached = max(floor, report.floorBefore)
    guard reached < report.floor else { return }
    report.byteCount -= try openStore().journal.byteCount(after: reached, through: report.floor)
    report.floor = reached
  }

  /// Records the baseline's digest in the chain, so that the chain also covers the purged commits.
  private func recordPurge() async throws {
    try await append(AppendOptions(author: "")) { [self] context in
      let baseline = try openStore().journal.baseline()
      let record = PurgeRecord(
        floor: baseline.floor.sequence, link: baseline.floor.link, digest: baseline.digest,
        entityCount: baseline.entityCount)
      let present = try context.entity(PurgeRecord.kind, PurgeRecord.id)
      try context.apply(
        Change(
          kind: PurgeRecord.kind, id: PurgeRecord.id,
          number: try present?.number ?? context.nextNumber(PurgeRecord.kind),
          before: present?.record, after: record.record))
    }
  }

  /// Plans a purge: returns its report, and the row keys of the idempotency keys to delete.
  private func purgePlan(_ asked: PurgeOptions) throws -> (PurgeReport, keys: [[UInt8]]) {
    let journal = try openStore().journal
    let policy = try asked.policy ?? journal.retention()
    let (floor, head) = (try journal.floor().sequence, try journal.head())
    let now = options.clock()
    let wanted: UInt64
    switch policy {
    case .keepEverything: wanted = floor
    case .age(let seconds):
      let age = max(0, seconds).multipliedReportingOverflow(by: 1_000_000)
      if age.overflow {
        wanted = floor
      } else {
        if head.sequence > floor, !asked.trustsClock, now - head.wallMicroseconds > age.partialValue
        {
          throw ProjectingError(
            .conflict,
            "By the clock, even the newest commit is older than the retention period, so "
              + "everything would be purged. Set the clock, or confirm that it can be trusted.")
        }
        wanted = try journal.newestSequence(before: now - age.partialValue)
      }
    case .count(let count):
      wanted = head.sequence - min(head.sequence, UInt64(max(0, count)))
    case .bytes(let count): wanted = try journal.sequence(keepingBytes: max(0, count))
    }
    let policyFloor = max(floor, wanted)
    let holders = try journal.consumers()
      .filter { $0.sequence < policyFloor && !$0.isPassable(now: now) }
      .sorted { ($0.sequence, $0.name) < ($1.sequence, $1.name) }
      .map { PurgeReport.Holder(name: $0.name, sequence: $0.sequence) }
    let target = max(floor, min(policyFloor, holders.first?.sequence ?? policyFloor))
    let keys = try journal.forgettableKeys(through: target, now: now)
    let report = PurgeReport(
      floorBefore: floor, floor: target, policyFloor: policyFloor,
      byteCount: try journal.byteCount(after: floor, through: target), holders: holders,
      keyCount: keys.count)
    return (report, keys)
  }
}

/// The result of an erasure.
public struct ErasureReceipt: Hashable, Sendable {
  /// The kind of the entity.
  public let kind: EntityKind
  /// The entity whose personal text was erased.
  public let entity: EntityID
  /// The commit that requested the erasure; it and all earlier commits no longer contain the text.
  public let sequence: UInt64
  /// The number of rewritten commits.
  public let commitCount: Int
  /// The number of changes and baseline rows that contained the entity's personal text.
  public let changeCount: Int

  /// Creates a receipt.
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
  /// Completes erasures that were requested but have not been carried out.
  ///
  /// - Throws: The errors of ``erase(_:_:_:clear:settle:)``.
  /// - Complexity: O(journal + entities · log entities) if an erasure is pending.
  package func completeErasures() async throws {
    _ = try await exclusively { writer in
      try writer.withLock {
        try writer.bringUp()
        try writer.checkIsComplete()
        return try writer.completeErasures()
      }
    }
  }

  /// Erases an entity's personal text from the journal, the baseline, the views and all free pages.
  ///
  /// First, the store appends a record of the erasure, together with the decision `clear`, which
  /// usually replaces the entity's texts. Then it writes a journal without the text, builds views
  /// from it, makes both live in one step, and deletes the old files. When this method returns, no
  /// file of the store contains the text.
  ///
  /// The authors and idempotency keys of commits that changed the entity are erased too. Digests
  /// replace the text, so that the chain can still be verified. Appends wait during the erasure;
  /// reads do not. If the erasure is interrupted, the next open completes it.
  ///
  /// - Parameters:
  ///   - clear: Decides the entity's values without the text.
  ///   - settle: Another decision, which is appended after `clear` and before the text is erased.
  /// - Throws: The errors of `clear` and `settle`; `JournalError` or ``ProjectingError`` if the new
  ///   generations could not be created. The erasure then stays requested, and the next open or the
  ///   next erasure completes it.
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
        // If another process has died, the views may lack its last commits.
        try writer.bringUp()
        try writer.checkIsComplete()
        return try writer.completeErasures()
      }
    }
    return ErasureReceipt(
      kind: kind, entity: entity, sequence: intent.sequence, commitCount: count.commits,
      changeCount: count.changes + count.rows)
  }
}
