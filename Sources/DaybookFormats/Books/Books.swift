public import DaybookBookkeeping

/// The books of another program: accounts, categories and all transactions.
///
/// Accounts are identified by name, and categories by path. The importer finds or creates them.
public struct Books: Sendable {
  /// The program, used as the prefix of its accounts' identities: `gnucash`, `actual`, or `journal`
  /// for programs that read journals.
  public var program = ""
  /// The program's id for the books; empty if it has none.
  public var id = ""
  /// Currencies that ISO 4217 doesn't define, or defines with a different number of decimals.
  public var currencies: [CurrencyDefinition] = []
  /// The accounts, in order of appearance.
  public var accounts: [BookAccount] = []
  /// Categories to create even if no transaction uses them.
  public var categories: [BookCategory] = []
  /// The transactions, in file order.
  public var transactions: [BookTransaction] = []
  /// Asserted account balances.
  public var assertions: [BookAssertion] = []
  /// Exchange rates.
  public var rates: [ExchangeRate] = []
  /// Budgets.
  public var budgets: [BookBudget] = []
  /// Amounts assigned to the envelopes of categories.
  public var assignments: [BookAssignment] = []
  /// Recurring transactions.
  public var schedules: [BookSchedule] = []

  /// Creates empty books.
  public init() {}
}

/// An account of another program's books.
///
/// It has exactly one currency.
public struct BookAccount: Hashable, Sendable {
  /// The physical line of its first appearance, from 1.
  public var line: Int
  /// The name, which is unique in the books.
  public var name: String
  /// The name in the program, which may be shorter or longer than ``name``; empty if it is equal.
  public var title: String = ""
  /// The account's id in the program; for programs without ids, its full name.
  ///
  /// If it isn't empty, the importer finds the account by its id and currency, even if it has been
  /// renamed.
  public var identity: String = ""
  /// The kind of account.
  public var kind: AccountKind
  /// The account's only currency.
  public var currency: Currency
  /// Whether the currency is only assumed, because nothing in the books uses the account.
  public var isCurrencyAssumed = false
  /// The IBAN and other account numbers.
  public var identifiers: [String] = []
  /// A free-text note.
  public var note: String = ""
  /// Whether the account accepts no more transactions.
  public var isClosed = false
  /// Whether the account is hidden in lists.
  public var isHidden = false
  /// Whether the account's money can't be assigned to envelopes.
  public var isOutsideBudget = false

  /// Creates an open, visible account.
  public init(line: Int, name: String, kind: AccountKind, currency: Currency) {
    self.line = line
    self.name = name
    self.kind = kind
    self.currency = currency
  }
}

/// A category of another program's books.
public struct BookCategory: Hashable, Sendable {
  /// The physical line of its first appearance, from 1.
  public var line: Int
  /// The names of the category and its ancestors, from the top.
  public var path: CategoryPath
  /// The category's id in the program; empty if it has none.
  ///
  /// If it isn't empty, the importer finds the category by its id, even if it has been renamed.
  public var identity: String = ""
  /// Whether it is a category of income or expense.
  public var kind: CategoryKind
  /// A free-text note.
  public var note: String = ""
  /// Whether the category is hidden in lists.
  public var isHidden = false
  /// Whether the category's envelope carries overspending over to the next month.
  public var carriesOverspending = false

  /// Creates a visible category.
  public init(line: Int, path: CategoryPath, kind: CategoryKind) {
    self.line = line
    self.path = path
    self.kind = kind
  }
}

/// A transaction of another program's books.
///
/// Its postings sum to zero in every currency.
public struct BookTransaction: Hashable, Sendable {
  /// The physical line where it begins, from 1.
  public var line: Int
  /// The booking date.
  public var day: Day
  /// The value date, if the books have one.
  public var valueDay: Day?
  /// Whether the transaction is pending, cleared or reconciled.
  public var status: Status = .cleared
  /// A reference such as a check number.
  public var code: String = ""
  /// The description.
  public var description: String = ""
  /// The other party of the transaction.
  public var payee: String = ""
  /// A free-text note.
  public var note: String = ""
  /// The tags.
  ///
  /// A tag with a value has the form `name:value`.
  public var tags: [String] = []
  /// The other program's id, prefixed with the format's name and a colon; may be empty.
  public var reference: String = ""
  /// The postings.
  public var postings: [BookPosting]

  /// Creates a cleared transaction.
  public init(line: Int, day: Day, postings: [BookPosting] = []) {
    self.line = line
    self.day = day
    self.postings = postings
  }
}

/// One posting of a transaction.
///
/// Positive amounts flow in, and negative amounts flow out.
public struct BookPosting: Hashable, Sendable {
  /// The account or category of a posting.
  public enum Place: Hashable, Sendable {
    /// An account, by name, which must be in ``Books/accounts``.
    case account(String)
    /// A category, by path.
    ///
    /// An empty path means the built-in category for uncategorised postings.
    case category(CategoryPath, CategoryKind)
    /// The built-in counterpart of a currency exchange.
    case exchange
    /// The built-in source of opening balances.
    case opening
    /// The built-in account that stands for accounts outside the books.
    case outside
  }

  /// The account or category.
  public var place: Place
  /// The amount, in the account's currency.
  public var amount: Money
  /// A free-text note.
  public var note: String

  /// Creates a posting.
  public init(_ place: Place, _ amount: Money, note: String = "") {
    self.place = place
    self.amount = amount
    self.note = note
  }
}

/// The asserted balance of an account at the end of a day.
public struct BookAssertion: Hashable, Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// The account's name.
  public var account: String
  /// The day.
  ///
  /// The day; the account has the balance at its end.
  public var day: Day
  /// The balance.
  public var amount: Money

  /// Creates a balance assertion.
  public init(line: Int, account: String, day: Day, amount: Money) {
    self.line = line
    self.account = account
    self.day = day
    self.amount = amount
  }
}

/// A budget of another program's books, with the paths of its categories.
public struct BookBudget: Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// The budget, with the id `.unassigned` and without categories.
  public var budget: Budget
  /// The paths of the categories that the budget covers.
  public var categories: [CategoryPath]

  /// Creates a budget.
  public init(line: Int, budget: Budget, categories: [CategoryPath]) {
    self.line = line
    self.budget = budget
    self.categories = categories
  }
}

/// An amount assigned to the envelope of a category in a month.
public struct BookAssignment: Hashable, Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// The path of the expense category.
  public var category: CategoryPath
  /// The month.
  public var month: Month
  /// The amount.
  public var amount: Money

  /// Creates an assignment.
  public init(line: Int, category: CategoryPath, month: Month, amount: Money) {
    self.line = line
    self.category = category
    self.month = month
    self.amount = amount
  }
}

/// A recurring transaction of another program's books.
public struct BookSchedule: Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// The name.
  public var name: String
  /// The rule that determines the due dates.
  public var schedule: Schedule
  /// The first due date.
  public var start: Day
  /// The last due date, if there is one.
  public var end: Day?
  /// The transaction to record on each due date.
  ///
  /// The template's day is ignored.
  public var template: BookTransaction

  /// Creates a recurring transaction.
  public init(
    line: Int, name: String, schedule: Schedule, start: Day, end: Day? = nil,
    template: BookTransaction
  ) {
    self.line = line
    self.name = name
    self.schedule = schedule
    self.start = start
    self.end = end
    self.template = template
  }
}
