/// A rule that the naive model gets wrong, to see that the comparison notices.
enum NaiveFault: String, CaseIterable, Sendable {
  /// On a tie the value that was placed later stands.
  case tieGoesToNewcomer
  /// A clock is believed whatever the relay's says.
  case clockIsNotCapped
  /// An amendment that had not seen the deletion brings the entity back.
  case deletionLosesToAmendment
  /// Of a concurrent deletion and insertion or undeleting the later placed one stands.
  case deletionLosesToRevival
  /// Nobody is told of what was changed of an entity that was deleted by its flag meanwhile.
  case flaggedDeletionsAreNotTold
  /// Whoever undeletes must have seen the last deletion only.
  case lastDeletionOnly
  /// Whoever deletes must have seen the last insertion or undeleting only.
  case lastRevivalOnly
  /// A replica has not seen its own commits that its base does not cover.
  case ownCommitsAreUnseen
  /// A restored copy has not seen what it recorded under its old name.
  case continuationIsIgnored
  /// A restored copy counts as having seen everything ever written under its old name.
  case continuationHasNoEnd
  /// Two equal values make a finding.
  case equalValuesMakeAFinding
  /// What one has seen is compared by the clock all the same.
  case seenValuesAreCompared
  /// Pending commits are folded before the log.
  case pendingBeforeHead
  /// A program's row beats a person's amendment by its clock.
  case madeBeatsHand
  /// An insertion leaves the registers it does not name as they were.
  case reinsertionKeepsOldValues
  /// Undeleting writes every register.
  case undeletingWritesAll
  /// A parent is taken though it closes a cycle.
  case cyclesAreTaken
  /// Properties of a group are merged one by one.
  case groupsFallApart
  /// A commit that inserts again writes immutable registers.
  case immutableIsWritten
  /// Of two closings that had not seen each other the policy decides.
  case closingsAreMergedByPolicy
  /// Whoever closes is not told of what they had not seen.
  case closingsAreNotTold
  /// What had not seen a closing is taken all the same.
  case nothingIsHeld
  /// Of a commit only what touches what is closed is held.
  case heldApart
  /// What was made on top of what is held is merged.
  case nothingJoins
  /// A lock is merged as any other value.
  case locksAreMergedByPolicy
  /// A deletion stands against a lock that had not seen it.
  case deletionBeatsLock
  /// Text that had not seen an erasure is merged like any other.
  case textBeatsErasure
  /// An erasure leaves findings as they are.
  case findingsKeepErasedText
  /// An erasure leaves what is held as it is.
  case heldKeepsErasedText
  /// An insertion of a deleted entity gives it another recording number.
  case reinsertionIsNumberedAgain
  /// An entity takes in another one that another device took in or deleted.
  case absorptionsAreMerged
  /// What cannot stand together stands.
  case clashesStand
}
