import DaybookEntities

extension ChangeMerge {
  /// Reports the changes that one side made to an entity that the other side deleted by its flag,
  /// if the later author hadn't seen the earlier commit.
  ///
  /// It is called once the outcome of every register is known.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  mutating func tellWhatTheFlagMeets() throws(DecodingFault) {
    guard let flag = map.rules.deletionFlag, change.before != nil, change.after != nil,
      !state.isDeleted, flag.isSet(values[flag.register])
    else { return }
    if flag.isSet(current[flag.register]) {
      tellWhatTheFlaggedKeeps(flag)
    } else if outcomes.contains(where: { $0.register == flag.register && $0.isChange }) {
      try tellWhatTheFlagDidNotSee(flag)
    }
  }

  /// Reports the values of an amendment whose author hadn't seen the deletion; they are kept.
  private mutating func tellWhatTheFlaggedKeeps(_ flag: KindRules.DeletionFlag) {
    guard let deletion = before.writer(of: flag.register), !author.hasSeen(deletion),
      !flag.isSet(after[flag.register])
    else { return }
    for outcome in outcomes where outcome.isWritten && outcome.isChange {
      stands.append(
        LostValue(
          outcome.register, lost: outcome.wanted, won: Contender([], by: deletion)))
    }
  }

  /// Reports the values that the author of the deletion hadn't seen; they are also kept.
  private mutating func tellWhatTheFlagDidNotSee(
    _ flag: KindRules.DeletionFlag
  ) throws(DecodingFault) {
    let known = try map.values(of: change.before ?? Record())
    let erased = erasedRegisters
    let decided = Set(outcomes.lazy.filter { $0.isWritten || $0.isChange }.map(\.register))
    for standing in before.writers where isNews(standing.writer) {
      let register = standing.register
      guard !decided.contains(register), !erased.contains(register),
        known[register] != current[register]
      else { continue }
      let lost = Contender(current[register], by: standing.writer)
      stands.append(LostValue(register, lost: lost, won: Contender([], by: writer)))
    }
  }
}
