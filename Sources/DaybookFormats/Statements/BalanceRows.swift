import DaybookBookkeeping

/// Rows of a bank file that may state a balance instead of a transaction, such as “Saldo anterior”.
extension StatementRow {
  /// Whether the row's texts name a balance.
  public var looksLikeBalance: Bool { balanceText != nil }

  /// The text that names a balance, and the property that contains it.
  fileprivate var balanceText: (column: String, text: String)? {
    guard amount.minorUnits != 0 else { return nil }
    for (column, text) in [("description", description), ("payee", payee)] where !text.isEmpty {
      if GuessTable.namesBalance(text) { return (column, text) }
    }
    return nil
  }

  /// Returns whether a rule about the description, payee or note applies to the row.
  package func matches(_ rule: ImportMapping.RowRule) -> Bool {
    guard let column = rule.column else { return false }
    let text =
      switch "\(column)".lowercased() {
      case "description": description
      case "payee": payee
      case "note": note
      default: ""
      }
    guard !text.isEmpty else { return false }
    let key = Folding.key(text)
    return rule.equals?.contains { Folding.key($0) == key } == true
      || rule.beginsWith.map { key.hasPrefix(Folding.key($0)) } == true
  }
}

extension FileContents {
  /// Returns a question for each text in the rows that names a balance, unless a rule already
  /// covers it.
  ///
  /// Recording a balance as a transaction makes all later balances wrong. The columns of the rules
  /// are `description`, `payee` and `note`.
  public func balanceQuestions(settledBy rules: [ImportMapping.RowRule]) -> [MappingQuestion] {
    var questions: [MappingQuestion] = []
    var seen: Set<String> = []
    for row in statements.lazy.flatMap(\.rows) {
      guard let (column, text) = row.balanceText, !rules.contains(where: { row.matches($0) }),
        seen.insert(Folding.key(text)).inserted
      else { continue }
      let rule = ImportMapping.RowRule(column: .name(column), equals: [text])
      questions.append(
        MappingQuestion(
          .balanceRow,
          "The \(column) “\(text)” on line \(row.line) may be a balance instead of a transaction.",
          [(.skipRows(rule), "skips it"), (.takeRows(rule), "imports it")]))
      if questions.count == 20 { break }
    }
    return questions
  }
}
