import DaybookEntities
import DaybookMerging

// What concerns changes that were placed after a closing that their author had not seen.
extension NaiveRun {
  /// Folds a commit as if all of it were taken, looks what that does to what is closed, and, where it does something,
  /// begins again without.
  mutating func foldOrHold(_ placed: Placed) {
    guard let closing = model.rules.closing, !model.has(.nothingIsHeld) else { return fold(placed) }
    if let origin = placed.commit.continues { origins[placed.commit.replica] = origin }
    let start = self
    let commit = placed.commit
    let closer = entities[closing.key]?.writers[closing.register]
    let blind = closer.flatMap { $0.position > floor && !saw(commit, $0) ? $0 : nil }
    let reach = closing.extent(
      packed(entities[closing.key]?.values[closing.register] ?? [:]).bytes)
    let whole = commit.changes.indices.filter {
      let change = commit.changes[$0]
      let isErasureAlone = change.isErasure && change.before == nil && change.after == nil
      return closing.kinds[change.key.kind]?.isWhole == true && !isErasureAlone
    }
    var heldBack: Set<Int> = []
    var cut: Set<Int> = []
    if !model.has(.nothingJoins) {
      heldBack = Set(whole.filter { start.joins(commit.changes[$0], commit, blind != nil) })
    }
    while true {
      let isApart = commit.hasIndependentChanges || model.has(.heldApart)
      if !isApart, !(heldBack.isEmpty && cut.isEmpty) { heldBack.formUnion(whole) }
      self = start
      var rest = placed
      rest.commit.changes = commit.changes.indices.compactMap { index in
        let change = commit.changes[index]
        if cut.contains(index) { return start.cut(change, closing).rest }
        guard heldBack.contains(index) else { return change }
        // No figure is text, so an erasure goes on.
        return change.isErasure
          ? EntityChange(change.key, before: nil, after: nil, isErasure: true) : nil
      }
      fold(rest)
      guard blind != nil else { break }
      let touching = commit.changes.indices.filter { index in
        let key = commit.changes[index].key
        guard !heldBack.contains(index), let part = closing.kinds[key.kind] else { return false }
        func closed(_ run: NaiveRun) -> [UInt8]? {
          guard let entity = run.entities[key], entity.isInserted, !entity.isDeleted else {
            return nil
          }
          return part.closed(key.id, entity.record, reach)
        }
        return closed(start) != closed(self)
      }
      if touching.isEmpty { break }
      for index in touching {
        let change = commit.changes[index]
        let isWhole = closing.kinds[change.key.kind]?.isWhole == true
        if isWhole || cut.contains(index) || change.after == nil || change.tombstone != nil {
          cut.remove(index)
          heldBack.insert(index)
        } else {
          cut.insert(index)
        }
      }
    }
    for (index, change) in commit.changes.enumerated() {
      let writer = Writer(
        position: placed.position, replica: commit.replica, number: commit.number,
        clock: commit.clock, received: placed.received,
        isMade: change.isMade && change.before == nil && change.after != nil)
      if heldBack.contains(index) {
        hold(change, change.before, change.after, writer, blind, commit, start)
      } else if cut.contains(index) {
        let registers = start.cut(change, closing).registers
        func part(_ record: Record?) -> Record {
          packed(
            split(record, change.key.kind).filter { registers.contains($0.key) }.values
              .reduce(into: [:]) { $0.merge($1) { $1 } })
        }
        hold(change, part(change.before), part(change.after), writer, blind, commit, start)
      }
    }
  }

  /// Whether a change was made on top of what is held.
  private func joins(_ change: EntityChange, _ commit: ReplicaCommit, _ isBlind: Bool) -> Bool {
    let own = (held[change.key] ?? []).filter { isOpen($0, commit) }
    if own.contains(where: { goesOn(change.key, change.before, $0) }) { return true }
    guard change.before != nil || change.tombstone != nil,
      entities[change.key]?.isInserted != true
    else { return false }
    return isBlind || !own.isEmpty
  }

  /// Whether a change goes on from what is held, of which the text may be gone meanwhile.
  private func goesOn(_ key: EntityKey, _ before: Record?, _ change: HeldChange) -> Bool {
    if change.after == before { return true }
    guard before != nil, entities[key]?.isErased == true else { return false }
    return change.after == withoutText(before, key)
  }

  /// Whether the author of a commit made what is held, has not seen why it is, and nobody has taken it since.
  private func isOpen(_ change: HeldChange, _ commit: ReplicaCommit) -> Bool {
    var alone = commit
    alone.base = 0
    let isOwn = run(without: 0).saw(alone, change.last)
    if change.before == nil, let entity = entities[change.id.key], entity.isInserted,
      !entity.isDeleted
    {
      return false
    }
    return isOwn && !run(without: 0).saw(commit, change.closing)
  }

  /// This run as if no floor had been placed.
  private func run(without floor: UInt64) -> NaiveRun {
    var run = self
    run.floor = floor
    return run
  }

  /// A change without the registers that are held.
  private func cut(
    _ change: EntityChange, _ closing: ClosingRule
  ) -> (rest: EntityChange, registers: Set<Register>) {
    let kind = change.key.kind
    var registers = closing.kinds[kind]?.registers ?? []
    var rest = change
    for _ in 0..<2 {
      var values = split(change.after, kind)
      for register in registers { values[register] = split(change.before, kind)[register] }
      let record = packed(values.values.reduce(into: [:]) { $0.merge($1) { $1 } })
      rest.after = record
      let invalid = model.rules.kinds[kind]?.check(change.key.id, record) ?? []
      if invalid.isSubset(of: registers) { break }
      registers.formUnion(invalid)
    }
    return (rest, registers)
  }

  private mutating func hold(
    _ change: EntityChange, _ seen: Record?, _ wanted: Record?, _ writer: Writer,
    _ blind: Writer?, _ commit: ReplicaCommit, _ start: NaiveRun
  ) {
    let before = start.kept(seen, change, commit)
    let after = start.kept(wanted, change, commit)
    if before == after, after != nil { return }
    var list = held[change.key] ?? []
    if let index = list.lastIndex(where: {
      start.isOpen($0, commit) && start.goesOn(change.key, seen, $0)
    }) {
      list[index].after = after
      list[index].last = writer
      if list[index].before == after, after != nil { list.remove(at: index) }
    } else {
      let others = commit.changes.compactMap { change in
        (start.held[change.key] ?? []).last { start.isOpen($0, commit) }
      }
      let own = list.last { start.isOpen($0, commit) }
      guard let closer = blind ?? own?.closing ?? others.first?.closing else { return }
      let id = FindingID(
        replica: commit.replica, number: commit.number, key: change.key, rule: .held)
      list.append(
        HeldChange(id: id, before: before, after: after, closing: closer, last: writer))
      list.sort { $0.id < $1.id }
    }
    held[change.key] = list.isEmpty ? nil : list
    if entities[change.key] == nil { entities[change.key] = NaiveEntity() }
  }
}
