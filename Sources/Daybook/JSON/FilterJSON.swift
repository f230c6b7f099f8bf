// JSON forms of filters, as described in Docs/JSON.md. Conditions that match everything are
// omitted.

extension TransactionFilter: Codable {
  private enum Key: String, CodingKey {
    case accounts, categories, includesSubcategories, uncategorized, type, status, currency, amounts
    case days, text, payee, matchesWholePayee, tags, excluded, textAmounts
  }

  /// Encodes the conditions; a filter that matches everything is `{}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if !accounts.isEmpty { try container.encode(accounts, forKey: .accounts) }
    if !categories.isEmpty { try container.encode(categories, forKey: .categories) }
    if !includesSubcategories { try container.encode(false, forKey: .includesSubcategories) }
    if isUncategorized { try container.encode(true, forKey: .uncategorized) }
    try container.encodeIfPresent(type, forKey: .type)
    try container.encodeIfPresent(status, forKey: .status)
    try container.encodeIfPresent(currency, forKey: .currency)
    if !amounts.isEmpty { try container.encode(amounts, forKey: .amounts) }
    try container.encodeIfPresent(days.map { DaySpan($0) }, forKey: .days)
    try container.encodeIfPresent(text, forKey: .text)
    try container.encodeIfPresent(payee, forKey: .payee)
    if matchesWholePayee { try container.encode(true, forKey: .matchesWholePayee) }
    if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
    try container.encodeIfPresent(isExcluded, forKey: .excluded)
    if !textAmounts.isEmpty { try container.encode(textAmounts, forKey: .textAmounts) }
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func list<Element: Decodable>(_ key: Key) throws -> [Element] {
      try container.decodeIfPresent([Element].self, forKey: key) ?? []
    }
    func flag(_ key: Key, or absent: Bool = false) throws -> Bool {
      try container.decodeIfPresent(Bool.self, forKey: key) ?? absent
    }
    self.init(
      includesSubcategories: try flag(.includesSubcategories, or: true),
      type: try container.decodeIfPresent(TransactionType.self, forKey: .type),
      currency: try container.decodeIfPresent(Currency.self, forKey: .currency),
      days: try container.days(.days),
      text: try container.decodeIfPresent(String.self, forKey: .text),
      accounts: try list(.accounts), categories: try list(.categories),
      isUncategorized: try flag(.uncategorized),
      status: try container.decodeIfPresent(Status.self, forKey: .status),
      amounts: try list(.amounts),
      payee: try container.decodeIfPresent(String.self, forKey: .payee),
      matchesWholePayee: try flag(.matchesWholePayee), tags: try list(.tags),
      isExcluded: try container.decodeIfPresent(Bool.self, forKey: .excluded),
      textAmounts: try list(.textAmounts))
  }
}

extension KeyedDecodingContainer {
  /// Decodes days from `start` up to `end`, which is the day after the last day; returns `nil` if
  /// the member is missing.
  func days(_ key: Key) throws -> Range<Day>? {
    guard let span = try decodeIfPresent(DaySpan.self, forKey: key) else { return nil }
    guard let days = span.days else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "the last day is before the first")
    }
    return days
  }
}

extension AmountRange: Codable {
  private enum Key: String, CodingKey { case least, most, currency }

  /// Encodes both ends as decimal numbers: `{"least": "10.00", "most": "30.00", "currency":
  /// "EUR"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let scale = Currency(packed: UInt64(decimals))
    try container.encode(Money(units.lowerBound, scale).text, forKey: .least)
    try container.encode(Money(units.upperBound, scale).text, forKey: .most)
    try container.encodeIfPresent(currency, forKey: .currency)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if `least` and `most` aren't decimal numbers with the same number of
  ///   decimals, or if `most` is less than `least`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let (least, decimals) = try Self.units(container, .least)
    let (most, others) = try Self.units(container, .most)
    guard decimals == others, least <= most else {
      throw DecodingError.dataCorruptedError(
        forKey: .most, in: container,
        debugDescription: "expected an amount of at least “least”, with the same number of decimals"
      )
    }
    self.init(
      least...most, decimals: decimals,
      in: try container.decodeIfPresent(Currency.self, forKey: .currency))
  }

  private static func units(
    _ container: KeyedDecodingContainer<Key>, _ key: Key
  ) throws -> (units: Int64, decimals: Int) {
    let text = try container.decode(String.self, forKey: key)
    let decimals = text.firstIndex(of: ".").map { text[$0...].utf8.count - 1 } ?? 0
    guard (0...18).contains(decimals), let units = Int64(text.filter { $0 != "." }),
      Money(units, Currency(packed: UInt64(decimals))).text == text
    else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "“\(text.excerpt)” isn't an amount")
    }
    return (units, decimals)
  }
}

extension TransactionPosition: Codable {
  /// Encodes the day and the recording number in their usual notation: `"2026-02-14#123"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(day)#\(number)")
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the text isn't a transaction's position.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let day = Day(parts[0]), let number = UInt64(parts[1]) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "“\(text.excerpt)” isn't a place such as “2026-02-14#123”")
    }
    self.init(day: day, number: number)
  }
}
