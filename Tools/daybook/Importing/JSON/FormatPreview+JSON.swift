import Daybook
import DaybookInterchange

extension FormatPreview: Encodable {
  private enum Key: String, CodingKey {
    case format, statements, transactions, accounts, badLineCount, badLines, notices, questions
    case effects, next
  }

  private struct AccountLine: Encodable {
    var name: String
    var kind: AccountKind
    var currency: Currency
  }

  /// Encodes the contents with the first ten rows of each statement.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .format)
    try container.encode(contents.statements.map { StatementAnswer($0) }, forKey: .statements)
    try container.encode(contents.books?.transactions.count ?? 0, forKey: .transactions)
    let accounts = contents.books?.accounts ?? []
    try container.encode(
      accounts.map { AccountLine(name: $0.name, kind: $0.kind, currency: $0.currency) },
      forKey: .accounts)
    try container.encode(contents.badLineCount, forKey: .badLineCount)
    try container.encode(contents.badLines.map { "\($0)" }, forKey: .badLines)
    try container.encode(contents.notices.map { "\($0)" }, forKey: .notices)
    try container.encode(questions.map { QuestionAnswer($0) }, forKey: .questions)
    try container.encodeIfPresent(effects?.summary, forKey: .effects)
    if contents.badLineCount == 0 { try container.encode(next, forKey: .next) }
  }
}

/// A statement with its first rows.
private struct StatementAnswer: Encodable {
  var account: String
  var numbers: [String]
  var rowCount: Int
  var rows: [StatementRow]
  var opening: StatedBalance?
  var closing: StatedBalance?
  var difference: Total?

  init(_ statement: Statement) {
    account = statement.account.words
    numbers = statement.account.identifiers
    rowCount = statement.rows.count
    rows = Array(statement.rows.prefix(10))
    opening = statement.opening
    closing = statement.closing
    difference = statement.difference
  }
}
