/// A request to change a ledger.
///
/// `decide` turns a command into changes, or refuses it.
public enum Command: Hashable, Sendable {
  /// Opens an account.
  case openAccount(NewAccount)
  /// Changes an account's properties.
  case amendAccount(AccountID, AccountChange)
  /// Closes an account, which then accepts no new transactions.
  case closeAccount(AccountID)
  /// Reopens an account, which then accepts transactions again.
  case reopenAccount(AccountID)
  /// Deletes an account. The policy determines what happens to its transactions.
  case deleteAccount(AccountID, DeletionPolicy<AccountID>)
  /// Merges the first account into the second, including its opening balance and balance
  /// assertions, and deletes the first.
  ///
  /// Both accounts must have the same currency, and no transaction may connect them.
  case mergeAccounts(AccountID, into: AccountID)
  /// Sets an account's opening balance, in the account's currency, as of a day (without a day, from
  /// the beginning).
  case setOpening(AccountID, Money, Day? = nil)
  /// Corrects an account's balance at the end of a day.
  ///
  /// The difference from the computed balance is recorded as a transaction of that day or added to
  /// the opening balance. If there is no difference, nothing is recorded.
  case correctBalance(AccountID, Money, on: Day, by: BalanceCorrection = .transaction())

  /// Creates a category.
  case createCategory(NewCategory)
  /// Changes the name, parent or other properties of a category.
  case amendCategory(CategoryID, CategoryChange)
  /// Deletes a category. Without a policy, a subcategory's transactions move to its parent.
  case deleteCategory(CategoryID, DeletionPolicy<CategoryID>?)
  /// Merges the first category, including its subcategories, into the second, and deletes the
  /// first.
  ///
  /// Both categories must be of the same kind.
  case mergeCategories(CategoryID, into: CategoryID)

  /// Records a transaction.
  case record(Draft)
  /// Changes a transaction's properties.
  case amend(TransactionID, Amendment)
  /// Deletes a transaction.
  case delete(TransactionID)
  /// Marks transactions as matching a statement, which locks their accounts, days and amounts.
  case reconcile([TransactionID])
  /// Unlocks reconciled transactions.
  case unreconcile([TransactionID])

  /// Closes all days up to and including a day, so that their figures can't change.
  case closePeriod(through: Day)
  /// Reopens the days after a day; with `nil`, reopens all days.
  case reopenPeriod(after: Day?)

  /// Adds an exchange rate, or replaces the rate of the same day.
  case setRate(ExchangeRate)
  /// Removes the exchange rate of a day.
  case removeRate(base: Currency, quoted: Currency, on: Day)
  /// Changes the ledger's settings.
  case setSettings(SettingsChange)
  /// Defines a currency that is not in ISO 4217.
  case defineCurrency(CurrencyDefinition)

  /// Asserts the balance that a statement shows at the end of a day, in the account's currency.
  ///
  /// If an assertion with the same id exists, it is replaced.
  case assertBalance(
    AccountID, Money, on: Day, note: String = "", id: AssertionID = .unassigned)
  /// Removes a balance assertion.
  case removeAssertion(AssertionID)

