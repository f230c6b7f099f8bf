/// Which transactions a list, a count or day sections are about.
///
/// Everything that is given must hold; an empty filter takes all.
///
/// ```swift
/// var filter = TransactionFilter()
/// filter.account = savings
/// filter.days = Month(year: 2026, month: 2).days
/// ```
public struct TransactionFilter: Hashable, Sendable {
  /// Only transactions that touch this account, from either side.
  public var account: AccountID?
  /// Only transactions that touch this category, or one below it.
  public var category: CategoryID?
  /// Whether ``category`` stands for its subcategories too.
  public var includesSubcategories: Bool
  /// Only transactions of this type.
  public var type: TransactionType?
  /// Only transactions with a posting to an account or category in this currency.
  public var currency: Currency?
  /// Only transactions of these days, half-open.
  public var days: Range<Day>?
  /// Only transactions whose description, payee, note, tags, notes of parts or category's name hold
  /// this text, whatever its case and accents; ``SearchFolding`` says exactly when.
  ///
  /// An index finds them, together with the rest of the filter. A text without anything to look
  /// for, such as a space, takes all.
  public var text: String?

  /// A filter.
  public init(
    account: AccountID? = nil, category: CategoryID? = nil, includesSubcategories: Bool = true,
    type: TransactionType? = nil, currency: Currency? = nil, days: Range<Day>? = nil,
    text: String? = nil
  ) {
    self.account = account
    self.category = category
    self.includesSubcategories = includesSubcategories
    self.type = type
    self.currency = currency
    self.days = days
    self.text = text
  }

  /// The filter that takes everything.
  public static let all = TransactionFilter()
}

/// Where a transaction stands in every list: its day, then its recording number.
///
/// Pass the key of the last row of a page to get the next page.
public struct TransactionKey: Hashable, Comparable, Sendable {
  /// The transaction's day.
  public var day: Day
  /// Its recording number, which it keeps for ever.
  public var number: UInt64

  /// A key.
  public init(day: Day, number: UInt64) {
    self.day = day
    self.number = number
  }

  /// Orders keys by day, then by number: oldest first.
  public static func < (left: TransactionKey, right: TransactionKey) -> Bool {
    left.day != right.day ? left.day < right.day : left.number < right.number
  }
}

extension Transaction {
  /// Where this transaction stands in every list.
  public var key: TransactionKey { TransactionKey(day: day, number: number) }
}
