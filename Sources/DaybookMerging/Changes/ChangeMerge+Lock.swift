import DaybookEntities

/// The side that set a lock that the other side hadn't seen.
enum LockSide {
  /// The current value is locked by this writer, and the change's author hadn't seen the lock.
  case standing(Writer)
  /// The change sets the lock.
  case change
}

extension ChangeMerge {
  /// Returns the side with a lock that the other side may not have seen, or `nil` if there is no
  /// such lock.
  ///
  /// Only a person can set a lock, and only on an existing entity: inserting an entity with a lock
  /// conflicts with no other change.
  func lockSide(_ written: [RegisterValue]) -> LockSide? {
    guard let lock = map.rules.lock else { return nil }
    if let writer = before.writer(of: lock.register), !writer.isMade, !author.hasSeen(writer),
      lock.locks(current[lock.register])
    {
      return .standing(writer)
    }
    let isLocking = written.contains { $0.register == lock.register && lock.locks($0.bytes) }
    return isLocking && change.before != nil ? .change : nil
  }

  /// Applies a lock to an outcome that was decided without regard to the lock.
  func locked(_ outcome: RegisterOutcome) -> RegisterOutcome {
    guard let side, let lock = map.rules.lock, outcome.current.bytes != outcome.wanted.bytes,
      !isApart(outcome.register),
      lock.forbids(outcome.register, outcome.current.bytes, outcome.wanted.bytes)
    else { return outcome }
    var outcome = outcome
    switch side {
    case .standing: outcome.holds = false
    case .change:
      if outcome.isSeen { return outcome }
      outcome.holds = true
    }
    outcome.rule = .locked
    outcome.asks = false
    return outcome
  }

  /// Restores the values that the author of a lock had, in registers whose current values the
  /// author hadn't seen.
  mutating func takeWhatIsLocked() {
    guard case .change = side else { return }
    for value in current.differences(in: after) {
      if outcomes.contains(where: { $0.register == value.register }) { continue }
      let standing = before.writer(of: value.register)
      if author.hasSeen(standing) { continue }
      let outcome = locked(
        RegisterOutcome(
          register: value.register, current: Contender(current[value.register], by: standing),
          wanted: Contender(value.bytes, by: writer), isWritten: false, isSeen: false,
          holds: false, asks: false))
      guard outcome.holds else { continue }
      apply(outcome)
      outcomes.append(outcome)
    }
  }

  /// Restores a deleted entity if the change locks it and the change's author hadn't seen the
  /// deletion.
  mutating func reviveWhatIsLocked() {
    guard case .change = side, before.isDeleted, let deletion = unseenDeletion else { return }
    state.isDeleted = false
    state.deletions = []
    state.revivals.append(writer)
    beaten.append(
      LostValue(.existence, lost: Contender([], by: deletion), won: Contender([], by: writer)))
  }
}
