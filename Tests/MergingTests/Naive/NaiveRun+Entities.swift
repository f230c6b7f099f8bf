import DaybookEntities
import DaybookMerging

// What concerns an entity as a whole: parents, existence, values that cannot stand together.
extension NaiveRun {
  /// Tries the new parents of a commit again and again, until none more can be taken.
  mutating func takeParents(_ steps: inout [Step]) {
    var again = true
    while again {
      again = false
      for index in steps.indices {
        guard let parent = steps[index].parent else { continue }
        let id = id(of: parent.value, steps[index].key.kind)
        guard model.has(.cyclesAreTaken) || !isAbove(id, steps[index].key) else { continue }
        steps[index].take(parent.register, parent.value)
        steps[index].lost[.valueLost, default: [:]][parent.register] = parent.beats
        steps[index].parent = nil
        entities[steps[index].key] = steps[index].new
        again = true
      }
    }
    for index in steps.indices {
      guard let parent = steps[index].parent else { continue }
      let old = steps[index].old
      steps[index].lost[.cycle, default: [:]][parent.register] = LostValue(
        parent.register, lost: contender(parent.value, steps[index].writer),
        won: contender(old.values[parent.register] ?? [:], old.writers[parent.register]))
    }
  }

  private func id(of value: Properties, _ kind: EntityKind) -> EntityID? {
    model.rules.kinds[kind]?.parent?.id(packed(value).bytes)
  }

  /// Whether the walk upwards from `id` comes to `key`, or never ends.
  private func isAbove(_ id: EntityID?, _ key: EntityKey) -> Bool {
    guard let register = model.rules.kinds[key.kind]?.parent?.register else { return false }
    var visited: Set<EntityID> = []
    var id = id
    while let step = id {
      if step == key.id || !visited.insert(step).inserted { return true }
      let above = entities[EntityKey(key.kind, step)]?.values[register] ?? [:]
      id = self.id(of: above, key.kind)
    }
    return false
  }

  /// Whether the entity exists after a change.
  func writeExistence(_ step: inout Step, _ commit: ReplicaCommit) {
    if step.change.isErasure, step.change.before == nil, step.change.after == nil { return }
    if step.change.after == nil {
      delete(&step, commit)
    } else if step.change.before == nil {
      revive(&step, commit)
    } else if step.isLocking, !model.has(.deletionBeatsLock), step.old.isDeleted,
      let deletion = unseenDeletion(step, commit)
    {
      step.bringBack()
      step.lost[.locked, default: [:]][.existence] = LostValue(
        .existence, lost: contender([:], deletion), won: contender([:], step.writer))
    } else if step.old.isDeleted {
      // Also of one that its author had made themselves: it was held when they amended.
      let unseen = unseenDeletion(step, commit)
      if unseen != nil, model.has(.deletionLosesToAmendment) { return step.bringBack() }
      let deletion = unseen ?? step.old.deletions.last
      for register in step.written where step.new.writers[register] == step.writer {
        let value = step.new.values[register] ?? [:]
        if value == step.old.values[register] ?? [:] { continue }
        step.lost[.deletionStands, default: [:]][register] = LostValue(
          register, lost: contender(value, step.writer), won: contender([:], deletion))
      }
    }
  }

  private func delete(_ step: inout Step, _ commit: ReplicaCommit) {
    if let lock = step.lockedBy, step.old.isInserted, !step.old.isDeleted,
      !model.has(.deletionBeatsLock)
    {
      step.lost[.locked, default: [:]][.existence] = LostValue(
        .existence, lost: contender([:], step.writer), won: contender([:], lock))
      return
    }
    step.new.isDeleted = true
    step.new.deletions.append(step.writer)
    step.new.revivals = []
    guard step.old.isInserted && !step.old.isDeleted else { return }
    var others = step.old.writers
    let revivals = step.old.revivals.suffix(model.has(.lastRevivalOnly) ? 1 : .max)
    others[.existence] = revivals.last { !saw(commit, $0) }
    for (register, writer) in others where !writer.isMade && !saw(commit, writer) {
      step.lost[.deletionStands, default: [:]][register] = LostValue(
        register, lost: contender(step.old.values[register] ?? [:], writer),
        won: contender([:], step.writer))
    }
  }

  private func revive(_ step: inout Step, _ commit: ReplicaCommit) {
    step.new.isInserted = true
    if !step.old.isDeleted {
      step.comeToLife()
    } else if let deletion = unseenDeletion(step, commit), !model.has(.deletionLosesToRevival) {
      if step.writer.isMade { return }
      step.lost[.deletionStands, default: [:]][.existence] = LostValue(
        .existence, lost: contender([:], step.writer), won: contender([:], deletion))
    } else {
      step.bringBack()
    }
  }

