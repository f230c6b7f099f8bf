import Daybook
import DaybookInterchange

extension ImportPreview: Encodable {
  private enum Key: String, CodingKey {
    case mapping, rowCount, leftOut, rows, badLineCount, badLines, balances, questions, oddRows
    case doubts, next
  }

  private struct Question: Encodable {
    var about: String
    var message: String
    var flags: [String]
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
    let questions = questions.map { question in
      Question(
        about: question.subject.rawValue, message: question.message,
        flags: question.answers.map { GuessWords.flag($0.fact) })
    }
    try container.encode(questions, forKey: .questions)
    let oddRows = oddRows.map { odd in
      OddRow(message: odd.message, lines: odd.lines, flags: odd.rules.map(GuessWords.skip))
    }
    try container.encode(oddRows, forKey: .oddRows)
    try container.encode(doubts, forKey: .doubts)
    try container.encode(next, forKey: .next)
  }
}
