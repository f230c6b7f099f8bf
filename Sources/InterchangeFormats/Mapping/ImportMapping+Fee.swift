extension ImportMapping {
  /// What the bank charges for a row, beside its amount: a posting of its own.
  public struct Fee: Hashable, Sendable {
    /// The column, or columns; positive where it is charged.
    public var amount: ColumnSum
    /// The category of fees, from the top.
    public var category: [ColumnTemplate]
    /// Whether a negative amount is charged, as where banks list it as a movement.
    public var isInverted: Bool
    /// Whether the row's amount has it in it already; otherwise the account moves by both.
    public var isIncluded: Bool

    /// A fee.
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

  /// What was paid in another currency, where the row's amount is what it came to in the account's.
  public struct Original: Hashable, Sendable {
    /// The column; its sign is ignored, and a row where it is blank has only the account's amount.
    public var column: ColumnReference
    /// Its currency.
    public var currency: ColumnTemplate

    /// An amount in another currency.
    public init(column: ColumnReference, currency: ColumnTemplate) {
      self.column = column
      self.currency = currency
    }
  }

  /// What a row is in whose currency is blank.
  public enum BlankCurrency: Hashable, Sendable {
    /// It is a bad line.
    case refuse
    /// In the currency of its account, which has to be there.
    case account
    /// In the currency of this code.
    case code(String)

    /// As written in a mapping: `refuse`, `account` or a code.
    public init(_ text: String) {
      switch text {
      case "refuse": self = .refuse
      case "account": self = .account
      default: self = .code(text)
      }
    }

    /// As written in a mapping.
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

  /// Reads `column` or `sum`, `category`, `inverted` and `included`.
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

  /// Writes every key that differs from its default.
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

  /// Reads `column` and `currency`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      column: try container.decode(ColumnReference.self, forKey: .column),
      currency: try container.decode(ColumnTemplate.self, forKey: .currency))
  }

  /// Writes both keys.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(column, forKey: .column)
    try container.encode(currency, forKey: .currency)
  }
}
