import DaybookEntities

// JSON forms of command outcomes; see Docs/JSON.md.

extension MissingRates: Codable {
  private enum Key: String, CodingKey { case source, target, start, end, rowCount, firstLine }

  /// Writes the currencies, and the days from `start` up to but not including `end`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(source, forKey: .source)
    try container.encode(target, forKey: .target)
    try DaySpan(days.lowerBound..<days.upperBound.adding(days: 1)).encode(to: encoder)
    try container.encode(rowCount, forKey: .rowCount)
    try container.encode(firstLine, forKey: .firstLine)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the days end before they start.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let start = try container.decode(Day.self, forKey: .start)
    let end = try container.decode(Day.self, forKey: .end)
    guard start < end else { throw container.fault(.end, "the days end before they start") }
    self.init(
      from: try container.decode(Currency.self, forKey: .source),
      to: try container.decode(Currency.self, forKey: .target), on: start)
    days = start...end.adding(days: -1)
    rowCount = try container.decode(Int.self, forKey: .rowCount)
    firstLine = try container.decode(Int.self, forKey: .firstLine)
  }
}

extension Outcome: Codable {
  private enum Key: String, CodingKey {
    case account, category, transaction, budget, series, rule, assertion, mapping, rate, currency
    case allocation, terms, rows, imported, generated
  }

  /// Writes the outcome in a member named after its kind, or `{}` if it has no id.
  ///
  /// For example: `{"transaction": id}`, `{"rows": 12}`, `{"imported": {…}}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .done: break
    case .account(let id): try container.encode(id, forKey: .account)
    case .category(let id): try container.encode(id, forKey: .category)
    case .transaction(let id): try container.encode(id, forKey: .transaction)
    case .entity(let kind, let id):
      try container.encode(id, forKey: try Self.key(of: kind, encoder))
    case .rows(let count): try container.encode(count, forKey: .rows)
    case .imported(let report): try container.encode(report, forKey: .imported)
    case .generated(let report): try container.encode(report, forKey: .generated)
    }
  }

  private static func key(of kind: EntityKind, _ encoder: any Encoder) throws -> Key {
    switch kind {
    case .budget: .budget
    case .series: .series
    case .rule: .rule
    case .assertion: .assertion
    case .mapping: .mapping
    case .allocation: .allocation
    case .terms: .terms
    case .rate: .rate
    case .currency: .currency
    default:
      throw EncodingError.invalidValue(
        kind,
        .init(
          codingPath: encoder.codingPath, debugDescription: "no command makes a \(kind.name)"))
    }
  }

  /// Reads the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first else {
      self = .done
      return
    }
    func id() throws -> EntityID { try container.decode(EntityID.self, forKey: key) }
    self =
      switch key {
      case .account: .account(AccountID(try id()))
      case .category: .category(CategoryID(try id()))
      case .transaction: .transaction(TransactionID(try id()))
      case .rows: .rows(try container.decode(Int.self, forKey: key))
      case .imported: .imported(try container.decode(ImportReport.self, forKey: key))
      case .generated: .generated(try container.decode(GenerationReport.self, forKey: key))
      case .budget: .entity(.budget, try id())
      case .series: .entity(.series, try id())
      case .rule: .entity(.rule, try id())
      case .assertion: .entity(.assertion, try id())
      case .mapping: .entity(.mapping, try id())
      case .allocation: .entity(.allocation, try id())
      case .terms: .entity(.terms, try id())
      case .rate: .entity(.rate, try id())
      case .currency: .entity(.currency, try id())
      }
  }
}
