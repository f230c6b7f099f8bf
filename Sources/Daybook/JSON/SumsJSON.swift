// JSON forms of the sums of lists and of changes of the net worth, as described in Docs/JSON.md. The
// net amounts and the gain are written for readers, and ignored when they are read.

/// The members of sums.
private enum SumsKey: String, CodingKey {
  case currency, base, transfers, net
  case moneyIn = "in"
  case moneyOut = "out"
}

extension Encoder {
  /// Encodes the currency, the figures and the net amount of sums.
  fileprivate func encode<Figure: Encodable, Net: Encodable>(
    _ currency: Currency, _ key: SumsKey, moneyIn: Figure, moneyOut: Figure, net: Net,
    transfers: Figure
  ) throws {
    var container = container(keyedBy: SumsKey.self)
    try container.encode(currency, forKey: key)
    try container.encode(moneyIn, forKey: .moneyIn)
    try container.encode(moneyOut, forKey: .moneyOut)
    try container.encode(net, forKey: .net)
    try container.encode(transfers, forKey: .transfers)
  }
}

extension CurrencySums {
  /// Encodes the figures and the net amount.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(
      currency, .currency, moneyIn: moneyIn, moneyOut: moneyOut, net: net, transfers: transfers)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SumsKey.self)
    func units(_ key: SumsKey) throws -> Int128 {
      try container.decode(Total.self, forKey: key).units
    }
    self.init(
      in: try container.decode(Currency.self, forKey: .currency), moneyIn: try units(.moneyIn),
      moneyOut: try units(.moneyOut), transfers: try units(.transfers))
  }
}

extension ConvertedSums {
  /// Encodes the figures and the net amount.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(
      base, .base, moneyIn: moneyIn, moneyOut: moneyOut, net: net, transfers: transfers)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SumsKey.self)
    func figure(_ key: SumsKey) throws -> Converted {
      try container.decode(Converted.self, forKey: key)
    }
    self.init(
      base: try container.decode(Currency.self, forKey: .base), moneyIn: try figure(.moneyIn),
      moneyOut: try figure(.moneyOut), transfers: try figure(.transfers))
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
