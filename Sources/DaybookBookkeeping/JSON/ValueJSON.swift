// JSON forms of values; see Docs/JSON.md.

extension Currency: Codable {
  private enum Key: String, CodingKey {
    case code, digits
  }

  /// Writes the code alone if the currency is in ISO 4217; otherwise `{"code", "digits"}`.
  public func encode(to encoder: any Encoder) throws {
    if Currency.iso(code) == self {
      var container = encoder.singleValueContainer()
      return try container.encode(code)
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(code, forKey: .code)
    try container.encode(digits, forKey: .digits)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the code alone isn't in ISO 4217, or the code or digits are
  ///   invalid.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(),
      let code = try? container.decode(String.self)
    {
      guard let currency = Currency.iso(code) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription:
            "“\(code.excerpt)” isn't an ISO 4217 currency; for others, give {\"code\", \"digits\"}")
      }
      self = currency
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    let code = try container.decode(String.self, forKey: .code)
    guard
      let currency = Currency(code: code, digits: try container.decode(Int.self, forKey: .digits))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .code, in: container,
        debugDescription:
          "“\(code.excerpt)” isn't a valid currency: use 1 to 7 of A–Z and 0–9, 0 to 18 digits")
    }
    self = currency
  }
}

/// The members of an amount.
enum AmountKey: String, CodingKey {
  case amount, currency
}

extension Money: Codable {
  /// Writes `{"amount": "12.50", "currency": "EUR"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AmountKey.self)
    try container.encode(text, forKey: .amount)
    try container.encode(currency, forKey: .currency)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the amount isn't an exact decimal of the currency.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AmountKey.self)
    let currency = try container.decode(Currency.self, forKey: .currency)
    let text = try container.decode(String.self, forKey: .amount)
    do {
      self = try Money.parse(text, currency: currency)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .amount, in: container, debugDescription: "\(error)")
    }
  }
}

extension Total: Codable {
  /// Writes `{"amount": "12.50", "currency": "EUR"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AmountKey.self)
    try container.encode(text, forKey: .amount)
    try container.encode(currency, forKey: .currency)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the amount doesn't have exactly the currency's number of
  ///   decimals.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AmountKey.self)
    let currency = try container.decode(Currency.self, forKey: .currency)
    let text = try container.decode(String.self, forKey: .amount)
    guard let units = Int128(text.filter { $0 != "." }),
      decimalText(units, digits: currency.digits) == text
    else {
      throw container.fault(
        .amount,
        "“\(text.excerpt)” isn't an amount with the \(currency.digits) decimals of \(currency)")
    }
    self.init(units: units, currency: currency)
  }
}

extension Month: Codable {
  /// Writes the text `yyyy-MM`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads the text `yyyy-MM`.
  ///
  /// - Throws: `DecodingError` if the value has a different form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let month = Month(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text.excerpt)” is not a month: yyyy-MM expected")
    }
    self = month
  }
}

extension Quote: Codable {
  /// Writes the decimal as a string: `"1.0842"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads a decimal greater than zero.
  ///
  /// - Throws: `DecodingError` if the string isn't a decimal greater than zero.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try Quote(try container.decode(String.self))
    } catch let error as MoneyError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}

extension SharedList: Codable where Element: Codable {
  /// Writes an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }

  /// Reads an array.
  public init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

/// A range of days, with an exclusive end.
package struct DaySpan: Hashable, Sendable, Codable {
  /// The first day.
  package var start: Day
  /// The day after the last day.
  package var end: Day

  /// Creates a span from a range of days.
  package init(_ days: Range<Day>) {
    start = days.lowerBound
    end = days.upperBound
  }

  /// The days, or `nil` if the end is before the start.
  package var days: Range<Day>? { start <= end ? start..<end : nil }
}

extension Posting: Codable {
  private enum Key: String, CodingKey {
    case account, category, amount, currency, note
  }

  /// Writes an amount with its account or category.
  ///
  /// For example: `{"account": …, "amount": "-12.50", "currency": "EUR"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch account {
    case .account(let id): try container.encode(id, forKey: .account)
    case .category(let id): try container.encode(id, forKey: .category)
    }
    try container.encode(amount.text, forKey: .amount)
    try container.encode(amount.currency, forKey: .currency)
    if !note.isEmpty { try container.encode(note, forKey: .note) }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if there isn't exactly one of account and category, or the amount is
  ///   invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let accountID = try container.decodeIfPresent(AccountID.self, forKey: .account)
    let categoryID = try container.decodeIfPresent(CategoryID.self, forKey: .category)
    let account: PostingAccount
    switch (accountID, categoryID) {
    case (let id?, nil): account = .account(id)
    case (nil, let id?): account = .category(id)
    default:
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "a posting needs an account or a category, not both"))
    }
    self.init(
      account, try Money(from: decoder),
      note: try container.decodeIfPresent(String.self, forKey: .note) ?? "")
  }
}
