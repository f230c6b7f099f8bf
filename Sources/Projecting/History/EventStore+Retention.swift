public import Entities
public import Journal

/// What a purge did, or would do.
public struct PurgeReport: Hashable, Sendable, Codable {
  /// Who keeps commits from being purged that the policy would let go.
  public struct Holder: Hashable, Sendable, Codable {
    /// The consumer's name.
    public let name: String
    /// The commit up to which it has acknowledged history.
    public let sequence: UInt64
  }

  /// The commit after which what was kept began before.
  public let floorBefore: UInt64
  /// The commit after which what is kept begins now, or would.
  public internal(set) var floor: UInt64
  /// Up to where the policy alone would go.
  public let policyFloor: UInt64
  /// The bytes of the purged commits, freed for new ones within the file.
  public internal(set) var byteCount: Int
  /// Who holds back what the policy lets go, the one furthest behind first.
  public let holders: [Holder]
  /// How many idempotency keys were forgotten, or would be: those of purged commits, after 400 days.
  public let keyCount: Int

  /// How many commits were purged, or would be.
  public var commitCount: UInt64 { floor - floorBefore }
}

/// How a purge is to be done.
public struct PurgeOptions: Sendable {
  /// Another policy than the one that is set.
  public var policy: RetentionPolicy?
  /// Only says what would go.
  public var isDryRun = false
  /// Purges although the clock is ahead of the newest commit by more than the policy's age.
  public var trustsClock = false

  /// By the policy that is set.
  public init() {}
}

extension EventStore {
  /// Lets go of old commits, as the policy says and no further than consumers have read.
  ///
  /// What they came to is folded into the baseline, so every answer stays as it was; how it came to
  /// be is forgotten, and idempotency keys of theirs that are older than 400 days are, too. The work is done in short slices between which others append and read; it may be
  /// interrupted at any time and goes on with the next purge. The file does not shrink: the room is used
  /// for new commits, or given back by compacting.
  ///
  /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
  /// - Throws: ``ProjectingError`` with `conflict` where the clock cannot be right (see
  ///   ``PurgeOptions/trustsClock``); `JournalError` where the journal cannot be written.
  /// - Complexity: O(changes of the purged commits), in slices of bounded size.
  public func purge(
    _ options: PurgeOptions = PurgeOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> PurgeReport {
    var (report, forgettable) = try purgePlan(options)
    if options.isDryRun { return report }
    try await exclusively { $0.clearDeadReaders() }
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
      // Lets other processes that wait for `WRITER` have their turn.
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

  // A consumer that registered meanwhile may have kept commits that were to go.
  private func note(_ floor: UInt64, in report: inout PurgeReport) throws {
    let reached = max(floor, report.floorBefore)
    guard reached < report.floor else { return }
    report.byteCount -= try openStore().journal.byteCount(after: reached, through: report.floor)
    report.floor = reached
  }

  /// Binds what was purged to the history that goes on.
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

  /// What goes, and the places of the idempotency keys among it.
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
            "By the clock even the newest commit is older than what is kept, so everything would be "
              + "purged. Set the clock, or say that it can be trusted.")
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
