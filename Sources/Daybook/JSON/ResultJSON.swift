// The JSON forms of results that are not simply their properties, as Docs/JSON.md tells them.

extension BudgetStatus: Codable {
  private enum Key: String, CodingKey {
    case budget, days, today, amount, carriedOver, spent, planned
  }

  /// Writes the properties, `days` from `start` to `end`, the day after the last.
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

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` where a member is missing or not what it should be.
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

  /// Writes the converted part as an amount, with what is not in it.
  public func encode(to encoder: any Encoder) throws {
    try total.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    if !unconverted.isEmpty { try container.encode(unconverted, forKey: .unconverted) }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      total: try Total(from: decoder),
      unconverted: try container.decodeIfPresent([Unconverted].self, forKey: .unconverted) ?? [])
  }
}

extension Unconverted: Codable {
  private enum Key: String, CodingKey { case count }

  /// Writes an amount with how many it is of.
  public func encode(to encoder: any Encoder) throws {
    try total.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count, forKey: .count)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      total: try Total(from: decoder), count: try container.decode(Int.self, forKey: .count))
  }
}

extension Ratio: Codable {
  private enum Key: String, CodingKey { case part, whole }

  /// Writes both numbers as texts, since they may be longer than other readers of JSON take.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("\(part)", forKey: .part)
    try container.encode("\(whole)", forKey: .whole)
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` where they are no numbers, or the whole is not above zero.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func number(_ key: Key) throws -> Int128? {
      Int128(try container.decode(String.self, forKey: key))
    }
    guard let part = try number(.part), let whole = try number(.whole),
      let ratio = Ratio(part, of: whole)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .whole, in: container, debugDescription: "a number and one above zero are expected")
    }
    self = ratio
  }
}

extension Reconciliation: Codable {
  private enum Key: String, CodingKey { case account, day, statement, locked, rows, ticked }

  /// Writes the properties, the ids of ticked rows in the order of the rows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(account, forKey: .account)
    try container.encode(day, forKey: .day)
    try container.encodeIfPresent(statement, forKey: .statement)
    try container.encode(locked, forKey: .locked)
    try container.encode(rows, forKey: .rows)
    try container.encode(rows.map(\.id).filter { ticked.contains($0) }, forKey: .ticked)
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` where a member is missing or not what it should be.
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

  /// Writes the path as a text: `{"kind": "expense", "path": "Food:Groceries"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode("\(path)", forKey: .path)
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` where the text is no path.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let text = try container.decode(String.self, forKey: .path)
    guard let path = CategoryPath(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .path, in: container, debugDescription: "“\(text.excerpt)” is no path of names")
    }
    self.init(kind: try container.decode(CategoryKind.self, forKey: .kind), path: path)
  }
}

extension AssertionCheck: Codable {
  private enum Key: String, CodingKey { case assertion, balance, holds }

  /// Writes the properties, and whether the two agree, which a reader has from them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(assertion, forKey: .assertion)
    try container.encode(balance, forKey: .balance)
    try container.encode(holds, forKey: .holds)
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` where a member is missing or not what it should be.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      assertion: try container.decode(BalanceAssertion.self, forKey: .assertion),
      balance: try container.decode(Total.self, forKey: .balance))
  }
}
