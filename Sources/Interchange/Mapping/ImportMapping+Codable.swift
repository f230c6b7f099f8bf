public import Foundation

extension ImportMapping {
  /// Reads a mapping file.
  /// - Throws: `InterchangeError` of code `mapping`, naming the key.
  public init(path: String) throws(InterchangeError) {
    let bytes = try CSVFile.read(path)
    do {
      try self.init(json: Data(bytes))
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  /// Reads a mapping from JSON.
  /// - Throws: `InterchangeError` of code `mapping`, naming the key.
  public init(json: Data) throws(InterchangeError) {
    do {
      self = try JSONDecoder().decode(ImportMapping.self, from: json)
    } catch {
      throw InterchangeError(
        .mapping, "The mapping cannot be read: \(Self.describe(error)).",
        remedy: "See Docs/Import.md for its keys.")
    }
  }

  /// The mapping as JSON, with the keys in order.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  private static func describe(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    func place(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the file" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      let path = context.codingPath + [key]
      return "\(place(path)) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context):
      return "in \(place(context.codingPath)), \(context.debugDescription)"
    @unknown default:
      return "\(error)"
    }
  }
}

/// A key of any name, to find those that a mapping does not have.
struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init?(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}

extension Decoder {
  /// A container that has no keys beyond those of `Key`.
  func strictContainer<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Set(Key.allCases.map(\.stringValue))
    let any = try container(keyedBy: AnyKey.self)
    if let stray = any.allKeys.first(where: { !known.contains($0.stringValue) }) {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath,
          debugDescription: "the key \(stray.stringValue) does not exist; known are "
            + known.sorted().joined(separator: ", ")))
    }
    return try container(keyedBy: keys)
  }
}

extension KeyedDecodingContainer {
  func value<T: Decodable>(_ key: Key, or standard: T) throws -> T {
    try decodeIfPresent(T.self, forKey: key) ?? standard
  }

  /// A list, or one value that stands for a list of one.
  func list<T: Decodable>(_ key: Key, of _: T.Type) throws -> [T] {
    guard contains(key) else { return [] }
    if let one = try? decode(T.self, forKey: key) { return [one] }
    return try decode([T].self, forKey: key)
  }
}

extension ImportMapping: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case encoding, delimiter, quote, skipLines, header, ragged, skipRows, date, amount, numbers
    case currency, account, category, description, payee, note, tags, transfer, balance, values
    case about
  }

  /// Reads a mapping; `Docs/Import.md` describes the keys.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      date: try container.decode(DateColumn.self, forKey: .date),
      amount: try container.decode(AmountColumns.self, forKey: .amount),
      currency: try container.decode(ColumnTemplate.self, forKey: .currency),
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
  }

  /// Writes every key that differs from its default.
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
    try container.encode(currency, forKey: .currency)
    try container.encode(account, forKey: .account)
    if !category.isEmpty { try container.encode(category, forKey: .category) }
    try container.encodeIfPresent(description, forKey: .description)
    try container.encodeIfPresent(payee, forKey: .payee)
    try container.encodeIfPresent(note, forKey: .note)
    if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
    try container.encodeIfPresent(transfer, forKey: .transfer)
    try container.encodeIfPresent(balance, forKey: .balance)
    if !values.isEmpty { try container.encode(values, forKey: .values) }
  }
}

extension ImportMapping.DateColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable { case column, format, pivot }

  /// Reads `column`, `format` and `pivot`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(column: try container.decode(ColumnReference.self, forKey: .column))
    format = try container.value(.format, or: format)
    pivot = try container.value(.pivot, or: pivot)
  }

  /// Writes every key that differs from its default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(column, forKey: .column)
    try container.encode(format, forKey: .format)
    if pivot != 70 { try container.encode(pivot, forKey: .pivot) }
  }
}

extension ImportMapping.AmountColumns: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case column, inverted, debit, credit, type, directions, otherwise
  }

  /// Reads `column`, `inverted`, `debit`, `credit`, `type`, `directions` and `otherwise`.
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
  }

  /// Writes every key that differs from its default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(column, forKey: .column)
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

  /// Reads `decimal`, `grouping` and `symbols`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      decimal: try container.value(.decimal, or: "."),
      grouping: try container.decodeIfPresent(String.self, forKey: .grouping),
      symbols: try container.value(.symbols, or: []))
  }

  /// Writes every key that differs from its default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(decimal, forKey: .decimal)
    try container.encodeIfPresent(grouping, forKey: .grouping)
    if !symbols.isEmpty { try container.encode(symbols, forKey: .symbols) }
  }
}

extension ImportMapping.BalanceColumn: Codable {
  private enum Key: String, CodingKey, CaseIterable { case column, newestFirst }

  /// Reads `column` and `newestFirst`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(Key.self)
    self.init(
      column: try container.decode(ColumnReference.self, forKey: .column),
      isNewestFirst: try container.value(.newestFirst, or: false))
  }

  /// Writes every key that differs from its default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(column, forKey: .column)
    if isNewestFirst { try container.encode(true, forKey: .newestFirst) }
  }
}
