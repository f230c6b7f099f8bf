extension ChangeMerge {
  /// Merges the entity's existence: a deletion wins over every change whose author hadn't seen it.
  mutating func mergeExistence() {
    if change.isErasureAlone { return }
    if change.after == nil {
      delete()
    } else if isRevival {
      revive()
    } else {
      reviveWhatIsLocked()
    }
  }

  private mutating func delete() {
    if before.exists, case .standing(let lock) = side {
      beaten.append(
        LostValue(.existence, lost: Contender([], by: writer), won: Contender([], by: lock)))
      return
    }
    if before.exists { tellWhatWasUnseen() }
    state.isDeleted = true
    state.deletions.append(writer)
    state.revivals = []
  }

  /// Reports the values that the author of a deletion hadn't seen; they are kept in the tombstone.
  private mutating func tellWhatWasUnseen() {
    for standing in before.writers where isNews(standing.writer) {
      let lost = Contender(current[standing.register], by: standing.writer)
      stands.append(LostValue(standing.register, lost: lost, won: Contender([], by: writer)))
    }
    if let revival = before.revivals.last(where: isNews) {
      let lost = Contender([], by: revival)
      stands.append(LostValue(.existence, lost: lost, won: Contender([], by: writer)))
    }
  }

  /// Returns whether a person wrote a value that the change's author hadn't seen, given its writer.
  func isNews(_ writer: Writer) -> Bool { !writer.isMade && !author.hasSeen(writer) }

  /// The last deletion still in force that the author hadn't seen.
  var unseenDeletion: Writer? { before.deletions.last { !author.hasSeen($0) } }

  private mutating func revive() {
    state.isInserted = true
    if before.isDeleted, let deletion = unseenDeletion {
      if writer.isMade { return }
      let lost = Contender([], by: writer)
      stands.append(LostValue(.existence, lost: lost, won: Contender([], by: deletion)))
    } else {
      state.isDeleted = false
      state.deletions = []
      if !writer.isMade { state.revivals.append(writer) }
    }
  }

  /// Reports the registers of a tombstone that an amendment changed.
  ///
  /// There are two cases. The amendment's author hadn't seen the deletion; or the author made the
  /// deletion, but at the time of the amendment, it was deferred by a closing that has since been
  /// undone. This method is called once the outcome of every register is known.
  mutating func tellWhatTheTombstoneKeeps() {
    guard change.before != nil, change.after != nil, state.isDeleted else { return }
    let won = Contender([], by: unseenDeletion ?? before.deletions.last)
    for outcome in outcomes where outcome.isWritten && outcome.isChange {
      stands.append(LostValue(outcome.register, lost: outcome.wanted, won: won))
    }
  }
}
