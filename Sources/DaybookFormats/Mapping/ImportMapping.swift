/// The meaning of the columns in a bank's CSV file.
///
/// The date, amount and account are required. All other properties have defaults. A mapping file is
/// this structure as JSON; `Docs/Import.md` describes all keys. An unknown key is an error, so that
/// a misspelled key isn't silently ignored.
public struct ImportMapping: Hashable, Sendable {
  /// The handling of rows that have more or fewer columns than the header or the first row.
  public enum RaggedRows: String, CaseIterable, Codable, Sendable {
    /// The row is a bad line.
    case refuse
    /// Missing columns are treated as empty, and additional columns are ignored.
    case allow
  }

  /// A condition under which a row is skipped without being reported as a bad line.
  public struct RowRule: Hashable, Sendable {
    /// The column to test.
    ///
    /// Without a column, the whole row must be blank, unless `fewerColumnsThan` is set.
    public var column: ColumnReference?
    /// The values to match, compared without surrounding blanks.
    ///
    /// An empty string matches a blank column.
    public var equals: [String]?
    /// The prefix to match.
    public var beginsWith: String?
    /// The number of columns; rows with fewer columns are skipped.
    public var fewerColumnsThan: Int?

    /// Creates a rule.
    public init(
      column: ColumnReference? = nil, equals: [String]? = nil, beginsWith: String? = nil,
      fewerColumnsThan: Int? = nil
    ) {
      self.column = column
      self.equals = equals
      self.beginsWith = beginsWith
      self.fewerColumnsThan = fewerColumnsThan
    }
  }

  /// The column of the date, and its format.
  public struct DateColumn: Hashable, Sendable {
    /// The column.
    public var column: ColumnReference
    /// The format, a ``DatePattern``.
    public var format: String
    /// The limit for two-digit years: lower numbers are in the 2000s.
    public var pivot: Int

    /// Creates the mapping of a date column.
    public init(column: ColumnReference, format: String = "yyyy-MM-dd", pivot: Int = 70) {
      self.column = column
      self.format = format
      self.pivot = pivot
    }
  }

  /// The direction of a payment.
  public enum Direction: String, CaseIterable, Codable, Sendable {
    /// A payment into the account.
    case `in`
    /// A payment out of the account.
    case out
    /// No payment: the row is skipped.
    case skip
  }

  /// The columns of the amount and of its direction.
  ///
  /// There are three forms:
  ///
  /// - A signed `column`, or a `sum` of columns.
  /// - A `column` or `sum`, with a `type` column that determines the direction.
  /// - A `debit` and a `credit` column, one of which is empty or zero in each row.
  public struct AmountColumns: Hashable, Sendable {
    /// The column of the amount.
    public var column: ColumnReference?
    /// The columns that add up to the amount, instead of `column`.
    public var sum: ColumnSum?
    /// Whether positive amounts are outgoing, as on credit card statements.
    public var isInverted: Bool
    /// The column of outgoing amounts.
    ///
    /// Its sign is ignored.
    public var debit: ColumnReference?
    /// The column of incoming amounts.
    ///
    /// Its sign is ignored.
    public var credit: ColumnReference?
    /// The column that determines the direction.
    ///
    /// If set, negative amounts are bad lines.
    public var type: ColumnReference?
    /// The directions by the values of `type`.
    public var directions: [String: Direction]
    /// The direction for any other value of `type`.
    ///
    /// If `nil`, rows with other values are bad lines.
    public var otherwise: Direction?

    /// Creates the mapping of the amount columns.
    public init(
      column: ColumnReference? = nil, isInverted: Bool = false, debit: ColumnReference? = nil,
      credit: ColumnReference? = nil, type: ColumnReference? = nil,
      directions: [String: Direction] = [:], otherwise: Direction? = nil
    ) {
      self.column = column
      self.isInverted = isInverted
      self.debit = debit
      self.credit = credit
      self.type = type
      self.directions = directions
      self.otherwise = otherwise
    }
  }

