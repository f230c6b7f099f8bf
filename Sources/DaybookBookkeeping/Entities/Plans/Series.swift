public import DaybookEntities

/// The transaction that a series records on each due date.
public struct SeriesTemplate: Hashable, Sendable {
  /// The type: expense, income or transfer.
  public var type: TransactionType
  /// The amount, which is positive; with ``parts``, their sum.
  public var amount: Money
  /// The account; for a transfer, the source account.
  public var account: AccountID?
  /// The category; `nil` for a transfer or a split.
  public var category: CategoryID?
  /// The destination account of a transfer.
  public var otherAccount: AccountID?
  /// The positive amount in the currency of the account (for a transfer, the destination account),
  /// if the currencies differ.
  ///
  /// `nil` to convert at the day's rate.
  public var accountAmount: Money?
  /// The description of each transaction.
  public var description = ""
  /// The payee of each transaction.
  public var payee = ""
  /// The note of each transaction.
  public var note = ""
  /// The tags of each transaction.
  public var tags: [String] = []
  /// Whether new transactions have the status pending.
  public var isPending = false
  /// The parts of a split, in the currency of the amount; empty for a single amount.
  ///
  /// Expenses and income can have parts, also parts that go to other accounts. The parts must make
  /// up the amount, which leaves the account (expense) or arrives on it (income).
  public var parts: [Draft.Part] = []
}

extension SeriesTemplate {
  /// Creates a template; set the texts afterwards.
  public init(
    type: TransactionType, amount: Money, account: AccountID? = nil, category: CategoryID? = nil,
    otherAccount: AccountID? = nil, accountAmount: Money? = nil
  ) {
    self.type = type
    self.amount = amount
    self.account = account
    self.category = category
    self.otherAccount = otherAccount
    self.accountAmount = accountAmount
  }
}

/// A recurring transaction, such as rent or a salary.
public struct Series: LedgerEntity {
  /// The id of the series; use `.unassigned` to have the ledger generate one.
  public var id: SeriesID
  /// The recording number.
  public var number: UInt64
  /// The name; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// The transaction to record on each due date.
  public var template: SeriesTemplate
  /// The interval between due dates.
  public var schedule: Schedule
  /// The first due date, from which all others are counted.
  public var anchor: Day
  /// The end: no due date is on or after this day.
  public var end: Day?
  /// The maximum number of occurrences; 0 for no limit.
  public var countMax: Int64 = 0
  /// The first day of the current pause, or `nil` if the series isn't paused.
  public var pausedFrom: Day?
  /// The days on which nothing is generated (skipped due dates and past pauses), ascending.
  public var skipped: [Range<Day>] = []
  /// The number of future transactions to record in advance.
  public var ahead: Int64 = 1
  /// The maximum difference between the amount of an imported transaction and the expected amount,
  /// in minor units of the account's currency.
  public var tolerance: Int64 = 0
  /// The day of transactions due on weekends and holidays.
  ///
  /// An occurrence is always identified by its due date, whatever the day of its transaction.
  public var weekends: WeekendPolicy = .keep

  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of recurring transactions in the journal: 7.
  public static var kind: EntityKind { .series }
}

extension Series {
  /// Creates a series; set the other properties afterwards.
  public init(
    id: SeriesID = .random(), number: UInt64 = 0, name: String, template: SeriesTemplate,
    schedule: Schedule,
    anchor: Day
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.template = template
    self.schedule = schedule
    self.anchor = anchor
  }
}
