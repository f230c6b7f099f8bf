import Daybook
import DaybookInterchange

/// A question with the flags that answer it.
struct QuestionAnswer: Encodable {
  private var about: String
  private var message: String
  private var flags: [String]

  init(_ question: MappingQuestion) {
    about = question.subject.rawValue
    message = question.message
    flags = question.answers.map { GuessWords.flag($0.fact) }
  }
}

extension ImportPreview: Encodable {
  private enum Key: String, CodingKey {
    case mapping, rowCount, leftOut, rows, badLineCount, badLines, balances, questions, oddRows
    case doubts, effects, next
  }

  private struct OddRow: Encodable {
    var message: String
    var lines: [Int]
    var flags: [String]
  }

  /// Encodes the mapping, the first ten rows as read with it, and the open questions.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(mapping, forKey: .mapping)
    try container.encode(file.rows.count, forKey: .rowCount)
    try container.encode(file.skippedCount, forKey: .leftOut)
    try container.encode(Array(file.rows.prefix(10)), forKey: .rows)
    try container.encode(file.badLineCount, forKey: .badLineCount)
    try container.encode(file.badLines.map { "\($0)" }, forKey: .badLines)
    try container.encode(file.mismatches.map { "\($0)" }, forKey: .balances)
    try container.encode(questions.map { QuestionAnswer($0) }, forKey: .questions)
    let oddRows = oddRows.map { odd in
      OddRow(message: odd.message, lines: odd.lines, flags: odd.rules.map(GuessWords.skip))
    }
    try container.encode(oddRows, forKey: .oddRows)
    try container.encode(doubts, forKey: .doubts)
    try container.encodeIfPresent(effects?.summary, forKey: .effects)
    try container.encode(next, forKey: .next)
  }
}
