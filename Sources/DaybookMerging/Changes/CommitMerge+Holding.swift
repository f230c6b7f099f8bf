import DaybookEntities

/// The treatment of one change of a commit.
private enum Fate {
  /// The change is merged.
  case taken
  /// The change is merged except for registers in a closed part, which are deferred.
  case cut
  /// The whole change is deferred.
  case held
}

extension CommitMerge {
  /// Merges the commit, and defers changes that touch a closed part if the author hadn't seen the
  /// closing.
  mutating func mergeOrHold() throws(FoldFault) {
    let all = author.commit.changes
    guard let rule = rules.rules.closing else { return try merge(all) }
    do {
      let closing = try unseenClosing(rule)
      var fates = all.map { joins($0, rule, closing?.writer) ? Fate.held : .taken }
      while true {
        holdTogether(&fates, rule)
        try merge(fates.allSatisfy { $0 == .taken } ? all : merged(all, fates, rule))
        let touching = closing.map { self.touching(fates, rule, $0.extent) } ?? []
        if touching.isEmpty { break }
        for index in touching {
          let isCut = fates[index] == .taken && rule.canBeCut(all[index])
          fates[index] = isCut ? .cut : .held
        }
      }
      for (change, fate) in zip(all, fates) where fate != .taken {
        var part = change
        if fate == .cut {
          part = try rules.cut(change, rule).part
        }
        hold(part, closing?.writer)
      }
    } catch let fault as FoldFault {
      throw fault
    } catch {
      throw .damagedRecord(position: author.position, key: rule.key)
    }
  }

  /// Returns the current closing and its extent, if the author hadn't seen the closing.
  private func unseenClosing(
    _ rule: ClosingRule
  ) throws(DecodingFault) -> (writer: Writer, extent: Int64)? {
    guard let state = source.entity(rule.key), let writer = state.writer(of: rule.register),
      !author.hasSeen(writer)
    else { return nil }
    let values = try rules.map(of: rule.key.kind).values(of: state.record)
    return (writer, rule.extent(values[rule.register]))
  }

  // MARK: Deferred changes

  /// Returns whether a change was made on top of a deferred change, and must therefore be deferred
  /// too.
  private func joins(_ change: EntityChange, _ rule: ClosingRule, _ closing: Writer?) -> Bool {
    guard rule.kinds[change.key.kind]?.isWhole == true, !change.isErasureAlone else { return false }
    let own = source.held(change.key).filter(isOpen)
    if own.contains(where: { goesOn(change, $0) }) { return true }
    return (change.before ?? change.tombstone) != nil
      && source.entity(change.key)?.isInserted != true
      && (closing != nil || !own.isEmpty)
  }

  /// Returns whether the author made a deferred change and hasn't seen the closing, and nobody has
  /// accepted the change.
  private func isOpen(_ held: HeldChange) -> Bool {
    let isTaken = held.before == nil && source.entity(held.id.key)?.exists == true
    return author.wrote(held.last) && !author.hasSeen(held.closing) && !isTaken
  }

  /// Returns whether a change continues a deferred change, whose text may have been erased since
  /// then.
  private func goesOn(_ change: EntityChange, _ held: HeldChange) -> Bool {
    if held.after == change.before { return true }
    guard source.entity(change.key)?.isErased == true, let before = change.before else {
      return false
    }
    return held.after == rules.rules.settled(change.key, before)
  }

  /// Defers all changes of kinds that are deferred as a whole if any change is deferred, unless the
  /// commit's changes are independent.
  private func holdTogether(_ fates: inout [Fate], _ rule: ClosingRule) {
    if author.commit.hasIndependentChanges || fates.allSatisfy({ $0 == .taken }) { return }
    for (index, change) in author.commit.changes.enumerated()
    where rule.kinds[change.key.kind]?.isWhole == true && !change.isErasureAlone {
      fates[index] = .held
    }
  }

  /// Returns the indices of the changes that touch a closed part when they are merged.
  private func touching(_ fates: [Fate], _ rule: ClosingRule, _ extent: Int64) -> [Int] {
    fates.indices.filter { index in
      let key = author.commit.changes[index].key
      guard fates[index] != .held, rule.kinds[key.kind] != nil else { return false }
      return rule.closed(source.entity(key)?.present, of: key, through: extent)
        != rule.closed(entities[key]?.present, of: key, through: extent)
    }
  }

  // MARK: Merged changes

  /// Returns the changes to merge, which always include erasures.
  private func merged(
    _ all: [EntityChange], _ fates: [Fate], _ rule: ClosingRule
  ) throws(DecodingFault) -> [EntityChange] {
    var changes: [EntityChange] = []
    for (change, fate) in zip(all, fates) {
      switch fate {
      case .taken: changes.append(change)
      case .cut: changes.append(try rules.cut(change, rule).rest)
      case .held where change.isErasure:
        changes.append(EntityChange(change.key, before: nil, after: nil, isErasure: true))
      case .held: break
      }
    }
    return changes
  }

  // MARK: Deferring a change

  /// Defers a change: merges it into the deferred change on top of which it was made, or defers it
  /// separately.
  private mutating func hold(_ change: EntityChange, _ closing: Writer?) {
    let (before, after) = (kept(change.before, of: change), kept(change.after, of: change))
    // A skip, which has no record before or after it, is still a change. If an author deletes their
    // own deferred insertion, a skip remains, because they don't want the same entity from other
    // devices either.
    if before == after, after != nil { return }
    var list = held[change.key] ?? source.held(change.key)
    let writer = author.writer(of: change)
    if let index = list.lastIndex(where: { isOpen($0) && goesOn(change, $0) }) {
      list[index].after = after
      list[index].last = writer
      if list[index].before == after, after != nil { list.remove(at: index) }
    } else if let closing = closing ?? list.last(where: isOpen)?.closing ?? joinedClosing {
      let id = FindingID(
        replica: author.commit.replica, number: author.commit.number, key: change.key, rule: .held)
      list.append(
        HeldChange(id: id, before: before, after: after, closing: closing, last: writer))
      list.sort { $0.id < $1.id }
    }
    held[change.key] = list
    // Every replica must know the entity, although it has no values.
    if entities[change.key] == nil, source.entity(change.key) == nil {
      entities[change.key] = EntityState()
    }
  }

  /// The closing that deferred the changes on which this commit is based.
  private var joinedClosing: Writer? {
    for change in author.commit.changes {
      if let found = source.held(change.key).last(where: isOpen) { return found.closing }
    }
    return nil
  }

  /// Returns a record of a deferred change without the text that must be erased.
  private func kept(_ record: Record?, of change: EntityChange) -> Record? {
    let erasures = source.entity(change.key)?.erasures ?? []
    guard change.isErasure || erasures.contains(where: { !author.hasSeen($0) }) else {
      return record
    }
    return record.map { rules.rules.settled(change.key, $0) }
  }
}
