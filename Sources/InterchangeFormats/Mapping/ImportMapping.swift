/// What the columns of a bank's CSV file mean: the contents of a mapping file.
///
/// Everything but the date, the amount, the currency and the account has a default. A mapping file
/// is this structure as JSON; `Docs/Import.md` describes every key. A key that does not exist is
/// refused, so that a misspelt one is not silently without effect.
public struct ImportMapping: Hashable, Sendable {
  /// What to do with a row that has more or fewer columns than the first one.
  public enum RaggedRows: String, CaseIterable, Codable, Sendable {
    /// It is a bad line.
    case refuse
    /// Missing columns are empty, further ones are ignored.
    case allow
  }

  /// A condition under which a row is left out without being bad.
  public struct RowRule: Hashable, Sendable {
    /// The column that is looked at; without one, the whole row must be blank.
    public var column: ColumnReference?
    /// The values it may have, compared without the blanks around them; an empty one is blank.
    public var equals: [String]?
    /// A text it begins with.
    public var beginsWith: String?
    /// The row has fewer columns than this.
    public var fewerColumnsThan: Int?

    /// A rule.
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

  /// Where the day is.
  public struct DateColumn: Hashable, Sendable {
    /// The column.
    public var column: ColumnReference
    /// A `DatePattern`.
    public var format: String
    /// Years of two digits below it are in the 2000s.
    public var pivot: Int

    /// A column of days.
    public init(column: ColumnReference, format: String = "yyyy-MM-dd", pivot: Int = 70) {
      self.column = column
      self.format = format
      self.pivot = pivot
    }
  }

  /// Which way money goes.
  public enum Direction: String, CaseIterable, Codable, Sendable {
    /// Into the account: income.
    case `in`
    /// Out of the account: an expense.
    case out
    /// The row is left out.
    case skip
  }

  /// Where the amount is, and which way it goes.
  ///
  /// Either one signed `column`, or a `sum` of columns; or either of both whose direction follows from the column `type`; or
  /// a `debit` and a `credit` column, of which one is empty or zero.
  public struct AmountColumns: Hashable, Sendable {
    /// The column with the amount.
    public var column: ColumnReference?
    /// Columns that make the amount, in place of one column.
    public var sum: ColumnSum?
    /// Whether a positive amount means out of the account, as on credit card bills.
    public var isInverted: Bool
    /// The column with what goes out; its sign is ignored.
    public var debit: ColumnReference?
    /// The column with what comes in; its sign is ignored.
    public var credit: ColumnReference?
    /// The column whose value says the direction; negative amounts are refused then.
    public var type: ColumnReference?
    /// What the values of `type` mean.
    public var directions: [String: Direction]
    /// What any other value of `type` means; without it such a row is a bad line.
    public var otherwise: Direction?

    /// Columns of amounts.
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

  /// How numbers are written.
  public struct Numbers: Hashable, Sendable {
    /// The decimal mark, `.` or `,`.
    public var decimal: String
    /// What may group digits by three; `nil` for the usual marks, `""` for none.
    public var grouping: String?
    /// Further symbols that may stand beside an amount.
    public var symbols: [String]

    /// A style of numbers.
    public init(decimal: String = ".", grouping: String? = nil, symbols: [String] = []) {
      self.decimal = decimal
      self.grouping = grouping
      self.symbols = symbols
    }
  }

  /// The account on the other side, for rows that are transfers.
  public struct Transfer: Hashable, Sendable {
    /// The other account's name; a row where it is blank is no transfer.
    public var account: ColumnTemplate
    /// The column with the amount in the other account's currency, where it differs.
    public var amount: ColumnReference?
    /// The other account's currency, where it differs.
    public var currency: ColumnTemplate?

    /// The other side of transfers.
    public init(
      account: ColumnTemplate, amount: ColumnReference? = nil, currency: ColumnTemplate? = nil
    ) {
      self.account = account
      self.amount = amount
      self.currency = currency
    }
  }

  /// The balance that the bank states after a row.
  public struct BalanceColumn: Hashable, Sendable {
    /// The column.
    public var column: ColumnReference
    /// Whether the file begins with the newest row.
    public var isNewestFirst: Bool

    /// A column of balances.
    public init(column: ColumnReference, isNewestFirst: Bool = false) {
      self.column = column
      self.isNewestFirst = isNewestFirst
    }
  }

  /// The file's encoding; guessed where it is not given.
  public var encoding: TextEncoding?
  /// One ASCII character, or `tab`.
  public var delimiter = ","
  /// The quote character, `""` where quotes are plain text.
  public var quote = "\""
  /// How many physical lines stand before the header or the first row.
  public var skipLines = 0
  /// Whether the first record names the columns.
  public var hasHeader = true
  /// What to do with rows of another width.
  public var ragged = RaggedRows.refuse
  /// Which rows to leave out.
  public var skipRows: [RowRule] = []
  /// The day.
  public var date: DateColumn
  /// The amount.
  public var amount: AmountColumns
  /// How amounts are written.
  public var numbers = Numbers()
  /// The currency's ISO code.
  public var currency: ColumnTemplate
  /// The account's name.
  public var account: ColumnTemplate
  /// The category and its subcategories, from the top; blank levels are left out.
  public var category: [ColumnTemplate] = []
  /// The description.
  public var description: ColumnTemplate?
  /// The payee.
  public var payee: ColumnTemplate?
  /// The note.
  public var note: ColumnTemplate?
  /// The tags; blank ones are left out.
  public var tags: [ColumnTemplate] = []
  /// The other account of transfers.
  public var transfer: Transfer?
  /// The balance stated after each row.
  public var balance: BalanceColumn?
  /// What the bank charges for a row.
  public var fee: Fee?
  /// What was paid in another currency.
  public var original: Original?
  /// What a row is in whose currency is blank.
  public var blankCurrency = BlankCurrency.refuse
  /// For a column, what its values are called in templates: `["k_symbol": ["UROK": "Interest"]]`.
  public var values: [String: [String: String]] = [:]

  /// A mapping.
  public init(
    date: DateColumn, amount: AmountColumns, currency: ColumnTemplate, account: ColumnTemplate
  ) {
    self.date = date
    self.amount = amount
    self.currency = currency
    self.account = account
  }
}
