/// What an app asks of a ledger; `decide` turns it into changes or refuses it.
public enum Command: Hashable, Sendable {
  /// A new account.
  case openAccount(NewAccount)
  /// Other properties of an account.
  case amendAccount(AccountID, AccountChange)
  /// An account takes no further rows.
  case closeAccount(AccountID)
  /// An account takes rows again.
  case reopenAccount(AccountID)
  /// An account goes; the policy says what becomes of its rows.
  case deleteAccount(AccountID, DeletionPolicy<AccountID>)
  /// Two accounts are one: everything of the first one becomes the second one's, openings and stated
  /// balances too, and the first one goes.
  ///
  /// Both are kept in the same currency, and no row goes from one of them to the other.
  case mergeAccounts(AccountID, into: AccountID)
  /// Another opening balance, in the account's currency, from a day on (without one: on every day).
  case setOpening(AccountID, Money, Day? = nil)
  /// An account holds this at the end of a day, whatever its rows come to: the difference is recorded, as a row of
  /// that day or in the opening. Where there is none, nothing is.
  case correctBalance(AccountID, Money, on: Day, by: BalanceCorrection = .transaction())

  /// A new category.
  case createCategory(NewCategory)
  /// Another name, place in the tree or other property of a category.
  case amendCategory(CategoryID, CategoryChange)
  /// A category goes; without a policy a subcategory's rows move to its parent.
  case deleteCategory(CategoryID, DeletionPolicy<CategoryID>?)
  /// Two categories of one kind are one: everything of the first one becomes the second one's, what is below it too,
  /// and the first one goes.
  case mergeCategories(CategoryID, into: CategoryID)

  /// A new transaction.
  case record(Draft)
  /// Other properties of a transaction.
  case amend(TransactionID, Amendment)
  /// A transaction goes.
  case delete(TransactionID)
  /// Transactions agree with a statement: their accounts, days and amounts are locked.
  case reconcile([TransactionID])
  /// Transactions are unlocked.
  case unreconcile([TransactionID])

  /// Nothing up to and including a day may change.
  case closePeriod(through: Day)
  /// Days after this one may change again; without a day, all.
  case reopenPeriod(after: Day?)

  /// A rate of a day, new or replaced.
  case setRate(ExchangeRate)
  /// The rate of a day goes.
  case removeRate(base: Currency, quoted: Currency, on: Day)
  /// Other settings.
  case setSettings(SettingsChange)
  /// A currency ISO 4217 does not have.
  case defineCurrency(CurrencyDefinition)

  /// The balance that a statement gives for the end of a day, in the account's currency.
  ///
  /// With the id of one that was stated before, that one is replaced.
  case assertBalance(
    AccountID, Money, on: Day, note: String = "", id: AssertionID = .new)
  /// A stated balance goes.
  case removeAssertion(AssertionID)

  /// A budget, new or replaced.
  case putBudget(Budget)
  /// A budget goes.
  case removeBudget(BudgetID)
  /// A recurring series, new or replaced; rows that are there stay as they are.
  ///
  /// Days that were skipped stay skipped, and a new schedule goes on after the rows that are there.
  case putSeries(Series)
  /// A recurring series replaced; the scope says which of its rows change with it.
  ///
  /// A row takes the properties of the template that differ from before. Generate afterwards: a row
  /// that is no longer due goes, the one in its place is not yet made.
  case amendSeries(Series, SeriesScope)
  /// A series goes; its rows stay without it, or go.
  case removeSeries(SeriesID, withRows: Bool)
  /// A series rests: its rows that are due and dated after a day go, and none is made.
  case pauseSeries(SeriesID, after: Day)
  /// A series goes on from a day: the time between is skipped, and what is due next is generated.
  case resumeSeries(SeriesID, on: Day)
  /// A series ends with a day, whose row stays; its rows that are due and dated later go.
  case stopSeries(SeriesID, after: Day)
  /// A due day is left out; its row goes.
  case skipOccurrence(SeriesLink)
  /// A due day that was left out, or whose row was deleted, may be generated again.
  case unskipOccurrence(SeriesLink)
  /// What all series owe up to a day is recorded, and as many rows after it as each keeps ahead.
  ///
  /// Each due day gets one row ever, so it may be run at any time, by anybody, and at once: deleted,
  /// moved, unlinked and skipped occurrences do not return. Days in the closed period are left out. A
  /// series whose row can't be made (no rate, a closed account) waits and is named in the report,
  /// the others go on.
  case generateDue(through: Day)
  /// A transaction is the row of a due day.
  case link(TransactionID, SeriesLink)
  /// A transaction leaves its series; the due day is not generated again.
  case unlink(TransactionID)
  /// A category rule, new or replaced.
  case putRule(CategoryRule)
  /// A rule goes.
  case removeRule(RuleID)
  /// These are the rules: those that differ are written, others go.
  case setRules([CategoryRule])
  /// Rows of the past whose category no person chose are put where rules say: these, or all.
  ///
  /// Rows that a rule placed before are among them, whatever that rule says now, or if it has gone. Where
  /// only some rules are applied, a row stays that another one still places.
  case applyRules([RuleID]?)

  /// What the columns of a bank's files mean, new or replaced.
  case putMapping(SavedMapping)
  /// A saved mapping goes.
  case removeMapping(MappingID)

