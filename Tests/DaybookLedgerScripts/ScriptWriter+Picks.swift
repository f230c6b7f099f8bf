/// Goal: what a script's commands name: mostly what is there, now and then what is not. Method: see
/// `ScriptWriter`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func status() -> Status {
    random.chance(85) ? .cleared : random.pick(Status.allCases)
  }

  package mutating func accountID() -> AccountID {
    switch random.number(0...99) {
    case 0..<2: return fresh()
    case 2..<6: return random.pick([.outside, .opening, .exchange])
    default: return random.some(oracle.accounts.map(\.id)) ?? fresh()
    }
  }

  package mutating func categoryID(_ kind: CategoryKind? = nil) -> CategoryID {
    if random.chance(2) { return fresh() }
    if random.chance(5) { return random.pick([.uncategorizedExpense, .uncategorizedIncome]) }
    let kind = random.chance(4) ? nil : kind
    let fitting = oracle.categories.filter { kind == nil || $0.kind == kind }
    return random.some(fitting.map(\.id)) ?? fresh()
  }

  package mutating func ruleID() -> RuleID {
    random.chance(5) ? fresh() : random.some(oracle.rules.map(\.id)) ?? fresh()
  }

  package mutating func transactionID() -> TransactionID {
    if random.chance(5) { return random.some(past.map(\.id)) ?? fresh() }
    // The newest are amended most.
    let ids = oracle.transactions.map(\.id)
    return random.some(random.chance(50) ? ids.suffix(4) : ids) ?? fresh()
  }
}
