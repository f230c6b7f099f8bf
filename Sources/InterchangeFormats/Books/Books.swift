public import Bookkeeping

/// What another program's books say: accounts, categories, and everything that was ever booked.
///
/// Accounts are named by their names, categories by their paths; whoever records the books finds or makes
/// them.
public struct Books: Sendable {
  /// Currencies that ISO 4217 does not have, or has with other decimals.
  public var currencies: [CurrencyDefinition] = []
  /// The accounts, in the order they appear.
  public var accounts: [BookAccount] = []
  /// Categories that are to be there though nothing was booked on them.
  public var categories: [BookCategory] = []
  /// What was booked, in file order.
  public var transactions: [BookTransaction] = []
  /// What accounts are said to hold.
  public var assertions: [BookAssertion] = []
  /// Rates between currencies.
  public var rates: [ExchangeRate] = []
  /// Budgets.
  public var budgets: [BookBudget] = []
  /// What comes again and again.
  public var schedules: [BookSchedule] = []

  /// Books with nothing in them.
  public init() {}
}

/// An account of other books: of one currency, as every account is.
public struct BookAccount: Hashable, Sendable {
  /// The physical line where it is first named, from 1.
  public var line: Int
  /// Its name, unique in the books.
  public var name: String
  /// What sort of account.
  public var kind: AccountKind
  /// Its only currency.
  public var currency: Currency
  /// IBAN and other numbers.
  public var identifiers: [String] = []
  /// Free text.
  public var note: String = ""
  /// Whether it takes no further rows.
  public var isClosed = false
  /// Whether lists leave it out.
  public var isHidden = false

  /// An account of other books.
  public init(line: Int, name: String, kind: AccountKind, currency: Currency) {
    self.line = line
    self.name = name
    self.kind = kind
    self.currency = currency
  }
}

/// A category of other books.
public struct BookCategory: Hashable, Sendable {
  /// The physical line where it is first named, from 1.
  public var line: Int
  /// Its name and those above it.
  public var path: CategoryPath
  /// Income or expense.
  public var kind: CategoryKind
  /// Free text.
  public var note: String = ""
  /// Whether lists leave it out.
  public var isHidden = false

  /// A category of other books.
  public init(line: Int, path: CategoryPath, kind: CategoryKind) {
    self.line = line
    self.path = path
    self.kind = kind
  }
}

/// Something that was booked, with any number of postings, which sum to zero in every currency.
public struct BookTransaction: Hashable, Sendable {
  /// The physical line where it begins, from 1.
  public var line: Int
  /// The day.
  public var day: Day
  /// A second day, where the books have one.
  public var valueDay: Day?
  /// How far it has been checked.
  public var status: Status = .cleared
  /// A cheque's number or the like.
  public var code: String = ""
  /// What it was.
  public var description: String = ""
  /// Whom it was paid to or came from.
  public var payee: String = ""
  /// Free text.
  public var note: String = ""
  /// Free labels; a label with a value is `name:value`.
  public var tags: [String] = []
  /// The other program's own id, with the format's name and a colon before it; or empty.
  public var reference: String = ""
  /// What went where.
  public var postings: [BookPosting]

  /// Something that was booked.
  public init(line: Int, day: Day, postings: [BookPosting] = []) {
    self.line = line
    self.day = day
    self.postings = postings
  }
}

/// What one place gains (positive) or gives (negative).
public struct BookPosting: Hashable, Sendable {
  /// Where a posting goes.
  public enum Place: Hashable, Sendable {
    /// An account, by its name; it has to be among the accounts of the books.
    case account(String)
    /// A category, by its path; an empty path is the uncategorised one.
    case category(CategoryPath, CategoryKind)
    /// What one currency gives and another gains in an exchange; built in.
    case exchange
    /// Where opening balances come from; built in.
    case opening
    /// Accounts that the books do not have; built in.
    case outside
  }

  /// Where it goes.
  public var place: Place
  /// How much, in the account's currency.
  public var amount: Money
  /// Free text.
  public var note: String

  /// A posting.
  public init(_ place: Place, _ amount: Money, note: String = "") {
    self.place = place
    self.amount = amount
    self.note = note
  }
}

/// What an account is said to hold at the end of a day.
public struct BookAssertion: Hashable, Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// The account's name.
  public var account: String
  /// The day.
  public var day: Day
  /// What it holds.
  public var amount: Money

  /// What an account is said to hold.
  public init(line: Int, account: String, day: Day, amount: Money) {
    self.line = line
    self.account = account
    self.day = day
    self.amount = amount
  }
}

/// A budget: the entity as it is to be, and the names its categories are found by.
public struct BookBudget: Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// The budget; its categories are empty, its id is `.new`.
  public var budget: Budget
  /// The categories that it watches.
  public var categories: [CategoryPath]

  /// A budget of other books.
  public init(line: Int, budget: Budget, categories: [CategoryPath]) {
    self.line = line
    self.budget = budget
    self.categories = categories
  }
}

/// Something that comes again and again: when, and what.
public struct BookSchedule: Sendable {
  /// The physical line, from 1.
  public var line: Int
  /// What it is called.
  public var name: String
  /// When.
  public var schedule: Schedule
  /// The first day.
  public var start: Day
  /// The last day, where there is one.
  public var end: Day?
  /// What is booked each time; its day is not looked at.
  public var template: BookTransaction

  /// Something that comes again and again.
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
