/// The outcome of one register when a commit was folded.
struct RegisterOutcome {
  let register: Register
  /// The current value before the commit, and its writer.
  let stood: Contender
  /// The value that the commit wants, and its writer.
  let wanted: Contender
  /// Whether the commit wrote the register itself; otherwise a clash or a lock decided it.
  let isWritten: Bool
  /// Whether the commit's author had seen the previous value.
  let isSeen: Bool
  /// Whether the commit's value wins.
  var holds: Bool
  /// Whether the ledger's policy decided it, and asks a person.
  var asks: Bool
  /// The rule that decided.
  var rule = FindingRule.valueLost

  /// Whether the commit changed the value.
  var isChange: Bool { holds && stood.bytes != wanted.bytes }

  /// Whether it is a part of a property for which a value lost.
  var isLostPart: Bool {
    register.isPart && (rule == .valueLost || rule == .clash) && loss != nil
  }

  /// The value that lost, if the loss is to be reported.
  ///
  /// A loss isn't reported if both values are equal, if a program made the lost value, or if an
  /// author replaced a value that they had seen. There are exceptions. A program's parent that
  /// would close a cycle is reported. Values that an author had seen are reported if they lost to a
  /// clash or to a balanced part, because nobody decided that.
  var loss: LostValue? {
    let (lost, won) = holds ? (stood, wanted) : (wanted, stood)
    if lost.bytes == won.bytes { return nil }
    if lost.writer?.isMade == true, rule != .cycle, rule != .balanced { return nil }
    if holds, isSeen, rule != .clash, rule != .balanced { return nil }
    return LostValue(register, lost: lost, won: won)
  }
}
