import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

/// The result of recording pending commits again.
public struct RebaseReceipt: Hashable, Sendable {
  /// The number of commits that were pending.
  public var commitCount: Int { sequences.count }
  /// The sequences that the pending commits had in this replica's journal, in ascending order.
  public var sequences: [UInt64] = []
  /// The sequence of the last commit that the rebase recorded.
  ///
  /// If the floor moves again before the commits are sent, commits up to this one are recorded once
  /// more.
  public var lastSequence: UInt64 = 0
  /// The number of changes that were rejected entirely or in part; ``Replica/findings()`` reports
  /// them.
  public var lostCount = 0
  /// Whether an erasure must be completed.
  var hasErased = false

  /// Creates the result of a rebase without pending commits.
  public init() {}
}

extension Replica {
  /// Records pending commits again if their base is below the floor, so that the log no longer
  /// accepts them.
  ///
  /// A pending change to a property is recorded again if the log still has the property's previous
  /// value. Otherwise, the log's value is kept, and a finding on this replica reports the lost
  /// value. Changes to a period that has been closed in the meantime are deferred, on this replica
  /// only. The rebase is atomic, so it can be repeated after an interruption.
  ///
  /// - Returns: The result, or `nil` if no commit must be recorded again.
  /// - Throws: `JournalError`; ``/Merging/FoldFault``.
  /// - Complexity: O(changes of pending commits).
  public func rebase() async throws -> RebaseReceipt? {
    let (rules, memory) = (rules, memory)
    let receipt: RebaseReceipt? = try await store.merge(by: Self.consumer) { context in
      var merge = try SliceMerge(
        context, rules: rules, for: [], over: memory.take(SideValues(source: context)),
        isWhole: true)
      guard let first = merge.pending.entries.first,
        first.commit.base < merge.fold.folded.floor
      else { return nil }
      return try merge.rebase()
    }
    if receipt?.hasErased == true { try await store.completeErasures() }
    return receipt
  }
}

