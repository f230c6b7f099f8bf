/// What is known of a file before its mapping is guessed: the guess takes it as given and finds the rest.
public struct MappingFacts: Hashable, Sendable {
  /// One ASCII character, or `tab`.
  public var delimiter: String?
  /// How many physical lines stand before the header or the first row.
  public var skipLines: Int?
  /// Whether the first record names the columns.
  public var hasHeader: Bool?
  /// The column of the day.
  public var dateColumn: ColumnReference?
  /// A `DatePattern`.
  public var dateFormat: String?
  /// The column of the amount.
  public var amountColumn: ColumnReference?
  /// The columns of which the amount is the sum.
  public var amountSum: ColumnSum?
  /// Columns that hold something else, such as a fee: none of them is the amount.
  public var otherColumns: [ColumnReference] = []
  /// Whether a positive amount leaves the account.
  public var isInverted: Bool?
  /// The column of what goes out.
  public var debitColumn: ColumnReference?
  /// The column of what comes in.
  public var creditColumn: ColumnReference?
  /// The column that says which way the amount goes.
  public var typeColumn: ColumnReference?
  /// What the values of that column mean.
  public var directions: [String: ImportMapping.Direction] = [:]
  /// The decimal mark, `.` or `,`.
  public var decimal: String?
  /// The currency's code, or the column that names it.
  public var currency: ColumnTemplate?
  /// The account's name.
  public var account: ColumnTemplate?
  /// The description.
  public var description: ColumnTemplate?
  /// The payee.
  public var payee: ColumnTemplate?
  /// The column of the bank's balance.
  public var balanceColumn: ColumnReference?
  /// Rows to leave out.
  public var skipRows: [ImportMapping.RowRule] = []
  /// Rows that are to be taken though they look as if they were none of the account's.
  public var takeRows: [ImportMapping.RowRule] = []

  /// Facts; none by default.
  public init() {}
}

/// What a guess leaves open: the file can be read in more than one way, and the amounts or days differ.
public struct MappingQuestion: Hashable, Sendable {
  /// What is asked about.
  public enum Subject: String, Sendable, Hashable {
    /// Which of several columns is the amount.
    case amount
    /// Which currency the amounts are in.
    case currency
    /// Whether the day or the month comes first.
    case dateFormat
    /// Whether positive amounts come in or go out.
    case direction
    /// Whether rows that are not booked yet, or were cancelled, are to be taken.
    case state
    /// Whether a row is a balance and no transaction.
    case balanceRow
  }

  /// A fact that settles a question.
  public enum Fact: Hashable, Sendable {
    /// `MappingFacts.amountColumn`.
    case amountColumn(ColumnReference)
    /// `MappingFacts.debitColumn` and `MappingFacts.creditColumn`.
    case columns(debit: ColumnReference, credit: ColumnReference)
    /// `MappingFacts.currency`.
    case currency(ColumnTemplate)
    /// Any currency, by its code.
    case anyCurrency
    /// `MappingFacts.dateFormat`.
    case dateFormat(String)
    /// `MappingFacts.isInverted`.
    case isInverted(Bool)
    /// An element of `MappingFacts.skipRows`.
    case skipRows(ImportMapping.RowRule)
    /// An element of `MappingFacts.takeRows`.
    case takeRows(ImportMapping.RowRule)
  }

  /// One of the answers.
  public struct Answer: Hashable, Sendable {
    /// What is true then.
    public var fact: Fact
    /// What that means, in some words; empty where the fact says it.
    public var meaning: String
  }

  /// What is asked about.
  public var subject: Subject
  /// What is open and why, in a sentence.
  public var message: String
  /// The answers; the guess has taken the first one meanwhile.
  public var answers: [Answer]

  init(_ subject: Subject, _ message: String, _ answers: [(Fact, String)]) {
    self.subject = subject
    self.message = message
    self.answers = answers.map { Answer(fact: $0.0, meaning: $0.1) }
  }
}
