// JSON forms of results that aren't encoded property by property, as described in Docs/JSON.md.

extension BudgetStatus: Codable {
  private enum Key: String, CodingKey {
    case budget, days, today, amount, carriedOver, spent, planned
  }

  /// Encodes the properties; `days` has a `start` and an `end`, which is the day after the last
  /// day.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(budget, forKey: .budget)
    try container.encode(DaySpan(days), forKey: .days)
    try container.encode(today, forKey: .today)
    try container.encode(amount, forKey: .amount)
    try container.encode(carriedOver, forKey: .carriedOver)
    try container.encode(spent, forKey: .spent)
    try container.encode(planned, forKey: .planned)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let days = try container.days(.days) else {
      throw DecodingError.keyNotFound(
        Key.days, .init(codingPath: container.codingPath, debugDescription: "the days are missing"))
    }
    self.init(
      budget: try container.decode(Budget.self, forKey: .budget), days: days,
      today: try container.decode(Day.self, forKey: .today),
      amount: try container.decode(Total.self, forKey: .amount),
      carriedOver: try container.decode(Converted.self, forKey: .carriedOver),
      spent: try container.decode(Converted.self, forKey: .spent),
      planned: try container.decode(Converted.self, forKey: .planned))
  }
}

extension Converted: Codable {
  private enum Key: String, CodingKey { case unconverted }

  /// Encodes the converted part as an amount, followed by the unconverted parts.
  public func encode(to encoder: any Encoder) throws {
    try total.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    if !unconverted.isEmpty { try container.encode(unconverted, forKey: .unconverted) }
  }

  /// Decodes the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      total: try Total(from: decoder),
      unconverted: try container.decodeIfPresent([Unconverted].self, forKey: .unconverted) ?? [])
  }
}

extension Unconverted: Codable {
  private enum Key: String, CodingKey { case count }

  /// Encodes the amount and the number of transactions or accounts that make it up.
  public func encode(to encoder: any Encoder) throws {
    try total.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count, forKey: .count)
  }

  /// Decodes the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      total: try Total(from: decoder), count: try container.decode(Int.self, forKey: .count))
  }
}

extension Ratio: Codable {
  private enum Key: String, CodingKey { case part, whole }

  /// Encodes both numbers as text, because many JSON readers don't support integers of this size.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("\(part)", forKey: .part)
    try container.encode("\(whole)", forKey: .whole)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a text isn't a number or the whole isn't positive.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func number(_ key: Key) throws -> Int128? {
      Int128(try container.decode(String.self, forKey: key))
    }
    guard let part = try number(.part), let whole = try number(.whole),
      let ratio = Ratio(part, of: whole)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .whole, in: container, debugDescription: "expected a number and a number above zero"
      )
    }
    self = ratio
  }
}

extension Reconciliation: Codable {
  private enum Key: String, CodingKey { case account, day, statement, locked, rows, ticked }

  /// Encodes the properties; the ids of ticked rows are in row order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(account, forKey: .account)
    try container.encode(day, forKey: .day)
    try container.encodeIfPresent(statement, forKey: .statement)
    try container.encode(locked, forKey: .locked)
    try container.encode(rows, forKey: .rows)
    try container.encode(rows.map(\.id).filter { ticked.contains($0) }, forKey: .ticked)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      account: try container.decode(Account.self, forKey: .account),
      day: try container.decode(Day.self, forKey: .day),
      statement: try container.decodeIfPresent(Total.self, forKey: .statement),
      locked: try container.decode(Total.self, forKey: .locked),
      rows: try container.decode([Row].self, forKey: .rows))
    tick(only: try container.decode([TransactionID].self, forKey: .ticked))
  }
}

extension CreatedCategory: Codable {
  private enum Key: String, CodingKey { case kind, path }

  /// Encodes the path as text: `{"kind": "expense", "path": "Food:Groceries"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode("\(path)", forKey: .path)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the text isn't a path.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let text = try container.decode(String.self, forKey: .path)
    guard let path = CategoryPath(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .path, in: container, debugDescription: "“\(text.excerpt)” isn't a path of names")
    }
    self.init(kind: try container.decode(CategoryKind.self, forKey: .kind), path: path)
  }
}

extension AssertionCheck: Codable {
  private enum Key: String, CodingKey { case assertion, balance, holds }

  /// Encodes the properties, and `holds`, which says whether the balances are equal and isn't
  /// decoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(assertion, forKey: .assertion)
    try container.encode(balance, forKey: .balance)
    try container.encode(holds, forKey: .holds)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      assertion: try container.decode(BalanceAssertion.self, forKey: .assertion),
      balance: try container.decode(Total.self, forKey: .balance))
  }
}