extension SliceMerge {
  /// Reverts the pending commits, and records them again on top of the log's values.
  mutating func rebase() throws -> RebaseReceipt {
    var receipt = RebaseReceipt()
    receipt.sequences = pending.entries.map(\.sequence)
    let folded = fold.folded
    let anyone = CommitOrigin(replica: 0, sequence: folded.head)
    let keys = Set(pending.entries.flatMap { $0.commit.changes.map(\.key) }).sorted()
    let own = ReplicaID(rawValue: context.replica)
    // Free the numbers of entities that won't be recorded again.
    for kind in Set(keys.map(\.kind)) where folded.isNumbered {
      context.reuse(kind, from: folded.nextNumbers[kind] ?? rules.firstNumber(of: kind))
    }
    var numbers = NumberMerge(context, rules: rules, folded, over: pending)
    for key in keys {
      // An entity that was undeleted on this device may have a different number in the log.
      guard let number = folded.entities[key]?.number, number != 0,
        let stored = try context.entity(key.kind, key.id), stored.number != number
      else { continue }
      numbers.move(key, to: number)
    }
    try numbers.finish()
    try context.append(
      Self.ordered(keys.map { MergedRecord($0, folded.entities[$0]) }), origin: anyone)
    context.acknowledge(context.head)
    let first = context.head + 1

    var now = Dictionary(uniqueKeysWithValues: keys.map { ($0, folded.entities[$0]?.present) })
    let rebase = Rebase(rules: rules)
    var holding = RebaseHolding(context, rules, on: folded)
    var rebased: [ReplicaCommit] = []
    for entry in pending.entries {
      var commit = entry.commit
      // The commit's final number may differ if the log has later commits of this replica.
      commit.replica = own
      commit.number = (folded.replicas[own]?.last ?? 0) + UInt64(rebased.count) + 1
      let writer = Writer(
        position: folded.head + 1, replica: commit.replica, number: commit.number,
        clock: commit.clock, received: .max)
      var changes: [EntityChange] = []
      let refused = try rebase.refusedAbsorptions(in: commit.changes, by: writer) {
        holding.after($0) ?? now[$0] ?? nil
      }
      for change in commit.changes {
        let outcome =
          try refused[change.key]
          ?? rebase.outcome(
            of: change, on: holding.after(change.key) ?? now[change.key] ?? nil,
            isKnown: folded.entities[change.key]?.isKnown == true,
            isErased: erased.contains(change.key), by: writer)
        if !outcome.lost.isEmpty {
          try tell(outcome.lost, .tooLate, of: change.key, entry)
          receipt.lostCount += 1
        }
        if !outcome.stands.isEmpty {
          try tell(outcome.stands, .deletionStands, of: change.key, entry)
        }
        guard let change = outcome.change else { continue }
        if holding.after(change.key) != nil {
          holding.hold(change, at: entry.sequence, by: writer)
        } else {
          changes.append(change)
        }
      }
      let shares = try rebase.shares(
        of: changes, hasIndependentChanges: commit.hasIndependentChanges,
        closedBy: closing(now, folded))
      for change in shares.compactMap(\.held) {
        holding.hold(change, at: entry.sequence, by: writer)
      }
      changes = shares.compactMap(\.rest)
      for change in changes { now[change.key] = .some(change.after) }
      if changes.isEmpty { continue }
      var records: [MergedRecord] = []
      for change in changes {
        let after = change.after
        // The erasure removes all text up to its request, so the final record is appended after the
        // request, below.
        let unsettled =
          change.isErasure ? after.map { rules.unsettled(change.key, $0) ?? $0 } : after
        if !change.isErasure || after != nil {
          let number = folded.entities[change.key]?.number ?? 0
          records.append(
            MergedRecord(change.key.kind, change.key.id, unsettled, number: number))
        }
        if change.isErasure { records.append(Self.request(change.key)) }
      }
      if changes.contains(where: \.isErasure) { hasErased = true }
      try context.append(
        records, origin: nil,
        author: CommitAttribute.author.text(in: commit.attributes),
        source: CommitAttribute.source.text(in: commit.attributes))
      (commit.changes, commit.base, commit.continues) = (changes, folded.head, nil)
      rebased.append(commit)
    }
    receipt.lastSequence = context.head
    for change in holding.changes.values {
      try side.put(change.element, under: SideKey.ownHeld(change.id))
    }
    let top = try fold.pending(rebased, isPart: true)
    try context.append(
      Self.ordered(
        top.entities.map { key, state in
          let number = folded.entities[key]?.number ?? 0
          return MergedRecord(key.kind, key.id, state.present, number: number)
        }),
      origin: anyone)
    numbers.follow(isAtRest: rebased.isEmpty)
    for key in keys where folded.entities[key]?.isPlain == true {
      try side.put(nil, under: SideKey.entity(key))
    }
    try side.put(lastPlaced: pending.lastPlaced)
    try side.put(pending.names.bytes, under: SideKey.names)
    try side.put(base: folded.head, from: first, needed: first)
    if rebased.isEmpty { context.acknowledge(context.head) }
    receipt.hasErased = hasErased
    return receipt
  }

  /// Returns the record with the closing register, after the commits recorded again so far.
  private func closing(
    _ now: [DaybookMerging.EntityKey: Record?], _ folded: Folded
  ) -> Record? {
    guard let key = rules.closing?.key else { return nil }
    return now[key] ?? folded.entities[key]?.present
  }

  private func tell(
    _ values: [LostValue], _ rule: FindingRule, of key: DaybookMerging.EntityKey,
    _ entry: PendingCommits.Entry
  ) throws {
    let id = FindingID(
      replica: ReplicaID(rawValue: context.replica), number: entry.sequence, key: key,
      rule: rule)
    try side.put(Finding(id: id, values: values).element, under: SideKey.ownFinding(id))
  }
}
