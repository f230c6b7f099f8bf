import Entities

/// What becomes of one change of a commit that meets a closing.
private enum Fate {
  /// It is merged.
  case taken
  /// It is merged without the registers that it must not write, which are held.
  case cut
  /// It is held.
  case held
}

extension CommitMerge {
  /// Merges the commit; what would touch what is closed, and whose author had not seen the closing, is held instead.
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

  /// The closing that stands, if the author had not seen it, and how far it reaches.
  private func unseenClosing(
    _ rule: ClosingRule
  ) throws(DecodingFault) -> (writer: Writer, extent: Int64)? {
    guard let state = source.entity(rule.key), let writer = state.writer(of: rule.register),
      !author.hasSeen(writer)
    else { return nil }
    let values = try rules.map(of: rule.key.kind).values(of: state.record)
    return (writer, rule.extent(values[rule.register]))
  }

  // MARK: What is held

  /// Whether a change was made on top of what is held: nothing else can be done with it.
  private func joins(_ change: EntityChange, _ rule: ClosingRule, _ closing: Writer?) -> Bool {
    guard rule.kinds[change.key.kind]?.isWhole == true, !change.isErasureAlone else { return false }
    let own = source.held(change.key).filter(isOpen)
    if own.contains(where: { goesOn(change, $0) }) { return true }
    return (change.before ?? change.tombstone) != nil
      && source.entity(change.key)?.isInserted != true
      && (closing != nil || !own.isEmpty)
  }

  /// Whether the author made a change that is held, has not seen why, and nobody has taken it.
  private func isOpen(_ held: HeldChange) -> Bool {
    let isTaken = held.before == nil && source.entity(held.id.key)?.exists == true
    return author.wrote(held.last) && !author.hasSeen(held.closing) && !isTaken
  }

  /// Whether a change goes on from what is held, whose text may be gone meanwhile.
  private func goesOn(_ change: EntityChange, _ held: HeldChange) -> Bool {
    if held.after == change.before { return true }
    guard source.entity(change.key)?.isErased == true, let before = change.before else {
      return false
    }
    return held.after == rules.rules.settled(change.key, before)
  }

  /// Where one change is held, all of the same kinds are, unless the commit's changes stand for themselves.
  private func holdTogether(_ fates: inout [Fate], _ rule: ClosingRule) {
    if author.commit.isSet || fates.allSatisfy({ $0 == .taken }) { return }
    for (index, change) in author.commit.changes.enumerated()
    where rule.kinds[change.key.kind]?.isWhole == true && !change.isErasureAlone {
      fates[index] = .held
    }
  }

  /// The changes that, merged, touch what is closed.
  private func touching(_ fates: [Fate], _ rule: ClosingRule, _ extent: Int64) -> [Int] {
    fates.indices.filter { index in
      let key = author.commit.changes[index].key
      guard fates[index] != .held, rule.kinds[key.kind] != nil else { return false }
      return rule.closed(source.entity(key)?.present, of: key, through: extent)
        != rule.closed(entities[key]?.present, of: key, through: extent)
    }
  }

  // MARK: What is merged

  /// What is merged of changes; an erasure always is.
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

  // MARK: Holding

  /// Holds a change: it joins what it was made on top of, or is held by itself.
  private mutating func hold(_ change: EntityChange, _ closing: Writer?) {
    let (before, after) = (kept(change.before, of: change), kept(change.after, of: change))
    // A skip is a change; and whoever deletes again what they made does not want what others made alike.
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
    // The entity is known to everybody, though nothing of it is there.
    if entities[change.key] == nil, source.entity(change.key) == nil {
      entities[change.key] = EntityState()
    }
  }

  /// The closing for which what the commit was made on top of is held.
  private var joinedClosing: Writer? {
    for change in author.commit.changes {
      if let found = source.held(change.key).last(where: isOpen) { return found.closing }
    }
    return nil
  }

  /// A record of a change that is held, without text that is to be gone.
  private func kept(_ record: Record?, of change: EntityChange) -> Record? {
    let erasures = source.entity(change.key)?.erasures ?? []
    guard change.isErasure || erasures.contains(where: { !author.hasSeen($0) }) else {
      return record
    }
    return record.map { rules.rules.settled(change.key, $0) }
  }
}