  /// Adds or replaces a budget.
  case putBudget(Budget)
  /// Removes a budget.
  case removeBudget(BudgetID)
  /// Adds or replaces a recurring transaction without changing its existing transactions.
  ///
  /// Skipped dates stay skipped. A new schedule continues after the existing transactions.
  case putSeries(Series)
  /// Replaces a recurring transaction. The scope determines which of its transactions change.
  ///
  /// The template's changed properties are copied to these transactions. Run
  /// `generateDue(through:)` afterwards: this command removes transactions that are no longer due
  /// and doesn't create their replacements.
  case amendSeries(Series, SeriesScope)
  /// Removes a recurring transaction, and either removes or unlinks its transactions.
  case removeSeries(SeriesID, withRows: Bool)
  /// Pauses a recurring transaction: transactions due and dated after a day are removed, and no
  /// more are generated.
  case pauseSeries(SeriesID, after: Day)
  /// Resumes a paused recurring transaction on a day: the days of the pause are skipped, and due
  /// transactions are generated.
  case resumeSeries(SeriesID, on: Day)
  /// Stops a recurring transaction after a day: transactions that are due and dated later are
  /// removed.
  case stopSeries(SeriesID, after: Day)
  /// Skips a due date and removes its transaction.
  case skipOccurrence(SeriesLink)
  /// Allows the transaction of a skipped due date, or a deleted transaction, to be generated again.
  case unskipOccurrence(SeriesLink)
  /// Records all recurring transactions due through a day, and as many later transactions as each
  /// series generates in advance.
  ///
  /// Each due date is recorded exactly once, even if the command runs repeatedly or on several
  /// devices at the same time. Deleted, moved, unlinked and skipped occurrences are not generated
  /// again. Days in a closed period are left out. If a transaction can't be generated (because of a
  /// missing rate or a closed account), its series stops at that due date and is listed in the
  /// report; the other series continue.
  case generateDue(through: Day)
  /// Links a transaction to a due date.
  case link(TransactionID, SeriesLink)
  /// Unlinks a transaction from its series. The due date is not generated again.
  case unlink(TransactionID)
  /// Makes one transfer of two transactions on different accounts: one that pays and one that
  /// receives.
  ///
  /// The one that pays keeps its id and history. The other one's day becomes the value day of the
  /// transfer, on which the money arrives, and the other one is removed. Later imports recognise the
  /// rows of both. In one currency, the amounts must be equal; in two, both are kept.
  case linkTransfer(TransactionID, TransactionID)
  /// Restores the two transactions of which a transfer was made, as they were.
  case unlinkTransfer(TransactionID)
  /// Adds or replaces a category rule.
  case putRule(CategoryRule)
  /// Removes a category rule.
  case removeRule(RuleID)
  /// Replaces all category rules: rules that differ are written, and rules not in the array are
  /// removed.
  case setRules([CategoryRule])
  /// Applies the given rules, or all rules, to existing transactions whose category no person has
  /// chosen.
  ///
  /// These include transactions that a rule has categorised before, even if the rule has changed or
  /// been removed. If only some rules are applied, they don't change a category that another,
  /// earlier rule still chooses.
  case applyRules([RuleID]?)

  /// Adds or replaces the mapping of a bank's file columns.
  case putMapping(SavedMapping)
  /// Removes a saved mapping.
  case removeMapping(MappingID)

  /// Sets the amount that a category's envelope is assigned in a month, in the base currency.
  case assign(Money, to: CategoryID, in: Month)
  /// Sets the amount that the payment of a card is assigned in a month, in the base currency, for
  /// debt that envelopes didn't pay.
  ///
  /// The card must be a liability account in the budget.
  case assignPayment(Money, to: AccountID, in: Month)
  /// Moves money between the envelopes of two categories in a month, in the base currency.
  ///
  /// Without a category, the money comes from or returns to the money that is ready to assign. If a
  /// move with the same id exists, it is replaced.
  case moveMoney(
    Money, from: CategoryID?, to: CategoryID?, in: Month, note: String = "",
    id: AllocationID = .unassigned)
  /// Removes a move of money between envelopes.
  case removeMove(AllocationID)

  /// Sets the terms on which an account bears interest, and replaces its earlier terms.
  ///
  /// Interest that is posted, and payments that are made, stay. To change the due days or the day
  /// count afterwards, let the new terms begin on the last due day that is posted or paid.
  case setTerms(AccountTerms)
  /// Removes the terms of an account. Interest that is posted, and payments that are made, stay and
  /// are unlinked.
  case removeTerms(AccountID)
  /// Posts the interest that is due through a day and not posted yet, on one account or on all
  /// accounts.
  ///
  /// Interest is income of an asset account, or expense of a liability account. Each due day is
  /// posted exactly once, even if the command runs repeatedly or on several devices at the same time.
  /// Deleted, skipped and linked ones aren't posted again, and days in a closed period are left out.
  /// Payments of loans aren't recorded.
  case postInterest(through: Day, account: AccountID? = nil)
  /// Records the payment of a loan that is due next, divided into interest and principal.
  case payLoan(LoanPayment)
  /// Repays a part of a loan early, or all of it.
  case repayLoan(LoanRepayment)

  /// Imports rows of a file. Rows that are already recorded are left out.
  case importRows([ImportRow], ImportOptions = ImportOptions())
}

/// The way in which the difference is recorded when a balance is corrected.
public enum BalanceCorrection: Hashable, Sendable {
  /// As a transaction on that day, categorised or not, because a movement of money was not
  /// recorded.
  case transaction(category: CategoryID? = nil, description: String = "")
  /// In the opening balance, which changes the balance of every day from the opening day on.
  case opening
}

