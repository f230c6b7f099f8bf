import DaybookEntities
import DaybookMerging

// What concerns what is closed.
extension NaiveRun {
  /// Whether a register is the one that closes, and of two values the greater stands.
  func isClosing(_ register: Register, _ key: EntityKey) -> Bool {
    guard !model.has(.closingsAreMergedByPolicy), let closing = model.rules.closing else {
      return false
    }
    return closing.key == key && closing.register == register
  }

  /// How far a record of what closes reaches.
  private func extent(_ record: Record?, _ closing: ClosingRule) -> Int64 {
    closing.extent(packed(split(record, closing.key.kind)[closing.register] ?? [:]).bytes)
  }

  /// Enters the finding of a commit that closes what its author had not seen.
  mutating func listWhatIsClosedUnseen(_ commit: ReplicaCommit) {
    guard let closing = model.rules.closing,
      let change = commit.changes.last(where: { $0.key == closing.key }), change.after != nil,
      extent(change.after, closing) > extent(change.before, closing)
    else { return }
    let reach = extent(change.after, closing)
    let listed = entities.filter { key, entity in
      guard let part = closing.kinds[key.kind], entity.isInserted,
        part.closed(key.id, entity.record, reach) != nil
      else { return false }
      if entity.isDeleted { return entity.deletions.contains { !saw(commit, $0) } }
      let figures = entity.writers.filter { part.registers.contains($0.key) }.values
      return (figures + entity.revivals).contains { !saw(commit, $0) }
    }
    if listed.isEmpty { return }
    let id = FindingID(
      replica: commit.replica, number: commit.number, key: closing.key, rule: .closedUnseen)
    findings[id] = Finding(id: id, values: [], entities: listed.keys.sorted())
  }
}
