public import Entities

/// The id of one sort of entity: an account's can't be given where a category's is meant.
public struct Identifier<Owner>: Hashable, Comparable, Sendable {
  /// The untyped id.
  public var rawValue: EntityID

  /// A typed id.
  @inlinable
  public init(rawValue: EntityID) { self.rawValue = rawValue }

  /// A typed id.
  @inlinable
  public init(_ rawValue: EntityID) { self.rawValue = rawValue }

  /// An id from its text, or `nil` where the text is none.
  public init?(_ text: some StringProtocol) {
    guard let id = EntityID(text) else { return nil }
    rawValue = id
  }

  /// Orders ids as their bytes.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Stands for an id yet to be given: whoever decides replaces it by a new one, each time anew.
  @inlinable
  public static var new: Self { Self(rawValue: EntityID(high: 0, low: 0)) }

  /// An id that nothing has: 122 random bits, as version 4 of RFC 9562 has them.
  ///
  /// What is made with it can be put any number of times, and is the same each time.
  public static func random() -> Self {
    var generator = SystemRandomNumberGenerator()
    return Self(
      rawValue: EntityID(
        high: generator.next() & ~0xF000 | 0x4000, low: generator.next() & ~(0b11 << 62) | 1 << 63))
  }

  /// Whether this is one of the built-in accounts and categories, which are never journalled.
  @inlinable
  public var isBuiltin: Bool {
    rawValue.high == 0 && rawValue.low >= 1 && rawValue.low <= 5
  }
}

extension Identifier: CustomStringConvertible {
  /// The id's text.
  public var description: String { rawValue.description }
}

extension Identifier: Codable {
  /// Reads the text form.
  public init(from decoder: any Decoder) throws { rawValue = try EntityID(from: decoder) }
  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

/// The id of an account.
public typealias AccountID = Identifier<Account>
/// The id of a category.
public typealias CategoryID = Identifier<Category>
/// The id of a transaction.
public typealias TransactionID = Identifier<Transaction>
/// The id of an exchange rate.
public typealias RateID = Identifier<ExchangeRate>
/// The id of a budget.
public typealias BudgetID = Identifier<Budget>
/// The id of a recurring series.
public typealias SeriesID = Identifier<Series>
/// The id of a category rule.
public typealias RuleID = Identifier<CategoryRule>
/// The id of a balance assertion.
public typealias AssertionID = Identifier<BalanceAssertion>
/// The id of a saved mapping.
public typealias MappingID = Identifier<SavedMapping>

extension Identifier where Owner == Account {
  /// The equity account that opening balances come from.
  @inlinable
  public static var opening: AccountID { AccountID(rawValue: EntityID(high: 0, low: 1)) }
  /// The equity account through which one currency becomes another.
  @inlinable
  public static var exchange: AccountID { AccountID(rawValue: EntityID(high: 0, low: 2)) }
  /// The equity account used where no account is given.
  @inlinable
  public static var outside: AccountID { AccountID(rawValue: EntityID(high: 0, low: 3)) }
}

extension Identifier where Owner == Category {
  /// The expense category used where none is given.
  @inlinable
  public static var uncategorizedExpense: CategoryID {
    CategoryID(rawValue: EntityID(high: 0, low: 4))
  }
  /// The income category used where none is given.
  @inlinable
  public static var uncategorizedIncome: CategoryID {
    CategoryID(rawValue: EntityID(high: 0, low: 5))
  }
}
