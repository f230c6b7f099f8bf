import DaybookEntities
import DaybookMerging

/// One walk through a log.
struct NaiveRun {
  let model: NaiveModel
  var origins: [ReplicaID: ReplicaCommit.Continuation] = [:]
  var floor: UInt64 = 0
  var entities: [EntityKey: NaiveEntity] = [:]
  var findings: [FindingID: Finding] = [:]
  var held: [EntityKey: [HeldChange]] = [:]
  /// How many entities of each kind have a number.
  var numberedCounts: [EntityKind: UInt64] = [:]

  /// What a commit did to one entity so far.
  struct Step {
    var key: EntityKey
    var change: EntityChange
    var writer: Writer
    /// The entity before the commit, and as it is now.
    var old: NaiveEntity
    var new: NaiveEntity
    /// The registers that its author wrote.
    var written: Set<Register> = []
    /// By rule and register, what lost.
    var lost: [FindingRule: [Register: LostValue]] = [:]
    /// Who locked what stands, unseen by the author.
    var lockedBy: Writer?
    /// Whether the commit locks.
    var isLocking = false
    /// Whether the policy wants somebody asked of a lost value.
    var asks = false
    /// The new parent that waits until the rest of the commit is done, and whether it beat an unseen one.
    var parent: (register: Register, value: Properties, beats: LostValue?)?
  }

  mutating func fold(_ placed: Placed) {
    let commit = placed.commit
    if let origin = commit.continues { origins[commit.replica] = origin }
    let policy = policy()
    var steps: [Step] = []
    let refused = refusedAbsorptions(placed)
    for change in commit.changes where !refused.contains(change.key) {
      let writer = Writer(
        position: placed.position, replica: commit.replica, number: commit.number,
        clock: commit.clock, received: placed.received, isMade: change.isMade)
      let old = entities[change.key] ?? NaiveEntity()
      var step = Step(key: change.key, change: change, writer: writer, old: old, new: old)
      writeRegisters(&step, commit, policy)
      step.asks = policy == .firstAndTell
      if !model.has(.clashesStand) { settleClash(&step, commit, policy) }
      entities[change.key] = step.new
      steps.append(step)
    }
    takeParents(&steps)
    for index in steps.indices {
      writeExistence(&steps[index], commit)
      lookForFlaggedDeletion(&steps[index], commit)
      number(&steps[index])
      eraseText(&steps[index])
      entities[steps[index].key] = steps[index].new
      report(steps[index], commit)
    }
    if !model.has(.closingsAreNotTold) { listWhatIsClosedUnseen(commit) }
  }

  /// Numbers an entity that has just been inserted for the first time.
  private mutating func number(_ step: inout Step) {
    let isAgain = step.old.number != 0 && !model.has(.reinsertionIsNumberedAgain)
    guard step.new.isInserted, step.change.before == nil, step.change.after != nil, !isAgain else {
      return
    }
    let kind = step.key.kind
    let first = model.rules.kinds[kind]?.firstNumber ?? 1
    step.new.number = first + numberedCounts[kind, default: 0]
    numberedCounts[kind, default: 0] += 1
  }

  /// Whether the author of a commit had seen what `writer` wrote.
  func saw(_ commit: ReplicaCommit, _ writer: Writer) -> Bool {
    if writer.position <= max(commit.base, floor) { return true }
    var name = commit.replica
    var last = model.has(.ownCommitsAreUnseen) ? 0 : commit.number
    while true {
      if writer.replica == name && writer.number <= last { return true }
      guard let origin = origins[name], !model.has(.continuationIsIgnored) else { return false }
      name = origin.replica
      last = model.has(.continuationHasNoEnd) ? .max : origin.number
    }
  }

  /// What decides between two values.
  func time(_ writer: Writer) -> Int64 {
    model.has(.clockIsNotCapped) ? writer.clock : min(writer.clock, writer.received)
  }

  /// Whether a value that had not seen the standing one takes its place.
  func beats(_ comer: Writer, _ standing: Writer, _ policy: MergePolicy) -> Bool {
    if !model.has(.madeBeatsHand) {
      if comer.isMade { return false }
      if standing.isMade { return true }
    }
    guard policy == .last else { return false }
    if model.has(.tieGoesToNewcomer) { return time(comer) >= time(standing) }
    return time(comer) > time(standing)
  }

  /// One side of a finding.
  func contender(_ value: Properties, _ writer: Writer?) -> Contender {
    Contender(packed(value).bytes, by: writer.flatMap { $0.position > floor ? $0 : nil })
  }

  // MARK: Rules of the ledger