  /// The last deletion in force that the author of the commit had not seen.
  private func unseenDeletion(_ step: Step, _ commit: ReplicaCommit) -> Writer? {
    let deletions = step.old.deletions.suffix(model.has(.lastDeletionOnly) ? 1 : .max)
    return deletions.last { !saw(commit, $0) }
  }

  /// Lets one side's registers stand where the two sides' cannot stand together: first those that the
  /// check names, then every one, and in the end what stood before the commit.
  func settleClash(_ step: inout Step, _ commit: ReplicaCommit, _ policy: MergePolicy) {
    guard let kind = model.rules.kinds[step.key.kind], let after = step.change.after else { return }
    // Of erased text nobody's value is taken.
    let erased = erasedRegisters(step, commit)
    let apart = kind.immutable.union(kind.parent.map { [$0.register] } ?? []).union(erased)
    let meant = split(after, step.key.kind)
    let all = Set(step.new.values.keys).union(meant.keys).subtracting(erased)
    let differs = all.subtracting(kind.erasure?.registers ?? []).contains { register in
      register != kind.parent?.register
        && step.new.values[register] ?? [:] != meant[register] ?? [:]
    }
    guard differs else { return }
    let merged = step
    for registers in [nil, all] {
      let named = kind.check(step.key.id, step.new.record)
      if named.isEmpty { return }
      step = merged
      settle(&step, commit, policy, (registers ?? named).subtracting(apart), meant)
    }
    if kind.check(step.key.id, step.new.record).isEmpty { return }
    step = merged
    for register in all.subtracting(apart) where step.new.writers[register] == step.writer {
      giveBack(&step, register)
    }
  }

  /// Lets the commit's side of some registers stand, or what was there before.
  private func settle(
    _ step: inout Step, _ commit: ReplicaCommit, _ policy: MergePolicy,
    _ registers: Set<Register>, _ meant: [Register: Properties]
  ) {
    let taken = registers.filter { step.new.writers[$0] == step.writer }
    let own = taken.filter { step.new.values[$0] ?? [:] != step.old.values[$0] ?? [:] }
    let others = registers.subtracting(taken).filter {
      step.new.values[$0] ?? [:] != meant[$0] ?? [:]
    }
    if own.isEmpty || others.isEmpty { return }
    let unseen = others.filter { register in
      step.old.writers[register].map { !saw(commit, $0) } ?? false
    }
    let wins = unseen.allSatisfy { register in
      guard let writer = step.old.writers[register] else { return true }
      return beats(step.writer, writer, self.policy(policy, of: register, step.key))
    }
    guard wins else {
      for register in own { giveBack(&step, register) }
      return
    }
    for register in others {
      let lost = contender(
        step.old.values[register] ?? [:], step.old.writers[register])
      let value = meant[register] ?? [:]
      step.take(register, value)
      step.lost[.valueLost]?[register] = nil
      if lost.writer?.isMade == true { continue }
      step.lost[.clash, default: [:]][register] = LostValue(
        register, lost: lost, won: contender(value, step.writer))
    }
  }

  /// Puts back what stood in a register before the commit.
  private func giveBack(_ step: inout Step, _ register: Register) {
    let value = step.new.values[register] ?? [:]
    let standing = step.old.values[register] ?? [:]
    step.new.values[register] = step.old.values[register]
    step.new.writers[register] = step.old.writers[register]
    if value == standing { return }
    step.lost[.valueLost]?[register] = nil
    if step.writer.isMade { return }
    step.lost[.clash, default: [:]][register] = LostValue(
      register, lost: contender(value, step.writer),
      won: contender(standing, step.old.writers[register]))
  }

  /// Enters the findings of a commit about one entity.
  mutating func report(_ step: Step, _ commit: ReplicaCommit) {
    for (rule, values) in step.lost where !values.isEmpty {
      let id = FindingID(
        replica: commit.replica, number: commit.number, key: step.key, rule: rule)
      let immutable = model.rules.kinds[step.key.kind]?.immutable ?? []
      let isDecided = values.keys.contains {
        !immutable.contains($0) && policy(.firstAndTell, of: $0, step.key) != .last
          && !isClosing($0, step.key)
      }
      findings[id] = Finding(
        id: id, values: values.values.sorted { $0.register < $1.register },
        asks: rule == .valueLost && step.asks && isDecided)
    }
  }
}

extension NaiveRun.Step {
  /// Enters the commit among those that made the entity exist, if a person made it.
  mutating func comeToLife() {
    if !writer.isMade { new.revivals.append(writer) }
  }

  /// Makes the entity exist again.
  mutating func bringBack() {
    new.isInserted = true
    new.isDeleted = false
    new.deletions = []
    comeToLife()
  }
}
