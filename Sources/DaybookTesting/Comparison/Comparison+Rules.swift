/// Goal: compare rules and their effects.
///
/// Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func rules(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect("rules", { try snapshot.rules() }, { oracle.rules })
    guard asks() else { return }
    let limit = random.chance(50) ? 1_000 : random.number(0...3)
    expect(
      "\(limit) rows that rules would change",
      { try snapshot.rulePreview(limit: limit).map(\.pair) },
      { Array(oracle.preview(oracle.rules).prefix(limit)) })
    // Preview rules that aren't recorded.
    var tried = oracle.rules.filter { _ in random.chance(70) }
    for index in tried.indices where random.chance(40) {
      tried[index].isEnabled = true
      tried[index].category = random.pick(oracle.everyCategory).id
      tried[index].matchesAny.toggle()
      tried[index].continues.toggle()
      tried[index].tags = ["tried \(index)"]
      if random.chance(60) { tried[index].conditions = [.text(.any, .pattern, "*")] }
    }
    for number in 1...UInt64(random.number(1...3)) {
      var made = CategoryRule(
        id: RuleID(EntityID(high: 6, low: number)), number: 1_000 + number, name: "Made \(number)",
        conditions: [.text(.any, .pattern, "*")], category: random.pick(oracle.everyCategory).id)
      made.order = Int64(random.number(0...1))
      made.continues = random.chance(70)
      tried.append(made)
    }
    expect(
      "\(limit) rows that \(tried.map(\.name)) would change",
      { try snapshot.rulePreview(tried, limit: limit).map(\.pair) },
      { Array(oracle.preview(tried).prefix(limit)) })
  }
}

extension Oracle {
  /// Returns the transactions that rules would change, each with its changed version, newest first.
  func preview(_ rules: [CategoryRule]) -> [[Transaction]] {
    zip(transactions, changes(by: rules)).compactMap { row, new in new.map { [row, $0] } }
      .sorted { $0[0].key > $1[0].key }
  }
}

extension RulePreview {
  fileprivate var pair: [Transaction] { [transaction.compared, ruled.compared] }
}