  /// Rows of a file: those that are there already are left out.
  case importRows([ImportRow], ImportOptions = ImportOptions())
}

/// Where the difference goes when a balance is corrected.
public enum BalanceCorrection: Hashable, Sendable {
  /// Into a row of that day, in a category or uncategorised: money came or went that was not recorded.
  case transaction(category: CategoryID? = nil, description: String = "")
  /// Into the opening, which changes the balance of every day that it counts on: the beginning was wrong.
  case opening
}

/// What becomes of the rows of an account or category that is deleted.
public enum DeletionPolicy<ID: Hashable & Sendable>: Hashable, Sendable {
  /// They stay; a closed, hidden tombstone keeps the name.
  case keepRows
  /// They go: whole transactions, both sides of a transfer too.
  case withRows
  /// They become another's.
  case move(to: ID)
}

/// An account to be opened.
public struct NewAccount: Hashable, Sendable {
  /// The id it shall have; without one it gets a new one.
  public var id: AccountID?
  /// What people call it, unlike any other's; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// What sort of account.
  public var kind: AccountKind
  /// Its only currency.
  public var currency: Currency
  /// The balance it begins with, in its currency; `nil` for nothing.
  public var opening: Money?
  /// The day from which that counts; without one on every day.
  public var openingDay: Day?
  /// Free text.
  public var note: String
  /// The place in a list.
  public var order: Int64
  /// Whether lists leave it out.
  public var isHidden: Bool
  /// What banks' files call it: IBAN, numbers.
  public var identifiers: [String] = []

  /// An account to be opened.
  public init(
    id: AccountID? = nil, name: String, kind: AccountKind = .asset, currency: Currency,
    opening: Money? = nil, openingDay: Day? = nil, note: String = "", order: Int64 = 0,
    isHidden: Bool = false
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.currency = currency
    self.opening = opening
    self.openingDay = openingDay
    self.note = note
    self.order = order
    self.isHidden = isHidden
  }
}

/// What to change about an account; `nil` leaves a property as it is.
public struct AccountChange: Hashable, Sendable, Codable {
  /// Another name, unlike any other's.
  public var name: String?
  /// What sort of account.
  public var kind: AccountKind?
  /// Free text.
  public var note: String?
  /// The place in a list.
  public var order: Int64?
  /// Whether lists leave it out.
  public var isHidden: Bool?
  /// What banks' files call it: IBAN, numbers; replaces all.
  public var identifiers: [String]?
  /// What the caller believed the account to be; see `Amendment.seen`.
  public var seen: Account?

  private enum CodingKeys: String, CodingKey {
    case name, kind, note, order, identifiers
    case isHidden = "hidden"
    case seen
  }

  /// A change of the properties that are given.
  public init(
    name: String? = nil, kind: AccountKind? = nil, note: String? = nil, order: Int64? = nil,
    isHidden: Bool? = nil, seen: Account? = nil
  ) {
    self.name = name
    self.kind = kind
    self.note = note
    self.order = order
    self.isHidden = isHidden
    self.seen = seen
  }
}

/// A category to be created.
public struct NewCategory: Hashable, Sendable {
  /// The id it shall have; without one it gets a new one.
  public var id: CategoryID?
  /// What people call it, unlike its siblings'; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// Income or expense.
  public var kind: CategoryKind
  /// The category above, of the same kind.
  public var parent: CategoryID?
  /// Free text.
  public var note: String
  /// The place among its siblings.
  public var order: Int64
  /// Whether lists leave it out.
  public var isHidden: Bool

  /// A category to be created.
  public init(
    id: CategoryID? = nil, name: String, kind: CategoryKind, parent: CategoryID? = nil,
    note: String = "", order: Int64 = 0, isHidden: Bool = false
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.parent = parent
    self.note = note
    self.order = order
    self.isHidden = isHidden
  }
}

/// What to change about a category; `nil` leaves a property as it is.
public struct CategoryChange: Hashable, Sendable {
  /// Another name, unlike its siblings'.
  public var name: String?
  /// The category above, or `.some(nil)` to make it a root.
  public var parent: CategoryID??
  /// Free text.
  public var note: String?
  /// The place among its siblings.
  public var order: Int64?
  /// Whether lists leave it out.
  public var isHidden: Bool?
  /// What the caller believed the category to be; see `Amendment.seen`.
  public var seen: Category?

  /// A change of the properties that are given.
  public init(
    name: String? = nil, parent: CategoryID?? = nil, note: String? = nil, order: Int64? = nil,
    isHidden: Bool? = nil, seen: Category? = nil
  ) {
    self.name = name
    self.parent = parent
    self.note = note
    self.order = order
    self.isHidden = isHidden
    self.seen = seen
  }
}

/// What to change about the settings; `nil` leaves a setting as it is.
public struct SettingsChange: Hashable, Sendable {
  /// The base currency, or `.some(nil)` for none.
  public var baseCurrency: Currency??
  /// The week's first day, 1 Monday … 7 Sunday.
  public var firstWeekday: Int?
  /// Who wins where two writers change the same property.
  public var mergePolicy: MergePolicy?

  /// A change of the settings that are given.
  public init(
    baseCurrency: Currency?? = nil, firstWeekday: Int? = nil, mergePolicy: MergePolicy? = nil
  ) {
    self.baseCurrency = baseCurrency
    self.firstWeekday = firstWeekday
    self.mergePolicy = mergePolicy
  }
}
