import DaybookEntities
import DaybookMerging

// What concerns a row that somebody locked.
extension NaiveRun {
  /// Puts down where a lock meets what had not seen it.
  func lookForLock(
    _ step: inout Step, _ commit: ReplicaCommit, _ written: [Register: Properties]
  ) {
    guard let lock = model.rules.kinds[step.key.kind]?.lock, !model.has(.locksAreMergedByPolicy)
    else { return }
    let standing = packed(step.old.values[lock.register] ?? [:]).bytes
    if let writer = step.old.writers[lock.register], !writer.isMade, !saw(commit, writer),
      lock.locks(standing)
    {
      step.lockedBy = writer
    } else if step.change.before != nil, let value = written[lock.register] {
      step.isLocking = lock.locks(packed(value).bytes)
    }
  }

  /// Whether a lock forbids that one value becomes another.
  func isForbidden(
    _ register: Register, _ from: Properties, _ to: Properties, _ kind: KindRules?
  ) -> Bool {
    guard let lock = kind?.lock, !model.has(.locksAreMergedByPolicy), from != to else {
      return false
    }
    return lock.forbids(register, packed(from).bytes, packed(to).bytes)
  }

  /// Lets the side that is locked have a register.
  func settleLock(_ step: inout Step, _ register: Register, _ value: Properties) {
    let stood = contender(step.old.values[register] ?? [:], step.old.writers[register])
    let wanted = contender(value, step.writer)
    if step.isLocking {
      step.take(register, value)
      if stood.writer?.isMade == true { return }
      step.lost[.locked, default: [:]][register] = LostValue(register, lost: stood, won: wanted)
    } else if step.lockedBy != nil, !step.writer.isMade {
      step.lost[.locked, default: [:]][register] = LostValue(register, lost: wanted, won: stood)
    }
  }

  /// Takes the values that the author of a lock had where others had written unseen.
  func takeWhatIsLocked(_ step: inout Step, _ commit: ReplicaCommit) {
    let kind = model.rules.kinds[step.key.kind]
    let meant = split(step.change.after, step.key.kind)
    for register in Set(step.old.values.keys).union(meant.keys) {
      let apart = kind?.immutable.contains(register) == true || kind?.parent?.register == register
      let standing = step.old.values[register] ?? [:]
      guard !apart, !step.written.contains(register), let writer = step.old.writers[register],
        !saw(commit, writer), isForbidden(register, standing, meant[register] ?? [:], kind)
      else { continue }
      settleLock(&step, register, meant[register] ?? [:])
    }
  }
}