/// The policy for the transactions of a deleted account or category.
public enum DeletionPolicy<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Keep the transactions; a closed, hidden tombstone keeps the name.
  case keepRows
  /// Delete the transactions as a whole, including both sides of a transfer.
  case withRows
  /// Move the transactions to another account or category.
  case move(to: ID)
}

/// An account to open.
public struct NewAccount: Hashable, Sendable, Detailed {
  /// The id of the account; if `nil`, a new id is generated.
  public var id: AccountID?
  /// The details, which are also members of this type: `new.note`.
  ///
  /// The name must be unique among accounts.
  public var details: AccountDetails
  /// The account's only currency.
  public var currency: Currency
  /// The opening balance, in the account's currency; `nil` for zero.
  public var opening: Money?
  /// The first day whose balance includes the opening balance; `nil` for all days.
  public var openingDay: Day?

  /// Creates a description of an account to open.
  public init(
    id: AccountID? = nil, name: String, kind: AccountKind = .asset, currency: Currency,
    opening: Money? = nil, openingDay: Day? = nil, note: String = "", order: Int64 = 0,
    isHidden: Bool = false
  ) {
    self.id = id
    details = AccountDetails(
      name: name, kind: kind, isHidden: isHidden, note: note, order: order)
    self.currency = currency
    self.opening = opening
    self.openingDay = openingDay
  }
}

/// The properties to change in an account; `nil` leaves a property unchanged.
///
/// New `identifiers` replace all existing ones.
public typealias AccountChange = DetailsChange<Account>

extension DetailsChange<Account> {
  /// Creates a change to the given properties.
  public init(
    name: String? = nil, kind: AccountKind? = nil, note: String? = nil, order: Int64? = nil,
    isHidden: Bool? = nil, seen: Account? = nil
  ) {
    self.init(seen: seen)
    self.name = name
    self.kind = kind
    self.note = note
    self.order = order
    self.isHidden = isHidden
  }
}

/// A category to create.
public struct NewCategory: Hashable, Sendable, Detailed {
  /// The id of the category; if `nil`, a new id is generated.
  public var id: CategoryID?
  /// Income or expense.
  public var kind: CategoryKind
  /// The details, which are also members of this type: `new.parent`.
  ///
  /// The name must be unique among the category's siblings, and the parent must be of the same
  /// kind.
  public var details: CategoryDetails

  /// Creates a description of a category to create.
  public init(
    id: CategoryID? = nil, name: String, kind: CategoryKind, parent: CategoryID? = nil,
    note: String = "", order: Int64 = 0, isHidden: Bool = false, origins: [String] = []
  ) {
    self.id = id
    self.kind = kind
    details = CategoryDetails(
      name: name, parent: parent, isHidden: isHidden, note: note, order: order, origins: origins)
  }
}

/// The properties to change in a category; `nil` leaves a property unchanged.
///
/// The parent `.some(nil)` makes the category a top-level category.
public typealias CategoryChange = DetailsChange<Category>

extension DetailsChange<Category> {
  /// Creates a change to the given properties.
  public init(
    name: String? = nil, parent: CategoryID?? = nil, note: String? = nil, order: Int64? = nil,
    isHidden: Bool? = nil, seen: Category? = nil
  ) {
    self.init(seen: seen)
    self.name = name
    self.parent = parent
    self.note = note
    self.order = order
    self.isHidden = isHidden
  }
}

/// The settings to change; `nil` leaves a setting unchanged.
public struct SettingsChange: Hashable, Sendable {
  /// The base currency, or `.some(nil)` for none.
  public var baseCurrency: Currency??
  /// The first day of the week, from 1 (Monday) to 7 (Sunday).
  public var firstWeekday: Int?
  /// The policy that decides which value is kept when two writers change the same property.
  public var mergePolicy: MergePolicy?
  /// The holidays to add; days that are holidays already make no difference.
  public var addedHolidays: [Day] = []
  /// The holidays to remove; other days make no difference.
  public var removedHolidays: [Day] = []

  /// Creates a change to the given settings.
  public init(
    baseCurrency: Currency?? = nil, firstWeekday: Int? = nil, mergePolicy: MergePolicy? = nil,
    addedHolidays: [Day] = [], removedHolidays: [Day] = []
  ) {
    self.addedHolidays = addedHolidays
    self.removedHolidays = removedHolidays
    self.baseCurrency = baseCurrency
    self.firstWeekday = firstWeekday
    self.mergePolicy = mergePolicy
  }
}
