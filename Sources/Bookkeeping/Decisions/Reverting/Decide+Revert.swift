package import Entities

/// Decides to take back what a commit of the past did, or to bring back what it deleted: applies the
/// inverse of its changes to `state`, or refuses it.
///
/// A property that has another value by now, an entity that has gone or come back since, a lock or
/// a reference from elsewhere stands in the way.
///
/// - Parameters:
///   - changes: All changes of the commit, or some of them, in the order of the commit.
///   - others: Where these are some of the changes: the fingerprints and series that the commit changed
///     besides. A row that is there again is no longer counted as deleted, nor is its due day skipped.
///   - isRedo: Whether the commit took back another, which is to count again, whatever was deleted meanwhile.
/// - Returns: How many entities were changed.
/// - Throws: `Refusal` with the code `conflict` where a later change stands in the way, `missing`
///   where values have been erased, or as any command; what was applied by then is to be dropped.
package func revert(
  _ changes: [JournalChange], changedWith others: Set<EntityID> = [], isRedo: Bool = false,
  on state: inout some BookkeepingState
) throws(Refusal) -> Int {
  let steps = try state.steps(takingBack: changes)
  var rows: [EntityID: [TransactionID]] = [:]
  if !isRedo { try state.checkKept(steps) }
  for step in steps {
    try state.checkLocks(step)
    if let account = step.goingAccount {
      rows[step.id] = try reading { try state.transactions(touching: account) }
    }
  }
  for step in steps {
    try state.emit(step.kind, step.id, number: step.number, step.before, step.after)
  }
  if !others.isEmpty {
    for step in steps where step.before == nil {
      try state.unmark(step, others)
      try state.takeDueDayBack(step, others)
      try state.countAgain(step, others)
    }
  }
  for step in steps { try state.checkWhole(step, rows: rows[step.id] ?? []) }
  return steps.count
}

/// What taking back comes to for one entity.
struct ReversalStep {
  var kind: EntityKind
  var id: EntityID
  var number: UInt64
  var before: Record?
  var after: Record?
  /// Whether what the commit had made goes: of an account or category the record stays, with a flag.
  var isGoing = false

  /// The account or category that goes.
  var goingAccount: PostingAccount? {
    guard isGoing else { return nil }
    switch kind {
    case .account: return .account(AccountID(id))
    case .category: return .category(CategoryID(id))
    default: return nil
    }
  }
}

/// An entity that is taken back.
private struct ReversalKey: Hashable {
  var kind: EntityKind
  var id: EntityID
}

extension BookkeepingState {
  /// What each entity becomes: the last change is taken back first.
  fileprivate mutating func steps(
    takingBack changes: [JournalChange]
  ) throws(Refusal) -> [ReversalStep] {
    // The mark that a row is not to be made again has the row's id.
    var steps: [ReversalKey: ReversalStep] = [:]
    var order: [ReversalKey] = []
    for change in changes.reversed() {
      guard change.kind.rawValue != 0 else {
        throw Refusal(
          .builtin, "can't undo a purge of history")
      }
      guard !change.isErased, !change.completesErasure else {
        throw Refusal(
          .missing,
          "can't restore \(what(change)): its text has been erased from history",
          [change.id])
      }
      var step: ReversalStep
      let key = ReversalKey(kind: change.kind, id: change.id)
      if let known = steps[key] {
        step = known
      } else {
        let present = try reading { try record(change.kind, change.id) }
        step = ReversalStep(
          kind: change.kind, id: change.id, number: present?.number ?? change.number,
          before: present?.record, after: present?.record)
        order.append(key)
      }
      do {
        step.after = try change.undone(from: step.after)
      } catch let obstacle as Reversal {
        throw refusal(obstacle, change)
      } catch {
        throw Refusal(state: error)
      }
      steps[key] = step
    }
    for key in order where steps[key]?.after == nil { try leaveTombstone(&steps[key]) }
    return order.compactMap { steps[$0] }.filter { $0.before != $0.after }
  }

  /// Accounts and categories are deleted by a flag, also where their making is taken back: what was recorded on
  /// another device meanwhile may name them.
  private func leaveTombstone(_ step: inout ReversalStep?) throws(Refusal) {
    guard var going = step, going.before != nil else { return }
    going.isGoing = true
    if going.kind == .account, let account: Account = try entity(going.before, going) {
      going.after = account.emptyTombstone.record()
    } else if going.kind == .category, let category: Category = try entity(going.before, going) {
      going.after = category.tombstone.record()
    }
    step = going
  }

