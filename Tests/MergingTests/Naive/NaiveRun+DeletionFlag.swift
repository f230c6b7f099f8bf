import DaybookEntities
import DaybookMerging

// What concerns an entity that is deleted by a flag in its record.
extension NaiveRun {
  /// Enters what one side changed where the other set the flag: neither had seen the other.
  func lookForFlaggedDeletion(_ step: inout Step, _ commit: ReplicaCommit) {
    guard let flag = model.rules.kinds[step.key.kind]?.deletionFlag,
      !model.has(.flaggedDeletionsAreNotTold), step.change.before != nil, step.change.after != nil,
      !step.new.isDeleted
    else { return }
    func isSet(_ values: [Register: Properties]) -> Bool {
      flag.isSet(packed(values[flag.register] ?? [:]).bytes)
    }
    guard isSet(step.new.values) else { return }
    if isSet(step.old.values) {
      guard let deletion = step.old.writers[flag.register], !saw(commit, deletion),
        !isSet(split(step.change.after, step.key.kind))
      else { return }
      for register in step.written where step.new.writers[register] == step.writer {
        let value = step.new.values[register] ?? [:]
        if value == step.old.values[register] ?? [:] { continue }
        step.lost[.deletionStands, default: [:]][register] = LostValue(
          register, lost: contender(value, step.writer), won: contender([:], deletion))
      }
    } else if step.new.writers[flag.register] == step.writer {
      let known = split(step.change.before, step.key.kind)
      let erased = erasedRegisters(step, commit)
      for (register, writer) in step.old.writers
      where !writer.isMade && !saw(commit, writer) && !erased.contains(register) {
        let value = step.old.values[register] ?? [:]
        guard !step.written.contains(register), step.new.writers[register] == writer,
          value != known[register] ?? [:]
        else { continue }
        step.lost[.deletionStands, default: [:]][register] = LostValue(
          register, lost: contender(value, writer), won: contender([:], step.writer))
      }
    }
  }
}
