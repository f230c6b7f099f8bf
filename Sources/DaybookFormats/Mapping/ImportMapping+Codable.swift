extension ImportMapping: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case encoding, delimiter, quote, skipLines, header, ragged, skipRows, date, amount, numbers
    case currency, account, category, description, payee, note, tags, transfer, balance, values
    case about, fee, original, blankCurrency
  }

  /// Decodes a mapping.
  ///
  /// `Docs/Import.md` describes the keys.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      date: try container.decode(DateColumn.self, forKey: .date),
      amount: try container.decode(AmountColumns.self, forKey: .amount),
      currency: try container.value(.currency, or: ColumnTemplate(literal: "")),
      account: try container.decode(ColumnTemplate.self, forKey: .account))
    encoding = try container.decodeIfPresent(TextEncoding.self, forKey: .encoding)
    delimiter = try container.value(.delimiter, or: delimiter)
    quote = try container.value(.quote, or: quote)
    skipLines = try container.value(.skipLines, or: skipLines)
    hasHeader = try container.value(.header, or: hasHeader)
    ragged = try container.value(.ragged, or: ragged)
    skipRows = try container.list(.skipRows, of: RowRule.self)
    numbers = try container.value(.numbers, or: numbers)
    category = try container.list(.category, of: ColumnTemplate.self)
    description = try container.decodeIfPresent(ColumnTemplate.self, forKey: .description)
    payee = try container.decodeIfPresent(ColumnTemplate.self, forKey: .payee)
    note = try container.decodeIfPresent(ColumnTemplate.self, forKey: .note)
    tags = try container.list(.tags, of: ColumnTemplate.self)
    transfer = try container.decodeIfPresent(Transfer.self, forKey: .transfer)
    balance = try container.decodeIfPresent(BalanceColumn.self, forKey: .balance)
    values = try container.value(.values, or: values)
    fee = try container.decodeIfPresent(Fee.self, forKey: .fee)
    original = try container.decodeIfPresent(Original.self, forKey: .original)
    if let text = try container.decodeIfPresent(String.self, forKey: .blankCurrency) {
      blankCurrency = BlankCurrency(text)
    }
  }

  /// Encodes the mapping.
  ///
  /// Most optional keys are omitted if they have their default value. `delimiter` and `header` are
  /// always encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(encoding, forKey: .encoding)
    try container.encode(delimiter, forKey: .delimiter)
    if quote != "\"" { try container.encode(quote, forKey: .quote) }
    if skipLines != 0 { try container.encode(skipLines, forKey: .skipLines) }
    try container.encode(hasHeader, forKey: .header)
    if ragged != .refuse { try container.encode(ragged, forKey: .ragged) }
    if !skipRows.isEmpty { try container.encode(skipRows, forKey: .skipRows) }
    try container.encode(date, forKey: .date)
    try container.encode(amount, forKey: .amount)
    if numbers != Numbers() { try container.encode(numbers, forKey: .numbers) }
    if currency.literal != "" { try container.encode(currency, forKey: .currency) }
    try container.encode(account, forKey: .account)
    if !category.isEmpty { try container.encode(category, forKey: .category) }
    try container.encodeIfPresent(description, forKey: .description)
    try container.encodeIfPresent(payee, forKey: .payee)
    try container.encodeIfPresent(note, forKey: .note)
    if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
    try container.encodeIfPresent(transfer, forKey: .transfer)
    try container.encodeIfPresent(balance, forKey: .balance)
    if !values.isEmpty { try container.encode(values, forKey: .values) }
    try container.encodeIfPresent(fee, forKey: .fee)
    try container.encodeIfPresent(original, forKey: .original)
    if blankCurrency != .refuse { try container.encode(blankCurrency.text, forKey: .blankCurrency) }
  }
}

extension ImportMapping.DateColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable { case column, format, pivot }

  /// Decodes the keys `column`, `format` and `pivot`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(column: try container.decode(ColumnReference.self, forKey: .column))
    format = try container.value(.format, or: format)
    pivot = try container.value(.pivot, or: pivot)
  }

  /// Encodes the column.
  ///
  /// `pivot` is omitted if it has its default value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(column, forKey: .column)
    try container.encode(format, forKey: .format)
    if pivot != 70 { try container.encode(pivot, forKey: .pivot) }
  }
}

