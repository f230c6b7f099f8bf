/// Goal: rules of every condition and action, and all that can be done with them. Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func ruleCommand() -> Command {
    let known = random.some(oracle.rules)
    switch random.number(0...19) {
    case 0..<7: return .applyRules(nil)
    case 7..<9:
      let some = oracle.rules.map(\.id).filter { _ in random.chance(60) }
      return .applyRules(random.chance(5) ? some + [fresh()] : some)
    case 9: return .removeRule(random.chance(10) ? fresh() : known?.id ?? fresh())
    case 10, 11: return .setRules(ruleSet())
    default:
      guard var next = known, random.chance(60) else { return .putRule(rule(fresh())) }
      for _ in 0..<random.number(1...2) { change(&next) }
      return .putRule(next)
    }
  }

  /// The rules as an app may save them: some gone, some changed, some new.
  private mutating func ruleSet() -> [CategoryRule] {
    var set = oracle.rules.filter { _ in random.chance(80) }
    for index in set.indices where random.chance(30) { change(&set[index]) }
    if random.chance(50) { set.append(rule(fresh())) }
    if random.chance(20) { set.reverse() }
    return set
  }

  private mutating func change(_ rule: inout CategoryRule) {
    switch random.number(0...7) {
    case 0..<3: rule.category = random.chance(15) ? nil : categoryID()
    case 3: rule.conditions = conditions()
    case 4: rule.isEnabled.toggle()
    case 5:
      rule.matchesAny.toggle()
      if rare.chance(50) { rule.payee = rare.pick(["", "Rewe", "tea"]) }
    case 6:
      rule.continues.toggle()
      rule.order = Int64(random.number(-1...2))
    default:
      rule.description = random.pick(["", "Ride", "bread"])
      rule.tags = tags()
    }
  }

  package mutating func rule(_ id: RuleID) -> CategoryRule {
    var rule = CategoryRule(
      id: id, name: random.chance(2) ? " " : " Rule \(random.number(0...9))",
      conditions: conditions(), category: random.chance(12) ? nil : categoryID(.expense))
    if random.chance(25) { rule.category = categoryID(.income) }
    rule.order = Int64(random.number(0...2))
    rule.isEnabled = random.chance(90)
    rule.matchesAny = random.chance(40)
    rule.continues = random.chance(40)
    if random.chance(35) { rule.description = random.pick(["Ride", "caf\u{e9}", "Uber"]) }
    if random.chance(30) { rule.tags = random.pick([["auto"], ["home", "auto"], ["Food"]]) }
    if rare.chance(25) { rule.payee = rare.pick(["Rewe", "Caf\u{e9}", "Uber"]) }
    if rare.chance(25) {
      rule.transferAccount = rare.some(oracle.accounts.map(\.id))
      if rare.chance(95) { rule.category = nil }
    }
    return rule
  }

  private mutating func conditions() -> [RuleCondition] {
    // Several rules must match one row for their order to matter.
    if random.chance(30) { return [.text(.any, .pattern, "*")] }
    return (0..<(random.chance(2) ? 0 : random.chance(70) ? 1 : random.number(2...3))).map { _ in
      condition()
    }
  }

  private mutating func condition() -> RuleCondition {
    switch random.number(0...9) {
    case 0..<6:
      return .text(random.pick(RuleField.allCases), random.pick(RuleMatch.allCases), ruleText())
    case 6: return .account(accountID())
    case 7: return .type(random.pick(TransactionType.allCases))
    default:
      let (one, other) = (Int64(random.number(-200...2_500)), Int64(random.number(0...99_999)))
      let isTurned = random.chance(4)
      let first = currency()
      let second = random.chance(2) ? currency() : first
      return .amount(
        from: random.chance(20) ? nil : Money(isTurned ? max(one, other) : min(one, other), first),
        through: random.chance(20)
          ? nil : Money(isTurned ? min(one, other) : max(one, other), second))
    }
  }

  /// What rules look for: mostly a part of what texts are there, or a pattern of one.
  private mutating func ruleText() -> String {
    random.pick([
      "bread", "BREAD ", "tea", "tea and  milk", "caf\u{e9}", "CAFE\u{301}", "cafe", "uber", "Ub",
      "e", "stra\u{df}e", "\u{1F4B6}", "\u{65e9}\u{9910}", "\u{451}\u{43b}", "zurich", "  ",
      "*", "?ber", "*e*", "b*d", "*milk", "tea*", "caf?", "cafe*", "*\u{9910}?tea", "* and *",
    ])
  }
}
