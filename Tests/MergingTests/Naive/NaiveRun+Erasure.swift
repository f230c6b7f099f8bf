import DaybookEntities
import DaybookMerging

// What concerns an entity whose personal text somebody has erased.
extension NaiveRun {
  /// The registers of an entity of which a change may write nothing: an erasure takes them, or its author had not seen
  /// one.
  func erasedRegisters(_ step: Step, _ commit: ReplicaCommit) -> Set<Register> {
    guard let erasure = model.rules.kinds[step.key.kind]?.erasure else { return [] }
    if step.change.isErasure { return erasure.registers }
    if model.has(.textBeatsErasure) { return [] }
    return step.old.erasures.contains { !saw(commit, $0) } ? erasure.registers : []
  }

  /// Takes the text of an entity, in the end of a commit's change.
  func eraseText(_ step: inout Step) {
    guard step.change.isErasure else { return }
    step.new.isErased = true
    step.new.erasures.append(step.writer)
    guard let erasure = model.rules.kinds[step.key.kind]?.erasure else { return }
    for register in erasure.registers { step.lost[.deletionStands]?[register] = nil }
    guard step.new.isInserted else { return }
    step.new.values = split(erasure.settled(step.key.id, step.new.record), step.key.kind)
    for register in erasure.registers {
      step.new.writers[register] = step.new.values[register] == nil ? nil : step.writer
    }
  }

  /// Takes the text out of what is told and held of the entities that a commit erases, once it is in the log.
  mutating func eraseWhatIsTold(_ commit: ReplicaCommit) {
    for change in commit.changes where change.isErasure {
      guard let erasure = model.rules.kinds[change.key.kind]?.erasure else { continue }
      for (id, finding) in findings
      where id.key == change.key && !model.has(.findingsKeepErasedText) {
        let left = finding.values.filter { !erasure.registers.contains($0.register) }
        findings[id] = left.isEmpty ? nil : Finding(id: id, values: left, asks: finding.asks)
      }
      guard let list = held[change.key], !model.has(.heldKeepsErasedText) else { continue }
      let left = list.compactMap { one -> HeldChange? in
        var one = one
        one.before = one.before.map { erasure.settled(change.key.id, $0) }
        one.after = one.after.map { erasure.settled(change.key.id, $0) }
        return one.after != nil && one.after == one.before ? nil : one
      }
      held[change.key] = left.isEmpty ? nil : left
    }
  }

  /// A record of a held change, without text that its author may not bring back.
  func kept(_ record: Record?, _ change: EntityChange, _ commit: ReplicaCommit) -> Record? {
    let erasures = entities[change.key]?.erasures ?? []
    guard change.isErasure || erasures.contains(where: { !saw(commit, $0) }) else { return record }
    return withoutText(record, change.key)
  }

  /// A record without text.
  func withoutText(_ record: Record?, _ key: EntityKey) -> Record? {
    guard let record, let erasure = model.rules.kinds[key.kind]?.erasure else { return record }
    return erasure.settled(key.id, record)
  }
}
