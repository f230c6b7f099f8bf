public import DaybookEntities

/// The account or category of a posting.
///
/// In double-entry bookkeeping, a category is an account of income or expense.
public enum PostingAccount: Hashable, Sendable {
  /// An account.
  case account(AccountID)
  /// A category.
  case category(CategoryID)
}

/// One side of a transaction: a positive amount goes into its account or category, and a negative
/// amount comes out of it.
public struct Posting: Hashable, Sendable {
  /// The account or category.
  public var account: PostingAccount
  /// The amount, in the account's currency; for a category, in any currency.
  public var amount: Money
  /// A note about this posting; empty by default.
  public var note: String

  /// Creates a posting; a positive amount goes into the account or category, and a negative amount
  /// comes out of it.
  @inlinable
  public init(_ account: PostingAccount, _ amount: Money, note: String = "") {
    self.account = account
    self.amount = amount
    self.note = note
  }
}

/// The kind of a posting's account, as encoded in its header byte.
public enum PostingAccountCode: UInt8, Hashable, Sendable {
  /// An account, by id.
  case account = 0
  /// A category, by id.
  case category = 1
  /// The built-in account Opening.
  case opening = 2
  /// The built-in account Exchange.
  case exchange = 3
  /// The built-in account Outside.
  case outside = 4
  /// The built-in expense category.
  case uncategorizedExpense = 5
  /// The built-in income category.
  case uncategorizedIncome = 6

  /// Whether the code stands for a category, built in or not.
  @inlinable
  public var isCategory: Bool {
    self == .category || self == .uncategorizedExpense || self == .uncategorizedIncome
  }

  /// The number of a built-in account or category in index keys (1 to 5), or 0.
  @inlinable
  public var builtinNumber: UInt32 { rawValue < 2 ? 0 : UInt32(rawValue) - 1 }
}

extension PostingAccount {
  /// The code and id that represent the account or category in a record.
  @inlinable
  public var coded: (code: PostingAccountCode, id: EntityID) {
    switch self {
    case .account(let id):
      if id.rawValue.high == 0, (1...3).contains(id.rawValue.low) {
        return (
          id.rawValue.low == 1 ? .opening : id.rawValue.low == 2 ? .exchange : .outside, id.rawValue
        )
      }
      return (.account, id.rawValue)
    case .category(let id):
      if id.rawValue.high == 0, id.rawValue.low == 4 || id.rawValue.low == 5 {
        return (id.rawValue.low == 4 ? .uncategorizedExpense : .uncategorizedIncome, id.rawValue)
      }
      return (.category, id.rawValue)
    }
  }

  /// Creates the account or category from its code and id.
  @inlinable
  public init(code: PostingAccountCode, id: EntityID) {
    self = code.isCategory ? .category(CategoryID(id)) : .account(AccountID(id))
  }
}
