public import DaybookEntities

/// The id of one type of entity, so that an account's id can't be used as a category's.
public struct Identifier<Owner>: Hashable, Comparable, Sendable {
  /// The untyped id.
  public var rawValue: EntityID

  /// Creates a typed id.
  @inlinable
  public init(rawValue: EntityID) { self.rawValue = rawValue }

  /// Creates a typed id.
  @inlinable
  public init(_ rawValue: EntityID) { self.rawValue = rawValue }

  /// Parses an id, or returns `nil` if the text isn't one.
  public init?(_ text: some StringProtocol) {
    guard let id = EntityID(text) else { return nil }
    rawValue = id
  }

  /// Orders ids by their bytes.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// A placeholder for an id that the ledger has yet to assign.
  ///
  /// Recording a command replaces it with a new id, which the receipt contains. If you need the id
  /// beforehand, use ``random()``.
  @inlinable
  public static var unassigned: Self { Self(rawValue: EntityID(high: 0, low: 0)) }

  /// A new random id: a version 4 UUID (RFC 9562) with 122 random bits.
  ///
  /// Adding an entity with this id again replaces the entity instead of adding another one.
  public static func random() -> Self {
    var generator = SystemRandomNumberGenerator()
    return Self(
      rawValue: EntityID(
        high: generator.next() & ~0xF000 | 0x4000, low: generator.next() & ~(0b11 << 62) | 1 << 63))
  }

  /// Whether this is a built-in account or category, which the journal never contains.
  @inlinable
  public var isBuiltin: Bool {
    rawValue.high == 0 && rawValue.low >= 1 && rawValue.low <= 5
  }
}

extension Identifier: CustomStringConvertible {
  /// The text form of the id.
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
/// The id of a recurring transaction.
public typealias SeriesID = Identifier<Series>
/// The id of a category rule.
public typealias RuleID = Identifier<CategoryRule>
/// The id of a balance assertion.
public typealias AssertionID = Identifier<BalanceAssertion>
/// The id of a saved mapping.
public typealias MappingID = Identifier<SavedMapping>
/// The id of an allocation.
public typealias AllocationID = Identifier<Allocation>
/// The id of an account's terms.
public typealias TermsID = Identifier<AccountTerms>

extension Identifier where Owner == Account {
  /// The equity account of opening balances.
  @inlinable
  public static var opening: AccountID { AccountID(rawValue: EntityID(high: 0, low: 1)) }
  /// The equity account through which currencies are exchanged.
  @inlinable
  public static var exchange: AccountID { AccountID(rawValue: EntityID(high: 0, low: 2)) }
  /// The equity account for transactions without an account.
  @inlinable
  public static var outside: AccountID { AccountID(rawValue: EntityID(high: 0, low: 3)) }
}

extension Identifier where Owner == Category {
  /// The expense category for transactions without a category.
  @inlinable
  public static var uncategorizedExpense: CategoryID {
    CategoryID(rawValue: EntityID(high: 0, low: 4))
  }
  /// The income category for transactions without a category.
  @inlinable
  public static var uncategorizedIncome: CategoryID {
    CategoryID(rawValue: EntityID(high: 0, low: 5))
  }
}
