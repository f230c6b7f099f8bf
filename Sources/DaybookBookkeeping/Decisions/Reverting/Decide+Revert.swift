package import DaybookEntities

/// Undoes a past commit: applies the inverse of its changes to `state`, or refuses.
///
/// An undo is refused if a property has since been changed, an entity has since been deleted or
/// restored, or a lock or a reference from another entity prevents it.
///
/// - Parameters:
///   - changes: All or some changes of the commit, in commit order.
///   - others: The other fingerprints that the commit changed, if `changes` contains only some
///     changes. They are needed so that a restored transaction is no longer counted as deleted, and
///     its due date is no longer skipped.
///   - isRedo: Whether the commit was itself an undo, which is reversed here. If so, references to
///     entities deleted in the meantime are not refused.
/// - Returns: The number of changed entities.
/// - Throws: `Refusal` with the code `conflict` if a later change prevents the undo, `missing` if
///   values have been erased, or any code that a command can have. The caller must discard the
///   changes applied before the error.
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
      try state.countAgain(step, others)
    }
  }
  for step in steps { try state.checkWhole(step, rows: rows[step.id] ?? []) }
  return steps.count
}

/// The effect of an undo on one entity.
struct ReversalStep {
  var kind: EntityKind
  var id: EntityID
  var number: UInt64
  var before: Record?
  var after: Record?
  /// Whether the entity is removed because the commit created it; for an account or category, a
  /// record with a deletion flag remains.
  var isGoing = false

  /// The account or category that is removed.
  var goingAccount: PostingAccount? {
    guard isGoing else { return nil }
    switch kind {
    case .account: return .account(AccountID(id))
    case .category: return .category(CategoryID(id))
    default: return nil
    }
  }
}

/// Identifies an entity whose changes are undone.
private struct ReversalKey: Hashable {
  var kind: EntityKind
  var id: EntityID
}

extension BookkeepingState {
  /// The steps that undo the changes, one per entity; the last change is undone first.
  fileprivate mutating func steps(
    takingBack changes: [JournalChange]
  ) throws(Refusal) -> [ReversalStep] {
    // The key includes the kind, because the mark of a deleted row has the row's id.
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
          "can't restore \(title(of: change)): its text has been erased from history",
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

  /// Turns the removal of an account or category into a deletion flag.
  ///
  /// Commits made on another device in the meantime may refer to it.
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
    let name = title(of: change)
    let reason =
      switch obstacle {
      case .changed(let tags):
        "a later commit changed \(list(tags.map { change.kind.propertyName($0) })) of \(name)"
      case .gone: "\(name) was deleted later"
      case .back: "\(name) was restored later"
      }
    return Refusal(
      .conflict, "can't undo this commit: \(reason); undo the later change first", [change.id])
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "a property" : "the " + names.map(words).joined(separator: ", ")
  }

  /// The words of a name in camel case.
  private func words(_ name: String) -> String {
    name.reduce(into: "") { words, letter in
      words += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
    }
  }

  /// Refuses changes locked by a reconciliation or the closed period, before anything is changed.
  fileprivate mutating func checkLocks(_ step: ReversalStep) throws(Refusal) {
    switch step.kind {
    case .transaction:
      let old: Transaction? = try entity(step.before, step)
      let new: Transaction? = try entity(step.after, step)
      if let old, let new {
        if old.status == .reconciled, new.status != .reconciled {
          // Only the reconciliation itself is undone.
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
        try checkOpen(old.earliestDay, "undo \(old.title)")
      } else if let new {
        try checkOpen(new.earliestDay, "restore \(new.title)")
      }
    case .account:
      try checkOpening(try entity(step.after, step), before: try entity(step.before, step))
    default: break
    }
  }

  /// Removes the marks left by the deletion of a transaction.
  fileprivate mutating func unmark(
    _ step: ReversalStep, _ others: Set<EntityID>
  ) throws(Refusal) {
    guard step.kind == .transaction, let row: Transaction = try entity(step.after, step) else {
      return
    }
    if others.contains(row.entityID) { try unmark(row.entityID) }
    guard let link = row.seriesLink, let named = try generatedID(link)?.rawValue else { return }
    if others.contains(named) { try unmark(named) }
  }

  /// Reverses the count of a deleted imported row.
  fileprivate mutating func countAgain(
    _ step: ReversalStep, _ others: Set<EntityID>
  ) throws(Refusal) {
    guard step.kind == .transaction, let row: Transaction = try entity(step.after, step),
      let identity = row.importIdentity, !row.isOfFile
    else { return }
    let counted = identity.original ?? fingerprint(of: row)
    guard others.contains(counted) else { return }
    // An import with `restoresDeleted` may have subtracted the deletion already.
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
