extension ChangeMerge {
  /// Merges whether the entity exists: a deletion stands against everything that had not seen it.
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

  /// What the author of a deletion had not seen of the entity stays with the tombstone, and is told.
  private mutating func tellWhatWasUnseen() {
    for standing in before.writers where isNews(standing.writer) {
      let lost = Contender(stood[standing.register], by: standing.writer)
      stands.append(LostValue(standing.register, lost: lost, won: Contender([], by: writer)))
    }
    if let revival = before.revivals.last(where: isNews) {
      let lost = Contender([], by: revival)
      stands.append(LostValue(.existence, lost: lost, won: Contender([], by: writer)))
    }
  }

  /// Whether a person wrote it whom the change's author had not seen write.
  func isNews(_ writer: Writer) -> Bool { !writer.isMade && !author.hasSeen(writer) }

  /// The last placed deletion in force that the author had not seen.
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

  /// Puts down what an amendment changed of a tombstone.
  ///
  /// Its author had not seen the deletion; or it is their own, and was held when they made the amendment, by a
  /// closing that has been taken back since. Called when the fate of every register is known.
  mutating func tellWhatTheTombstoneKeeps() {
    guard change.before != nil, change.after != nil, state.isDeleted else { return }
    let won = Contender([], by: unseenDeletion ?? before.deletions.last)
    for outcome in outcomes where outcome.isWritten && outcome.isChange {
      stands.append(LostValue(outcome.register, lost: outcome.wanted, won: won))
    }
  }
}