  private mutating func refusal(_ obstacle: Reversal, _ change: JournalChange) -> Refusal {
    let name = what(change)
    let reason =
      switch obstacle {
      case .changed(let tags):
        "\(list(tags.map { change.kind.propertyName($0) })) of \(name) was changed later"
      case .gone: "\(name) was deleted later"
      case .back: "\(name) was restored later"
      }
    return Refusal(
      .conflict, "can't undo this commit: \(reason); undo the later change first", [change.id])
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "a property" : "the " + names.joined(separator: ", ")
  }

  private mutating func what(_ change: JournalChange) -> String {
    switch change.kind {
    case .account: name(AccountID(change.id))
    case .category: name(CategoryID(change.id))
    default: "the \(change.kind.name) \(change.id)"
    }
  }

  /// Refuses what a reconciliation or the closed period locks, before anything is changed.
  fileprivate mutating func checkLocks(_ step: ReversalStep) throws(Refusal) {
    switch step.kind {
    case .transaction:
      let old: Transaction? = try entity(step.before, step)
      let new: Transaction? = try entity(step.after, step)
      if let old, let new {
        if old.status == .reconciled, new.status != .reconciled {
          // Only a reconciliation itself is taken back.
          var reopened = new
          reopened.status = .reconciled
          try checkLocks(old, reopened)
        } else {
          try checkLocks(old, new)
        }
      } else if let old {
        guard old.status != .reconciled else {
          throw Refusal(
            .reconciled, "can't undo \(old.title): it is reconciled; unreconcile it first",
            [old.id.rawValue])
        }
        try checkOpen(old.day, "undo \(old.title)")
      } else if let new {
        try checkOpen(new.day, "restore \(new.title)")
      }
    case .account:
      try checkOpening(try entity(step.after, step), before: try entity(step.before, step))
    default: break
    }
  }

  /// Lets the due day of a row that is there again be the row's own: its deletion, in a former version, had skipped it
  /// in the series.
  fileprivate mutating func takeDueDayBack(
    _ step: ReversalStep, _ others: Set<EntityID>
  ) throws(Refusal) {
    guard step.kind == .transaction, let row: Transaction = try entity(step.after, step),
      let id = row.series, let due = row.occurrence, others.contains(id.rawValue),
      let stored: Stored<Series> = try stored(id.rawValue)
    else { return }
    var series = stored.entity
    series.unskip(due)
    try emit(stored, series)
  }

  /// Takes away the marks that the deletion of a row has left.
  fileprivate mutating func unmark(
    _ step: ReversalStep, _ others: Set<EntityID>
  ) throws(Refusal) {
    guard step.kind == .transaction, let row: Transaction = try entity(step.after, step) else {
      return
    }
    if others.contains(row.entityID) { try unmark(row.entityID) }
    guard let link = row.seriesLink, let stored: Stored<Series> = try stored(link.series.rawValue)
    else { return }
    let named = TransactionID(of: stored.entity, due: link.occurrence).rawValue
    if others.contains(named) { try unmark(named) }
  }

  /// Counts an imported row that is there again, the opposite of its deletion.
  fileprivate mutating func countAgain(
    _ step: ReversalStep, _ others: Set<EntityID>
  ) throws(Refusal) {
    guard step.kind == .transaction, let row: Transaction = try entity(step.after, step),
      let identity = row.importIdentity, !row.isOfFile
    else { return }
    let counted = identity.original ?? fingerprint(of: row)
    guard others.contains(counted) else { return }
    // An import that brings back what was deleted may have counted it off already.
    let stored: Stored<Fingerprint>? = try stored(counted)
    let isDeleted = stored?.entity.deleted ?? 0 > 0
    try count(counted, changed: identity.original == nil ? 0 : 1, deleted: isDeleted ? -1 : 0)
  }

  func entity<Entity: LedgerEntity>(
    _ record: Record?, _ step: ReversalStep
  ) throws(Refusal) -> Entity? {
    guard let record else { return nil }
    return try reading { try Entity(record: record, id: step.id, number: step.number) }
  }
}
