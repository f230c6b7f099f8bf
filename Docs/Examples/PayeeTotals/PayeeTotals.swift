import Daybook
public import DaybookEngine

/// The amounts paid to and received from each payee, by month: an example of an app's own
/// projection of a ledger's transactions.
///
/// ```swift
/// let options = Ledger.Options(projections: [PayeeTotals.self])
/// let ledger = try await Ledger.open(at: path, options: options)
/// let months = try ledger.read { try $0.payeeTotals(in: today.monthOf) }
/// ```
///
/// | table | key | value |
/// |---|---|---|
/// | `totals` | month (4 bytes), hash of the payee (16), currency (8) | paid, received, count |
/// | `rows` | hash of the payee (16), place of the row (9) | |
///
/// A payee can be longer than a key, so keys contain its hash. The text is in no table, but is read
/// from the payee's newest row, so erasing it there erases it here too.
///
/// All postings to categories count, including planned ones: amounts into a category are *paid*,
/// amounts out of it *received*. Transfers have no such postings. Transactions without a payee are
/// left out.
public struct PayeeTotals: Projection {
  /// Part of the format of the views; must never change.
  public static let name = "example.payee-totals"
  /// Increased when the tables' contents would change; ledgers then rebuild them.
  public static let version: UInt32 = 1
  /// The sums paid and received and the count, by month, payee and currency; each payee's rows.
  public static let tables = [
    TableDefinition("totals", .sums(fields: 3)), TableDefinition("rows", .places),
  ]
  /// The projection reads only the transaction itself.
  public static let readsState = false

  /// The tables' indices in ``tables``.
  enum Place {
    static let totals = 0
    static let rows = 1
  }

  /// Creates the projection.
  public init() {}

  /// Subtracts the transaction's old contribution, and adds the new one.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    let (id, number) = (change.id, change.number)
    if let record = change.before {
      add(try Transaction(record.span, id: id, number: number), -1, to: &tables)
    }
    if let record = change.after {
      add(try Transaction(record.span, id: id, number: number), 1, to: &tables)
    }
  }

  private func add(_ transaction: Transaction, _ sign: Int128, to tables: inout ProjectionTables) {
    if transaction.payee.isEmpty { return }
    let hash = TextHash(transaction.payee.utf8)
    var sums: [Currency: Sums] = [:]
    for posting in transaction.postings {
      guard case .category = posting.account else { continue }
      let units = Int128(posting.amount.minorUnits)
      sums[posting.amount.currency, default: Sums(0, 0, sign)] +=
        units > 0 ? Sums(sign * units) : Sums(0, -sign * units)
    }
    // The order doesn't matter, because differences to the same row are merged.
    for (currency, sums) in sums {
      let key = PayeeTotals.key(transaction.day.monthOf, hash, currency)
      tables.add(Place.totals, key, sums)
    }
    var row = PayeeTotals.key(hash)
    row.append(u32: transaction.day.biased)
    row.append(u40: transaction.number)
    if sign > 0 { tables.put(Place.rows, row) } else { tables.remove(Place.rows, row) }
  }
}

// MARK: Keys

extension PayeeTotals {
  /// The payee's part of a key.
  static func key(_ hash: TextHash) -> TableKey {
    var key = TableKey()
    key.append(u64: hash.high)
    key.append(u64: hash.low)
    return key
  }

  /// The prefix of a month's keys.
  ///
  /// The sign bit is inverted, so that months sort by time.
  static func key(_ month: Month) -> TableKey {
    var key = TableKey()
    key.append(u32: UInt32(bitPattern: month.rawValue) ^ 0x8000_0000)
    return key
  }

  /// The key of a row of totals; without a currency, the prefix of a payee's keys in a month.
  static func key(_ month: Month, _ hash: TextHash, _ currency: Currency? = nil) -> TableKey {
    var key = key(month)
    key.append(u64: hash.high)
    key.append(u64: hash.low)
    if let currency { key.append(u64: currency.packed) }
    return key
  }

  /// The month of a row of totals.
  static func month(of key: TableKey) -> Month {
    var raw: UInt32 = 0
    for offset in 0..<4 { raw = raw << 8 | UInt32(key[offset]) }
    return Month(rawValue: Int32(bitPattern: raw ^ 0x8000_0000))
  }
}
