/// Known facts about a file, for guessing its mapping.
public struct MappingFacts: Hashable, Sendable {
  /// The delimiter: one ASCII character, or `tab`.
  public var delimiter: String?
  /// The number of physical lines before the header or the first row.
  public var skipLines: Int?
  /// Whether the first record contains the names of the columns.
  public var hasHeader: Bool?
  /// The column of the date.
  public var dateColumn: ColumnReference?
  /// The date format, a ``DatePattern``.
  public var dateFormat: String?
  /// The column of the amount.
  public var amountColumn: ColumnReference?
  /// The columns that add up to the amount.
  public var amountSum: ColumnSum?
  /// Columns that contain other numbers, such as a fee, and aren't the amount.
  public var otherColumns: [ColumnReference] = []
  /// The bank's fee for each row.
  public var fee: ImportMapping.Fee?
  /// Whether positive amounts are outgoing.
  public var isInverted: Bool?
  /// The column of outgoing amounts.
  public var debitColumn: ColumnReference?
  /// The column of incoming amounts.
  public var creditColumn: ColumnReference?
  /// The column that determines the direction of amounts.
  public var typeColumn: ColumnReference?
  /// The directions by the values of `typeColumn`.
  public var directions: [String: ImportMapping.Direction] = [:]
  /// The decimal mark, `.` or `,`.
  public var decimal: String?
  /// The currency, as a code or a column.
  public var currency: ColumnTemplate?
  /// The name of the account.
  public var account: ColumnTemplate?
  /// The description.
  public var description: ColumnTemplate?
  /// The payee.
  public var payee: ColumnTemplate?
  /// The column of the balance after each row.
  public var balanceColumn: ColumnReference?
  /// Rows to skip.
  public var skipRows: [ImportMapping.RowRule] = []
  /// Rows to import even though they don't look like transactions.
  public var takeRows: [ImportMapping.RowRule] = []

  /// Creates an empty set of facts.
  public init() {}
}

/// A question that the guess couldn't answer, because the file has several interpretations with
/// different amounts or dates.
public struct MappingQuestion: Hashable, Sendable {
  /// The subject of a question.
  public enum Subject: String, Sendable, Hashable {
    /// The column that contains the amount.
    case amount
    /// The currency of the amounts.
    case currency
    /// Whether the day or the month comes first.
    case dateFormat
    /// Whether positive amounts are incoming or outgoing.
    case direction
    /// Whether to import rows that aren't booked yet or were cancelled.
    case state
    /// Whether a row is a balance rather than a transaction.
    case balanceRow
    /// Whether a fee is charged in addition to the amount.
    case fee
    /// The mark that separates the decimals.
    case decimal
  }

  /// A fact that answers a question.
  public enum Fact: Hashable, Sendable {
    /// A value for `MappingFacts.amountColumn`.
    case amountColumn(ColumnReference)
    /// Values for `MappingFacts.debitColumn` and `MappingFacts.creditColumn`.
    case columns(debit: ColumnReference, credit: ColumnReference)
    /// A value for `MappingFacts.currency`.
    case currency(ColumnTemplate)
    /// A currency code that the user has to provide.
    case anyCurrency
    /// A value for `MappingFacts.dateFormat`.
    case dateFormat(String)
    /// A value for `MappingFacts.isInverted`.
    case isInverted(Bool)
    /// A value for `MappingFacts.fee`.
    case fee(ImportMapping.Fee)
    /// An element of `MappingFacts.otherColumns`.
    case ignoredColumn(ColumnReference)
    /// A value for `MappingFacts.decimal`.
    case decimal(String)
    /// An element of `MappingFacts.skipRows`.
    case skipRows(ImportMapping.RowRule)
    /// An element of `MappingFacts.takeRows`.
    case takeRows(ImportMapping.RowRule)
  }

  /// A possible answer to a question.
  public struct Answer: Hashable, Sendable {
    /// The fact to add if this answer is chosen.
    public var fact: Fact
    /// A short explanation of the answer; empty if the fact is self-explanatory.
    public var meaning: String
  }

  /// The subject of the question.
  public var subject: Subject
  /// A sentence that explains the question.
  public var message: String
  /// The possible answers.
  ///
  /// The guessed mapping uses the first answer.
  public var answers: [Answer]

  init(_ subject: Subject, _ message: String, _ answers: [(Fact, String)]) {
    self.subject = subject
    self.message = message
    self.answers = answers.map { Answer(fact: $0.0, meaning: $0.1) }
  }
}
