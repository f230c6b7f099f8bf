import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// Exchange rates, ordered by currency pair and day, so that one step finds the nearest earlier
/// rate.
///
/// | table | key | value |
/// |---|---|---|
/// | `quotes` | base (2 to 9 bytes), quote (2 to 9), day (4) | scale (1), mantissa (zigzag) |
public struct Rates: Projection {
  /// The projection's name.
  public static let name = "rates"
  /// The version of the projection's tables.
  public static let version: UInt32 = 2
  /// The projection's only table.
  public static let tables = [TableDefinition("quotes", .rows)]

  static let quotes = 0

  /// `false`, because the projection doesn't read State.
  public static let readsState = false

  /// Creates the projection.
  public init() {}

  /// Writes or removes a quote.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .rate else { return }
    let id = change.id
    let number = change.number
    if let record = change.before {
      let rate = try ExchangeRate(record: record, id: id, number: number)
      tables.remove(Rates.quotes, Rates.key(rate.base, rate.quoted, rate.day))
    }
    if let record = change.after {
      let rate = try ExchangeRate(record: record, id: id, number: number)
      var value = ByteWriter(reserving: 12)
      value.u8(rate.quote.scale)
      value.zigzag(rate.quote.mantissa)
      tables.put(Rates.quotes, Rates.key(rate.base, rate.quoted, rate.day), value.bytes)
    }
  }

  static func prefix(_ base: Currency, _ quote: Currency) -> TableKey {
    var key = TableKey()
    key.append(currency: base)
    key.append(currency: quote)
    return key
  }

  static func key(_ base: Currency, _ quote: Currency, _ day: Day) -> TableKey {
    var key = prefix(base, quote)
    key.append(u32: day.biased)
    return key
  }
}
