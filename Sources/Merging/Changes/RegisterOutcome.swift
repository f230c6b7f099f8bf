/// What became of one register when a commit was folded.
struct RegisterOutcome {
  let register: Register
  /// What stood before the commit, and who wrote it.
  let stood: Contender
  /// What the commit would have stand.
  let wanted: Contender
  /// Whether the commit wrote the register itself. (If not, it is one that a clash decided.)
  let isWritten: Bool
  /// Whether what stood had been seen by the commit's author.
  let isSeen: Bool
  /// Whether what the commit wanted holds.
  var holds: Bool
  /// Whether the ledger's policy decided it, and wants somebody asked.
  var asks: Bool
  /// The rule that decided.
  var rule = FindingRule.valueLost

  /// Whether the commit changed what stands.
  var isChange: Bool { holds && stood.bytes != wanted.bytes }

  /// Whether it is a part of a property, and a value of it lost.
  var isLostPart: Bool {
    register.isPart && (rule == .valueLost || rule == .clash) && loss != nil
  }

  /// What lost, if somebody is to be told.
  ///
  /// Nobody is where both values are equal, where a program made the one that lost (but a parent that
  /// it made and that closes a cycle did not lose to its like), and where an author replaced what they
  /// had seen. (Not so in a clash, and where a part takes the rest: nobody decided that.)
  var loss: LostValue? {
    let (lost, won) = holds ? (stood, wanted) : (wanted, stood)
    if lost.bytes == won.bytes { return nil }
    if lost.writer?.isMade == true, rule != .cycle, rule != .balanced { return nil }
    if holds, isSeen, rule != .clash, rule != .balanced { return nil }
    return LostValue(register, lost: lost, won: won)
  }
}
