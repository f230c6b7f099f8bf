extension ImportMapping {
  /// The bank's fee for a row, which becomes a separate posting.
  public struct Fee: Hashable, Sendable {
    /// The column or sum of columns with the fee; positive if the fee is charged.
    public var amount: ColumnSum
    /// The category of the fee, from the top.
    public var category: [ColumnTemplate]
    /// Whether negative amounts are charges, for banks that list the fee as a movement of the
    /// account.
    public var isInverted: Bool
    /// Whether the row's amount already includes the fee.
    ///
    /// If `false`, the account's balance changes by the amount and the fee.
    public var isIncluded: Bool

    /// Creates the mapping of a fee.
    public init(
      _ amount: ColumnSum, category: [ColumnTemplate] = [ColumnTemplate(literal: "Fees")],
      isInverted: Bool = false, isIncluded: Bool = false
    ) {
      self.amount = amount
      self.category = category
      self.isInverted = isInverted
      self.isIncluded = isIncluded
    }
  }

  /// The amount of a payment in another currency, for rows whose amount has been converted to the
  /// account's currency.
  public struct Original: Hashable, Sendable {
    /// The column of the amount.
    ///
    /// The sign is ignored. If the column is blank, the row has only the amount in the account's
    /// currency.
    public var column: ColumnReference
    /// The currency of the amount.
    public var currency: ColumnTemplate

    /// Creates the mapping of an original amount.
    public init(column: ColumnReference, currency: ColumnTemplate) {
      self.column = column
      self.currency = currency
    }
  }

  /// The currency of rows whose currency is blank.
  public enum BlankCurrency: Hashable, Sendable {
    /// The row is a bad line.
    case refuse
    /// The row is in the currency of its account, which must exist.
    case account
    /// The row is in the currency with this code.
    case code(String)

    /// Parses the value in a mapping, which is `refuse`, `account` or a currency code.
    public init(_ text: String) {
      switch text {
      case "refuse": self = .refuse
      case "account": self = .account
      default: self = .code(text)
      }
    }

    /// The value in a mapping.
    public var text: String {
      switch self {
      case .refuse: "refuse"
      case .account: "account"
      case .code(let code): code
      }
    }
  }
}

extension ImportMapping.Fee: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case column, sum, category, inverted, included
  }

  /// Decodes the keys `column` or `sum`, `category`, `inverted` and `included`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    if let sum = try container.decodeIfPresent(ColumnSum.self, forKey: .sum) {
      self.init(sum)
    } else {
      self.init(ColumnSum(column: try container.decode(ColumnReference.self, forKey: .column)))
    }
    let category = try container.list(.category, of: ColumnTemplate.self)
    if !category.isEmpty { self.category = category }
    isInverted = try container.value(.inverted, or: false)
    isIncluded = try container.value(.included, or: false)
  }

  /// Encodes the fee.
  ///
  /// `inverted` and `included` are omitted if they are `false`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if let column = amount.column {
      try container.encode(column, forKey: .column)
    } else {
      try container.encode(amount, forKey: .sum)
    }
    try container.encode(category, forKey: .category)
    if isInverted { try container.encode(true, forKey: .inverted) }
    if isIncluded { try container.encode(true, forKey: .included) }
  }
}

extension ImportMapping.Original: Codable {
  private enum Key: String, CodingKey, CaseIterable { case column, currency }

  /// Decodes the keys `column` and `currency`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      column: try container.decode(ColumnReference.self, forKey: .column),
      currency: try container.decode(ColumnTemplate.self, forKey: .currency))
  }

  /// Encodes both keys.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(column, forKey: .column)
    try container.encode(currency, forKey: .currency)
  }
}
