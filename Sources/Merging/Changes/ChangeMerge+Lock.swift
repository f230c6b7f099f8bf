import Entities

/// Which side a lock is on, where the other had not seen it.
enum LockSide {
  /// What stands is locked by this writer, unseen by the change's author.
  case standing(Writer)
  /// The change locks.
  case change
}

extension ChangeMerge {
  /// Where a lock meets what had not seen it; `nil` where none does.
  ///
  /// Only people lock, and only what was there: a row that begins locked meets nothing.
  func lockSide(_ written: [RegisterValue]) -> LockSide? {
    guard let lock = map.rules.lock else { return nil }
    if let writer = before.writer(of: lock.register), !writer.isMade, !author.hasSeen(writer),
      lock.locks(stood[lock.register])
    {
      return .standing(writer)
    }
    let isLocking = written.contains { $0.register == lock.register && lock.locks($0.bytes) }
    return isLocking && change.before != nil ? .change : nil
  }

  /// What a lock makes of an outcome that was decided without it.
  func locked(_ outcome: RegisterOutcome) -> RegisterOutcome {
    guard let side, let lock = map.rules.lock, outcome.stood.bytes != outcome.wanted.bytes,
      !isApart(outcome.register),
      lock.forbids(outcome.register, outcome.stood.bytes, outcome.wanted.bytes)
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

  /// Takes from a change that locks what it had not seen change: the values that its author locked.
  mutating func takeWhatIsLocked() {
    guard case .change = side else { return }
    for value in stood.differences(in: after) {
      if outcomes.contains(where: { $0.register == value.register }) { continue }
      let standing = before.writer(of: value.register)
      if author.hasSeen(standing) { continue }
      let outcome = locked(
        RegisterOutcome(
          register: value.register, stood: Contender(stood[value.register], by: standing),
          wanted: Contender(value.bytes, by: writer), isWritten: false, isSeen: false,
          holds: false, asks: false))
      guard outcome.holds else { continue }
      apply(outcome)
      outcomes.append(outcome)
    }
  }

  /// Brings back what a change locks, where its author had not seen the deletion.
  mutating func reviveWhatIsLocked() {
    guard case .change = side, before.isDeleted, let deletion = unseenDeletion else { return }
    state.isDeleted = false
    state.deletions = []
    state.revivals.append(writer)
    beaten.append(
      LostValue(.existence, lost: Contender([], by: deletion), won: Contender([], by: writer)))
  }
}
