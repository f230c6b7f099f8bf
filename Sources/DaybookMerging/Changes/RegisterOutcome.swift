/// The outcome for one register when a commit is folded.
struct RegisterOutcome {
  let register: Register
  /// The current value before the commit, and its writer.
  let current: Contender
  /// The value that the commit wants to set, and its writer.
  let wanted: Contender
  /// Whether the commit wrote the register; otherwise the outcome comes from a clash, lock or
  /// balance.
  let isWritten: Bool
  /// Whether the commit's author had seen the previous value.
  let isSeen: Bool
  /// Whether the commit's value wins.
  var holds: Bool
  /// Whether a person is asked to decide, according to the ledger's policy.
  var asks: Bool
  /// The rule that decided the outcome.
  var rule = FindingRule.valueLost

  /// Whether the commit changed the value.
  var isChange: Bool { holds && current.bytes != wanted.bytes }

  /// Whether the register is a part of a property, and one of its values lost.
  var isLostPart: Bool {
    register.isPart && (rule == .valueLost || rule == .clash) && loss != nil
  }

  /// The value that lost, if the loss must be reported.
  ///
  /// Usually, a loss isn't reported if both values are equal, if a program made the lost value, or
  /// if an author replaced a value that they had seen. There are two exceptions. A program's value
  /// is reported if it is a parent that would close a cycle, or lost to a balanced part. A value
  /// that an author had seen is reported if it lost to a clash or a balanced part, because no
  /// author chose that.
  var loss: LostValue? {
    let (lost, won) = holds ? (current, wanted) : (wanted, current)
    if lost.bytes == won.bytes { return nil }
    if lost.writer?.isMade == true, rule != .cycle, rule != .balanced { return nil }
    if holds, isSeen, rule != .clash, rule != .balanced { return nil }
    return LostValue(register, lost: lost, won: won)
  }
}
