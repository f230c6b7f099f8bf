public import Entities

/// What a recurring series records each time.
public struct SeriesTemplate: Hashable, Sendable {
  /// Expense, income or transfer.
  public var type: TransactionType
  /// The amount, positive.
  public var amount: Money
  /// The account; the source of a transfer.
  public var account: AccountID?
  /// The category; none for a transfer.
  public var category: CategoryID?
  /// The account that a transfer goes to.
  public var otherAccount: AccountID?
  /// The amount in the currency of the account (of a transfer, of the account it goes to), positive, where
  /// that is another; `nil` to compute it by the day's rate.
  public var accountAmount: Money?
  /// The description of each row.
  public var description = ""
  /// The payee of each row.
  public var payee = ""
  /// The note of each row.
  public var note = ""
  /// The tags of each row.
  public var tags: [String] = []
  /// Whether rows start out as pending.
  public var isPending = false
}

extension SeriesTemplate {
  /// A template; set the texts afterwards.
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

/// Something that recurs: rent, a salary.
public struct Series: LedgerEntity {
  /// Its id; `.new` has the ledger give it one.
  public var id: SeriesID
  /// The recording number.
  public var number: UInt64
  /// What people call it; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// What is recorded each time.
  public var template: SeriesTemplate
  /// How often.
  public var schedule: Schedule
  /// The day from which steps are counted; the first due day.
  public var anchor: Day
  /// The day from which nothing is due.
  public var end: Day?
  /// How many occurrences there are at most; 0 for no such limit.
  public var countMax: Int64 = 0
  /// The day from which it is paused.
  public var pausedFrom: Day?
  /// Days for which nothing is generated: skipped or deleted occurrences and pauses, ascending.
  public var skipped: [Range<Day>] = []
  /// How many future rows are kept ahead.
  public var ahead: Int64 = 1

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// What series are in the journal: kind 7.
  public static var kind: EntityKind { .series }
}

extension Series {
  /// A series; set the rarer properties afterwards.
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
