/// The conditions that transactions must meet to be in a list, a count or day sections.
///
/// A transaction must meet all given conditions; an empty filter matches every transaction.
///
/// ```swift
/// var filter = TransactionFilter()
/// filter.account = savings
/// filter.days = Month(year: 2026, month: 2).days
/// ```
public struct TransactionFilter: Hashable, Sendable {
  /// Matches transactions with a posting to any of these accounts, in either direction; empty for
  /// all.
  public var accounts: [AccountID]
  /// Matches transactions with a posting to any of these categories; empty for all.
  ///
  /// Subcategories are included if ``includesSubcategories`` is set.
  public var categories: [CategoryID]
  /// Whether ``categories`` includes their subcategories.
  public var includesSubcategories: Bool
  /// Whether to match transactions with a part that has no category yet.
  ///
  /// *Uncategorised* acts as another element of ``categories``: if both are given, transactions
  /// that match either are included. Transfers need no category, so they are not uncategorised.
  public var isUncategorized: Bool
  /// Matches transactions of this type.
  public var type: TransactionType?
  /// Matches transactions with this status.
  ///
  /// The search index finds these transactions, as for ``text``.
  public var status: Status?
  /// Matches transactions with a posting to an account or category in this currency.
  public var currency: Currency?
  /// Matches transactions with a posting of any of these amounts to an account or category; empty
  /// for all.
  ///
  /// A split matches by its total and by the amount of each part. The search index finds the rows,
  /// as for ``text``. The index doesn't distinguish amounts that differ by less than a thirtieth,
  /// so rows with such amounts are read and tested.
  public var amounts: [AmountRange]
  /// Matches transactions on these days, half-open.
  public var days: Range<Day>?
  /// Matches transactions that contain this text in one of their properties.
  ///
  /// The description, payee, note, tags, notes of parts and category names are searched. Case and
  /// accents are ignored; ``SearchFolding`` defines the comparison. An index finds the
  /// transactions, in combination with the rest of the filter. A text without anything to search
  /// for, such as a space, matches every transaction.
  public var text: String?
  /// The amounts that a transaction can have instead of containing ``text``; ignored without a text.
  ///
  /// Use it for a search field that finds words and amounts: with the text `12.50` and the amount
  /// 12.50, the note “paid 12.50” and an expense of 12.50 both match. Amounts are compared as for
  /// ``amounts``.
  public var textAmounts: [AmountRange]
  /// Matches transactions whose payee contains this text, which is compared and found like
  /// ``text``.
  public var payee: String?
  /// Whether ``payee`` must match the whole payee instead of a part of it.
  public var matchesWholePayee: Bool
  /// Matches transactions that have all of these tags; empty for all.
  ///
  /// Tags match as a whole, ignoring case and accents. The search index finds the transactions, as
  /// for ``text``.
  public var tags: [String]
  /// Matches transactions of which totals leave something out (`true`), or count something (`false`).
  ///
  /// A split with an excluded category can match both. With a filter by category, only the parts in
  /// these categories matter. Sums add up what is left out if it is `true`, and otherwise what
  /// counts. See ``TransactionDetails/isExcludedFromTotals``.
  public var isExcluded: Bool?

  /// Creates a filter with the given conditions; omitted conditions match everything.
  ///
  /// Each parameter sets the property with its name. `account` and `category` are added to
  /// ``accounts`` and ``categories``.
  public init(
    account: AccountID? = nil, category: CategoryID? = nil, includesSubcategories: Bool = true,
    type: TransactionType? = nil, currency: Currency? = nil, days: Range<Day>? = nil,
    text: String? = nil, accounts: [AccountID] = [], categories: [CategoryID] = [],
    isUncategorized: Bool = false, status: Status? = nil, amounts: [AmountRange] = [],
    payee: String? = nil, matchesWholePayee: Bool = false, tags: [String] = [],
    isExcluded: Bool? = nil, textAmounts: [AmountRange] = []
  ) {
    self.accounts = (account.map { [$0] } ?? []) + accounts
    self.categories = (category.map { [$0] } ?? []) + categories
    self.includesSubcategories = includesSubcategories
    self.isUncategorized = isUncategorized
    self.type = type
    self.status = status
    self.currency = currency
    self.amounts = amounts
    self.days = days
    self.text = text
    self.payee = payee
    self.matchesWholePayee = matchesWholePayee
    self.tags = tags
    self.isExcluded = isExcluded
    self.textAmounts = textAmounts
  }