  private func policy() -> MergePolicy {
    switch model.rules.policy {
    case .always(let policy): return policy
    case .property(let key, let tag, let read):
      return read(entities[key].flatMap { properties(of: $0.record)[tag] })
    }
  }

  /// The policy for one register: that of the policy itself is always `last`.
  func policy(_ policy: MergePolicy, of register: Register, _ key: EntityKey) -> MergePolicy {
    guard case .property(key, let tag, _) = model.rules.policy else { return policy }
    return self.register(of: tag, key.kind) == register ? .last : policy
  }

  func register(of tag: UInt8, _ kind: EntityKind) -> Register {
    let groups = model.has(.groupsFallApart) ? [] : model.rules.kinds[kind]?.groups ?? []
    return Register(tag: groups.first { $0.contains(tag) }?.min() ?? tag)
  }

  func split(_ record: Record?, _ kind: EntityKind) -> [Register: Properties] {
    var registers: [Register: Properties] = [:]
    for (tag, value) in properties(of: record) {
      registers[register(of: tag, kind), default: [:]][tag] = value
    }
    return registers
  }

  // MARK: Registers

  /// What a change writes of each register.
  private func written(_ step: Step, _ commit: ReplicaCommit) -> [Register: Properties] {
    let change = step.change
    guard let after = change.after else { return [:] }
    let kind = step.key.kind
    let new = split(after, kind)
    let immutable = model.rules.kinds[kind]?.immutable ?? []
    if model.has(.undeletingWritesAll), change.tombstone != nil { return new }
    guard let before = change.before ?? (step.old.isInserted ? change.tombstone : nil) else {
      var written = new
      if model.has(.reinsertionKeepsOldValues) { return written }
      for (register, value) in step.old.values
      where !value.isEmpty && new[register] == nil && !immutable.contains(register) {
        if step.old.writers[register].map({ saw(commit, $0) }) ?? true { written[register] = [:] }
      }
      return written
    }
    let old = split(before, kind)
    var written: [Register: Properties] = [:]
    for register in Set(old.keys).union(new.keys) where old[register] != new[register] {
      written[register] = new[register] ?? [:]
    }
    return written
  }

  private func writeRegisters(_ step: inout Step, _ commit: ReplicaCommit, _ general: MergePolicy) {
    let kind = model.rules.kinds[step.key.kind]
    let erased = erasedRegisters(step, commit)
    let written = written(step, commit).filter { !erased.contains($0.key) }
    lookForLock(&step, commit, written)
    for (register, value) in written {
      step.written.insert(register)
      let standing = step.old.values[register] ?? [:]
      let writer = step.old.writers[register]
      if kind?.immutable.contains(register) == true, !model.has(.immutableIsWritten) {
        if step.change.before == nil && !step.old.isInserted {
          step.take(register, value)
        } else if value != standing && !step.writer.isMade {
          step.lost[.valueLost, default: [:]][register] = LostValue(
            register, lost: contender(value, step.writer), won: contender(standing, writer))
        }
        continue
      }
      let policy = policy(general, of: register, step.key)
      var holds = true
      var loss: LostValue?
      if let writer, !saw(commit, writer) || model.has(.seenValuesAreCompared) {
        holds = beats(step.writer, writer, policy)
        if isClosing(register, step.key), let closing = model.rules.closing {
          holds = closing.extent(packed(value).bytes) > closing.extent(packed(standing).bytes)
        }
        let differs = value != standing || model.has(.equalValuesMakeAFinding)
        // A person's closing may lose to one that a program made, since the greater one stands.
        let isLostMade = holds ? writer.isMade : step.writer.isMade
        if differs && !saw(commit, writer) && !isLostMade {
          let sides = [contender(value, step.writer), contender(standing, writer)]
          loss = LostValue(register, lost: sides[holds ? 1 : 0], won: sides[holds ? 0 : 1])
        }
      }
      let isUnseen = writer.map { !saw(commit, $0) } ?? false
      if step.lockedBy != nil || step.isLocking && isUnseen,
        isForbidden(register, standing, value, kind)
      {
        settleLock(&step, register, value)
        continue
      }
      if holds, register == kind?.parent?.register {
        step.parent = (register, value, loss)
        continue
      }
      if holds { step.take(register, value) }
      if let loss { step.lost[.valueLost, default: [:]][register] = loss }
    }
    if step.isLocking { takeWhatIsLocked(&step, commit) }
  }
}

extension NaiveRun.Step {
  /// Gives a register the commit's value.
  mutating func take(_ register: Register, _ value: Properties) {
    new.values[register] = value
    new.writers[register] = writer
  }
}
