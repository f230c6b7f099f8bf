// JSON forms of the sums of lists and of changes of the net worth, as described in Docs/JSON.md. The
// net amounts and the gain are written for readers, and ignored when they are read.

extension CurrencySums {
  private enum Key: String, CodingKey {
    case currency, transfers, net
    case moneyIn = "in"
    case moneyOut = "out"
  }

  /// Encodes the figures and the net amount.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(currency, forKey: .currency)
    try container.encode(moneyIn, forKey: .moneyIn)
    try container.encode(moneyOut, forKey: .moneyOut)
    try container.encode(net, forKey: .net)
    try container.encode(transfers, forKey: .transfers)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      in: try container.decode(Currency.self, forKey: .currency),
      moneyIn: try container.decode(Total.self, forKey: .moneyIn).units,
      moneyOut: try container.decode(Total.self, forKey: .moneyOut).units,
      transfers: try container.decode(Total.self, forKey: .transfers).units)
  }
}

extension ConvertedSums {
  private enum Key: String, CodingKey {
    case base, transfers, net
    case moneyIn = "in"
    case moneyOut = "out"
  }

  /// Encodes the figures and the net amount.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(base, forKey: .base)
    try container.encode(moneyIn, forKey: .moneyIn)
    try container.encode(moneyOut, forKey: .moneyOut)
    try container.encode(net, forKey: .net)
    try container.encode(transfers, forKey: .transfers)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      base: try container.decode(Currency.self, forKey: .base),
      moneyIn: try container.decode(Converted.self, forKey: .moneyIn),
      moneyOut: try container.decode(Converted.self, forKey: .moneyOut),
      transfers: try container.decode(Converted.self, forKey: .transfers))
  }
}

extension WorthChange {
  private enum Key: String, CodingKey {
    case first, last, start, end, income, expense, other, excluded, gain
  }

  /// Encodes the properties and the gain.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(first, forKey: .first)
    try container.encode(last, forKey: .last)
    try container.encode(start, forKey: .start)
    try container.encode(end, forKey: .end)
    try container.encode(income, forKey: .income)
    try container.encode(expense, forKey: .expense)
    try container.encode(other, forKey: .other)
    try container.encode(excluded, forKey: .excluded)
    try container.encode(gain, forKey: .gain)
  }
}