  /// The filter's account, or `nil` if there is none or more than one.
  public var account: AccountID? {
    get { accounts.count == 1 ? accounts[0] : nil }
    set { accounts = newValue.map { [$0] } ?? [] }
  }

  /// The filter's category, or `nil` if there is none or more than one.
  public var category: CategoryID? {
    get { categories.count == 1 ? categories[0] : nil }
    set { categories = newValue.map { [$0] } ?? [] }
  }

  /// A filter that matches every transaction.
  public static let all = TransactionFilter()
}

/// A range of amounts that ignores the sign: 12.50 also matches −12.50.
public struct AmountRange: Hashable, Sendable {
  /// The currency; `nil` for any.
  public let currency: Currency?
  /// The smallest and the largest amount, inclusive and without sign.
  ///
  /// Both have ``decimals`` decimals: with 2 decimals, 1250 is 12.50.
  public let units: ClosedRange<Int64>
  /// The number of decimals of ``units``, from 0 to 18.
  public let decimals: Int

  /// Creates a range of amounts in a currency's minor units.
  public init(_ minorUnits: ClosedRange<Int64>, in currency: Currency) {
    self.currency = currency
    units = minorUnits
    decimals = currency.digits
  }

  /// Creates a range of amounts with a given number of decimals, in any currency or in one.
  ///
  /// With 2 decimals, 1250 matches 12.50 EUR and 12.500 KWD, but no amount in JPY.
  ///
  /// - Parameters:
  ///   - units: The smallest and the largest amount, inclusive and without sign.
  ///   - decimals: The number of decimals of `units`, clamped to 0 through 18.
  ///   - currency: The currency; `nil` for any.
  public init(_ units: ClosedRange<Int64>, decimals: Int, in currency: Currency? = nil) {
    self.currency = currency
    self.units = units
    self.decimals = min(max(decimals, 0), 18)
  }

  /// Returns whether an amount is in the range, ignoring its sign.
  public func contains(_ amount: Money) -> Bool {
    contains(amount.minorUnits, amount.currency)
  }

  func contains(_ units: Int64, _ currency: Currency) -> Bool {
    if let own = self.currency, own != currency { return false }
    let amount = Int128(magnitude(units)) * power(decimals)
    let unit = power(currency.digits)
    return Int128(self.units.lowerBound) * unit <= amount
      && amount <= Int128(self.units.upperBound) * unit
  }

  // The magnitude of `Int64.min` doesn't fit an `Int64`.
  private func magnitude(_ units: Int64) -> Int64 { Int64(clamping: units.magnitude) }

  private func power(_ digits: Int) -> Int128 {
    var power: Int128 = 1
    for _ in 0..<min(digits, 18) { power *= 10 }
    return power
  }
}

/// The position of a transaction in lists, which consists of its day and its recording number.
///
/// Pass the key of a page's last row to get the next page. In the list of a single account, a
/// transaction that counts there on another day has its position on that day:
/// ``TransactionFilter/position(of:)``. Its ``Transaction/key`` stands for that position.
public struct TransactionPosition: Hashable, Comparable, Sendable {
  /// The transaction's day.
  public var day: Day
  /// The transaction's recording number, which never changes.
  public var number: UInt64

  /// Creates the position with a day and a recording number; there need not be a transaction at the
  /// position.
  public init(day: Day, number: UInt64) {
    self.day = day
    self.number = number
  }

  /// Orders positions by day, then by number: oldest first.
  public static func < (left: TransactionPosition, right: TransactionPosition) -> Bool {
    left.day != right.day ? left.day < right.day : left.number < right.number
  }
}

extension TransactionFilter {
  /// Returns the day on which the filter's list shows a transaction: for a single account, the day
  /// that counts on the account, otherwise the transaction's day.
  public func day(of transaction: Transaction) -> Day {
    guard let account = Set(accounts).count == 1 ? accounts.first : nil else {
      return transaction.day
    }
    return transaction.day(on: account)
  }

  /// Returns the position of a transaction in the filter's list; see ``day(of:)``.
  public func position(of transaction: Transaction) -> TransactionPosition {
    TransactionPosition(day: day(of: transaction), number: transaction.number)
  }
}

extension Transaction {
  /// The transaction's position in every list but that of an account on which another day counts.
  public var key: TransactionPosition { TransactionPosition(day: day, number: number) }
}
