import Daybook
import DaybookInterchange

/// The questions about a guessed mapping in terms of command-line flags.
enum GuessWords {
  /// Returns the flag that states a fact, as typed by a user.
  static func flag(_ fact: MappingQuestion.Fact) -> String {
    switch fact {
    case .amountColumn(let column): "--amount-column \(quoted("\(column)"))"
    case .columns(let debit, let credit):
      "--debit-column \(quoted("\(debit)")) --credit-column \(quoted("\(credit)"))"
    case .currency(let template): "--currency \(quoted(template.text))"
    case .anyCurrency: "--currency CODE"
    case .dateFormat(let format): "--date-format \(quoted(format))"
    case .isInverted(let isInverted): isInverted ? "--inverted" : "--no-inverted"
    case .fee(let fee):
      "--fee-column \(quoted(fee.amount.text.filter { !"{}".contains($0) }))"
        + (fee.isIncluded ? " --fee-included" : "") + (fee.isInverted ? " --fee-inverted" : "")
    case .ignoredColumn(let column): "--ignore-column \(quoted("\(column)"))"
    case .decimal(let mark): "--decimal \(mark)"
    case .skipRows(let rule): flag("--skip-rows", rule)
    case .takeRows(let rule): flag("--take-rows", rule)
    }
  }

  static func skip(_ rule: ImportMapping.RowRule) -> String { flag("--skip-rows", rule) }

  private static func flag(_ name: String, _ rule: ImportMapping.RowRule) -> String {
    let column = rule.column.map { "\($0)" } ?? ""
    let value = rule.beginsWith.map { "\($0)*" } ?? rule.equals?.first ?? ""
    return "\(name) \(quoted("\(column)=\(value)"))"
  }

  /// A text as one word for a shell, quoted if necessary.
  static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy {
      $0.isLetter || $0.isNumber || "-_./,:=+@%".contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// The question and the flags that answer it, in one line.
  static func line(_ question: MappingQuestion) -> String {
    "\(question.message) Add \(answers(to: question))."
  }

  /// Returns the failure of an import with `--guess` for which questions remain open.
  ///
  /// The message is the only question; several are details.
  static func refusal(_ questions: [MappingQuestion], of path: String) -> CommandFailure {
    if let only = questions.first, questions.count == 1 {
      return CommandFailure(
        .usage, code: "ambiguous", "\(path): \(only.message)",
        remedy: "Add \(answers(to: only)); --preview shows the result. Nothing was recorded.")
    }
    return CommandFailure(
      .usage, code: "ambiguous",
      "\(path): Couldn't import: \(questions.count) questions are open.",
      remedy: "Add a flag for each of them; --preview shows the result. Nothing was recorded.",
      details: questions.map(line))
  }

  /// Adds the flags that skip the bad lines by value to an error about bad lines.
  ///
  /// Returns the error unchanged if the flags can't cover all odd rows, or if there would be more
  /// than five.
  static func naming(
    _ error: InterchangeError, _ file: CSVFile, _ mapping: ImportMapping,
    _ accountCurrencies: [String: Currency]
  ) -> InterchangeError {
    let read = try? MappedFile(file, mapping: mapping, accountCurrencies: accountCurrencies)
    let odd = read?.oddRows(of: file, mapping: mapping) ?? []
    let rules = odd.flatMap(\.rules)
    guard !odd.isEmpty, rules.count <= 5, odd.allSatisfy({ !$0.rules.isEmpty }) else {
      return error
    }
    var error = error
    error.remedy += " To skip them by value, add \(rules.map(skip).joined(separator: " "))."
    return error
  }

  private static func answers(to question: MappingQuestion) -> String {
    list(
      question.answers.map { answer in
        flag(answer.fact) + (answer.meaning.isEmpty ? "" : " (\(answer.meaning))")
      })
  }

  static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