  /// The number format.
  public struct Numbers: Hashable, Sendable {
    /// The decimal mark, `.` or `,`.
    public var decimal: String
    /// The characters that may separate groups of three digits; `nil` for the usual separators,
    /// `""` for none.
    public var grouping: String?
    /// Additional symbols that may appear before or after an amount.
    public var symbols: [String]

    /// Creates a number format.
    public init(decimal: String = ".", grouping: String? = nil, symbols: [String] = []) {
      self.decimal = decimal
      self.grouping = grouping
      self.symbols = symbols
    }
  }

  /// The other account of rows that are transfers.
  public struct Transfer: Hashable, Sendable {
    /// The name of the other account.
    ///
    /// If the name is blank, the row isn't a transfer.
    public var account: ColumnTemplate
    /// The column of the amount in the other account's currency, if the currencies differ.
    public var amount: ColumnReference?
    /// The other account's currency, if it differs from the row's.
    public var currency: ColumnTemplate?

    /// Creates the mapping of transfers.
    public init(
      account: ColumnTemplate, amount: ColumnReference? = nil, currency: ColumnTemplate? = nil
    ) {
      self.account = account
      self.amount = amount
      self.currency = currency
    }
  }

  /// The column of the balance after each row.
  public struct BalanceColumn: Hashable, Sendable {
    /// The column.
    public var column: ColumnReference
    /// Whether the newest row comes first in the file.
    public var isNewestFirst: Bool

    /// Creates the mapping of a balance column.
    public init(column: ColumnReference, isNewestFirst: Bool = false) {
      self.column = column
      self.isNewestFirst = isNewestFirst
    }
  }

  /// The encoding of the file; `nil` to guess it.
  public var encoding: TextEncoding?
  /// The delimiter: one ASCII character, or `tab`.
  public var delimiter = ","
  /// The quote character; `""` if quotes have no special meaning.
  public var quote = "\""
  /// The number of physical lines before the header or the first row.
  public var skipLines = 0
  /// Whether the first record contains the names of the columns.
  public var hasHeader = true
  /// The handling of rows with a different number of columns.
  public var ragged = RaggedRows.refuse
  /// The rules for rows to skip.
  public var skipRows: [RowRule] = []
  /// The date.
  public var date: DateColumn
  /// The amount.
  public var amount: AmountColumns
  /// The number format of amounts.
  public var numbers = Numbers()
  /// The currency, as an ISO code; empty for the currency of each row's account.
  public var currency: ColumnTemplate
  /// The name of the account.
  public var account: ColumnTemplate
  /// The category and its subcategories, from the top.
  ///
  /// Blank levels are omitted.
  public var category: [ColumnTemplate] = []
  /// The description.
  public var description: ColumnTemplate?
  /// The payee.
  public var payee: ColumnTemplate?
  /// The note.
  public var note: ColumnTemplate?
  /// The tags.
  ///
  /// Blank tags are omitted.
  public var tags: [ColumnTemplate] = []
  /// The other account of transfers.
  public var transfer: Transfer?
  /// The balance after each row.
  public var balance: BalanceColumn?
  /// The bank's fee for a row.
  public var fee: Fee?
  /// The amount in another currency.
  public var original: Original?
  /// The currency of rows whose currency is blank.
  public var blankCurrency = BlankCurrency.refuse
  /// Replacements for the values of columns in templates, by column.
  ///
  /// For example, `["k_symbol": ["UROK": "Interest"]]` replaces `UROK` in the column `k_symbol`.
  public var values: [String: [String: String]] = [:]

  /// Creates a mapping with the required columns.
  public init(
    date: DateColumn, amount: AmountColumns, currency: ColumnTemplate, account: ColumnTemplate
  ) {
    self.date = date
    self.amount = amount
    self.currency = currency
    self.account = account
  }
}
