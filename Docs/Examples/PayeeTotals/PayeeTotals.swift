import Daybook
public import DaybookEngine

/// What went to each payee, and what came from them, by month: the worked example of an app's own
/// projection over the transactions of a ledger.
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
/// A payee can be longer than a key, so keys have its hash. The text is in no table: it is read from the
/// payee's newest row. So it is gone from here, too, when it is erased.
///
/// What counts: postings to categories, of any day, planned ones too. Into a category is *paid*, out of one
/// is *received*. A transfer has none, and a transaction without payee is left out.
public struct PayeeTotals: Projection {
  /// Part of the format of the views: never renamed.
  public static let name = "example.payee-totals"
  /// Raised when the tables would come out differently; ledgers then build them anew.
  public static let version: UInt32 = 1
  /// Per month, payee and currency what was paid, received and how many transactions; each payee's rows.
  public static let tables = [
    TableDefinition("totals", .sums(fields: 3)), TableDefinition("rows", .places),
  ]
  /// It looks at the transaction alone.
  public static let readsState = false

  /// The tables' places in ``tables``.
  enum Place {
    static let totals = 0
    static let rows = 1
  }

  /// The projection.
  public init() {}

  /// Takes away what the transaction added before, and adds what it adds now.
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
    // Nothing depends on the order: differences to one row are merged.
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

  /// What the keys of a month begin with.
  ///
  /// The sign is turned, so that months sort by time.
  static func key(_ month: Month) -> TableKey {
    var key = TableKey()
    key.append(u32: UInt32(bitPattern: month.rawValue) ^ 0x8000_0000)
    return key
  }

  /// The key of a row of totals; without a currency what the keys of a payee's month begin with.
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
