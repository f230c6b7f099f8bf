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
  /// Only transactions that touch any of these accounts, from either side; empty for all.
  public var accounts: [AccountID]
  /// Only transactions that touch any of these categories, or one below; empty for all.
  public var categories: [CategoryID]
  /// Whether ``categories`` stand for their subcategories too.
  public var includesSubcategories: Bool
  /// Only transactions with a part that has no category yet.
  ///
  /// That is as though *uncategorised* were one more of ``categories``: together with some, their
  /// transactions are taken as well. Transfers need no category, and are not uncategorised.
  public var isUncategorized: Bool
  /// Only transactions of this type.
  public var type: TransactionType?
  /// Only transactions of this status.
  ///
  /// They are found as ``text``.
  public var status: Status?
  /// Only transactions with a posting to an account or category in this currency.
  public var currency: Currency?
  /// Only transactions with a posting, to an account or category, of one of these amounts; empty for
  /// all.
  ///
  /// A split is found by its whole amount and by that of each part. They are found as ``text``; amounts that
  /// differ by less than a thirtieth are told apart by a look at their rows.
  public var amounts: [AmountRange]
  /// Only transactions of these days, half-open.
  public var days: Range<Day>?
  /// Only transactions whose description, payee, note, tags, notes of parts or category's name hold
  /// this text, whatever its case and accents; ``SearchFolding`` says exactly when.
  ///
  /// An index finds them, together with the rest of the filter. A text without anything to look
  /// for, such as a space, takes all.
  public var text: String?
  /// Only transactions whose payee holds this text, compared and found as ``text``.
  public var payee: String?
  /// Whether ``payee`` is the whole payee, and not a part of it.
  public var matchesWholePayee: Bool
  /// Only transactions that have all of these tags, whole ones, whatever their case and accents; empty
  /// for all.
  ///
  /// They are found as ``text``.
  public var tags: [String]

  /// A filter of all that is given; what is not given takes everything.
  ///
  /// Each is as the property of its name. `account` and `category` are one more of ``accounts`` and
  /// ``categories``.
  public init(
    account: AccountID? = nil, category: CategoryID? = nil, includesSubcategories: Bool = true,
    type: TransactionType? = nil, currency: Currency? = nil, days: Range<Day>? = nil,
    text: String? = nil, accounts: [AccountID] = [], categories: [CategoryID] = [],
    isUncategorized: Bool = false, status: Status? = nil, amounts: [AmountRange] = [],
    payee: String? = nil, matchesWholePayee: Bool = false, tags: [String] = []
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
  }

  /// The account that transactions touch; `nil` where there is none or several.
  public var account: AccountID? {
    get { accounts.count == 1 ? accounts[0] : nil }
    set { accounts = newValue.map { [$0] } ?? [] }
  }

  /// The category that transactions touch; `nil` where there is none or several.
  public var category: CategoryID? {
    get { categories.count == 1 ? categories[0] : nil }
    set { categories = newValue.map { [$0] } ?? [] }
  }

  /// The filter that takes everything.
  public static let all = TransactionFilter()
}

/// Amounts from one to another, whichever way the money goes: 12.50 is found as −12.50 too.
public struct AmountRange: Hashable, Sendable {
  /// In which currency; `nil` for any.
  public let currency: Currency?
  /// The least and the greatest amount, both included, without sign.
  ///
  /// They have ``decimals``: of 2, 1250 is 12.50.
  public let units: ClosedRange<Int64>
  /// How many decimals ``units`` have, from 0 to 18.
  public let decimals: Int

  /// Amounts of a currency, in its minor units.
  public init(_ minorUnits: ClosedRange<Int64>, in currency: Currency) {
    self.currency = currency
    units = minorUnits
    decimals = currency.digits
  }

  /// Amounts of any currency, or of one: with 2 decimals, 1250 is 12.50 EUR and 12.500 KWD, and no
  /// amount in JPY.
  ///
  /// - Parameters:
  ///   - units: The least and the greatest amount, both included, without sign.
  ///   - decimals: How many decimals they have, clamped to 0 through 18.
  ///   - currency: In which currency; `nil` for any.
  public init(_ units: ClosedRange<Int64>, decimals: Int, in currency: Currency? = nil) {
    self.currency = currency
    self.units = units
    self.decimals = min(max(decimals, 0), 18)
  }

  /// Whether an amount is one of these.
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

  // The least number has no positive one that is as far from zero.
  private func magnitude(_ units: Int64) -> Int64 { Int64(clamping: units.magnitude) }

  private func power(_ digits: Int) -> Int128 {
    var power: Int128 = 1
    for _ in 0..<min(digits, 18) { power *= 10 }
    return power
  }
}

/// Where a transaction stands in every list: its day, then its recording number.
///
/// Pass the key of the last row of a page to get the next page.
public struct TransactionPosition: Hashable, Comparable, Sendable {
  /// The transaction's day.
  public var day: Day
  /// Its recording number, which it keeps for ever.
  public var number: UInt64

  /// The place of a day and recording number; the transaction need not be there.
  public init(day: Day, number: UInt64) {
    self.day = day
    self.number = number
  }

  /// Orders keys by day, then by number: oldest first.
  public static func < (left: TransactionPosition, right: TransactionPosition) -> Bool {
    left.day != right.day ? left.day < right.day : left.number < right.number
  }
}

extension Transaction {
  /// Where this transaction stands in every list.
  public var key: TransactionPosition { TransactionPosition(day: day, number: number) }
}
