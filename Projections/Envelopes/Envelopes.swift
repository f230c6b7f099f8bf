import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The money that each category's envelope, and the payment of each card, is given per month.
///
/// | table | key | totals |
/// |---|---|---|
/// | `allocations` | month (4 bytes), category or account id (16), currency (2 to 9) | assigned, moved |
/// | `unpaid` | day (4 bytes), category id (16), currency (2 to 9) | net, count |
///
/// *Assigned* is the category's assignment in the month. *Moved* is the sum of the moves to the
/// category, less those from it. What is carried from month to month isn't stored, so that a change
/// writes at most two rows, regardless of the number of later months. The key contains the
/// category's id instead of its recording number, so that a row can be written without reading the
/// category.
///
/// `unpaid` sums the postings to categories of the transactions that have no account, which aren't
/// spent from envelopes. *Net* is the sum of the postings, *count* the number of transactions.
public struct Envelopes: Projection {
  /// The projection's name.
  public static let name = "envelopes"
  /// The version of the projection's tables.
  public static let version: UInt32 = 1
  /// The projection's tables.
  public static let tables = [
    TableDefinition("allocations", .sums(fields: 2)), TableDefinition("unpaid", .sums(fields: 2)),
  ]

  static let allocations = 0
  static let unpaid = 1

  /// `false`, because the projection doesn't read State.
  public static let readsState = false

  /// Creates the projection.
  public init() {}

  /// Adds the differences of an allocation or a transaction.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    if change.kind == .transaction {
      if let record = change.before { try Envelopes.add(record, -1, to: &tables) }
      if let record = change.after { try Envelopes.add(record, 1, to: &tables) }
      return
    }
    guard change.kind == .allocation else { return }
    let (id, number) = (change.id, change.number)
    if let record = change.before {
      Envelopes.add(try Allocation(record: record, id: id, number: number), -1, to: &tables)
    }
    if let record = change.after {
      Envelopes.add(try Allocation(record: record, id: id, number: number), 1, to: &tables)
    }
  }

  private static func add(
    _ allocation: Allocation, _ sign: Int128, to tables: inout ProjectionTables
  ) {
    let units = sign * Int128(allocation.amount.minorUnits)
    if allocation.isAssignment {
      if let owner = allocation.category?.rawValue ?? allocation.account?.rawValue {
        tables.add(allocations, key(owner, allocation), Sums(units, 0))
      }
      return
    }
    if let category = allocation.category {
      tables.add(allocations, key(category.rawValue, allocation), Sums(0, units))
    }
    if let source = allocation.source {
      tables.add(allocations, key(source.rawValue, allocation), Sums(0, -units))
    }
  }

  private static func key(_ owner: EntityID, _ allocation: Allocation) -> TableKey {
    let month = Period(level: .month, index: allocation.month.rawValue)
    return key(month, owner, allocation.amount.currency)
  }

  private static func key(
    _ period: Period, _ category: EntityID, _ currency: Currency
  ) -> TableKey {
    var key = TableKey()
    key.append(period)
    key.append(u64: category.high)
    key.append(u64: category.low)
    key.append(currency: currency)
    return key
  }

  // Adds the postings of a transaction without an account.
  private static func add(
    _ record: Record, _ sign: Int128, to tables: inout ProjectionTables
  ) throws {
    let bytes = record.bytes
    let figures = try TransactionFigures(bytes.span.bytes)
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() { if cursor.code == .account { return } }
    var keys: [TableKey] = []
    cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      guard cursor.code.isCategory else { continue }
      let key = key(.day(figures.day), cursor.id, cursor.currency)
      let isFirst = !keys.contains(key)
      tables.add(unpaid, key, Sums(sign * Int128(cursor.units), isFirst ? sign : 0))
      if isFirst { keys.append(key) }
    }
  }
}