extension ImportMapping.AmountColumns: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case column, sum, inverted, debit, credit, type, directions, otherwise
  }

  /// Decodes the keys `column`, `sum`, `inverted`, `debit`, `credit`, `type`, `directions` and
  /// `otherwise`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      column: try container.decodeIfPresent(ColumnReference.self, forKey: .column),
      isInverted: try container.value(.inverted, or: false),
      debit: try container.decodeIfPresent(ColumnReference.self, forKey: .debit),
      credit: try container.decodeIfPresent(ColumnReference.self, forKey: .credit),
      type: try container.decodeIfPresent(ColumnReference.self, forKey: .type),
      directions: try container.value(.directions, or: [:]),
      otherwise: try container.decodeIfPresent(ImportMapping.Direction.self, forKey: .otherwise))
    sum = try container.decodeIfPresent(ColumnSum.self, forKey: .sum)
  }

  /// Encodes the keys whose values differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(column, forKey: .column)
    try container.encodeIfPresent(sum, forKey: .sum)
    if isInverted { try container.encode(true, forKey: .inverted) }
    try container.encodeIfPresent(debit, forKey: .debit)
    try container.encodeIfPresent(credit, forKey: .credit)
    try container.encodeIfPresent(type, forKey: .type)
    if !directions.isEmpty { try container.encode(directions, forKey: .directions) }
    try container.encodeIfPresent(otherwise, forKey: .otherwise)
  }
}

extension ImportMapping.Numbers: Codable {
  private enum Key: String, CodingKey, CaseIterable { case decimal, grouping, symbols }

  /// Decodes the keys `decimal`, `grouping` and `symbols`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      decimal: try container.value(.decimal, or: "."),
      grouping: try container.decodeIfPresent(String.self, forKey: .grouping),
      symbols: try container.value(.symbols, or: []))
  }

  /// Encodes the number format.
  ///
  /// `grouping` and `symbols` are omitted if they have their default values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(decimal, forKey: .decimal)
    try container.encodeIfPresent(grouping, forKey: .grouping)
    if !symbols.isEmpty { try container.encode(symbols, forKey: .symbols) }
  }
}

extension ImportMapping.BalanceColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable { case column, newestFirst }

  /// Decodes the keys `column` and `newestFirst`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      column: try container.decode(ColumnReference.self, forKey: .column),
      isNewestFirst: try container.value(.newestFirst, or: false))
  }

  /// Encodes the column.
  ///
  /// `newestFirst` is omitted if it is `false`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(column, forKey: .column)
    if isNewestFirst { try container.encode(true, forKey: .newestFirst) }
  }
}

extension ImportMapping.RowRule: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case column, equals, beginsWith, fewerColumnsThan
  }

  /// Decodes the keys `column`, `equals`, `beginsWith` and `fewerColumnsThan`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      column: try container.decodeIfPresent(ColumnReference.self, forKey: .column),
      equals: container.contains(.equals) ? try container.list(.equals, of: String.self) : nil,
      beginsWith: try container.decodeIfPresent(String.self, forKey: .beginsWith),
      fewerColumnsThan: try container.decodeIfPresent(Int.self, forKey: .fewerColumnsThan))
  }

  /// Encodes the keys that aren't `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(column, forKey: .column)
    try container.encodeIfPresent(equals, forKey: .equals)
    try container.encodeIfPresent(beginsWith, forKey: .beginsWith)
    try container.encodeIfPresent(fewerColumnsThan, forKey: .fewerColumnsThan)
  }
}

extension ImportMapping.Transfer: Codable {
  private enum Key: String, CodingKey, CaseIterable { case account, amount, currency }

  /// Decodes the keys `account`, `amount` and `currency`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      account: try container.decode(ColumnTemplate.self, forKey: .account),
      amount: try container.decodeIfPresent(ColumnReference.self, forKey: .amount),
      currency: try container.decodeIfPresent(ColumnTemplate.self, forKey: .currency))
  }

  /// Encodes the keys that aren't `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(account, forKey: .account)
    try container.encodeIfPresent(amount, forKey: .amount)
    try container.encodeIfPresent(currency, forKey: .currency)
  }
}

extension ImportMapping.RaggedRows {
  /// Decodes `refuse` or `allow`.
  public init(from decoder: any Decoder) throws { self = try decoder.choice() }
}

extension ImportMapping.Direction {
  /// Decodes `in`, `out` or `skip`.
  public init(from decoder: any Decoder) throws { self = try decoder.choice() }
}
